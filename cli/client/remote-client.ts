import type { QsoListDocument, Logbook } from "../../src/logbook/contract.ts";
import { remoteAwards } from "./remote-awards.ts";
import { remoteJobs } from "./remote-jobs.ts";
import { remoteRuns, type Pause } from "./remote-runs.ts";
import { remoteServices } from "./remote-services.ts";
import type { ServerLink } from "./server-link.ts";

type QsoQuestions = Pick<
  Logbook,
  "qsos" | "qso" | "why" | "addQso" | "editQso" | "deleteQso" | "feed" | "exportAdif" | "stats" | "figure"
>;

/** The log of whoever a token belongs to, on a server. */
export const remoteClient = (link: ServerLink, pause?: Pause): Logbook => ({
  runsJobsHere: false,
  async account() {
    const { user } = await link.ask<{ user: { username: string; callsign: string | null } }>("GET", "/api/me", {
      has: "user",
    });
    return { username: user.username, callsign: user.callsign };
  },
  ...remoteQsos(link),
  ...remoteJobs(link),
  ...remoteRuns(link, pause),
  ...remoteServices(link),
  ...remoteAwards(link),
});

const remoteQsos = (link: ServerLink): QsoQuestions => ({
  qsos: (parameters) => link.ask<QsoListDocument>("GET", "/api/qsos", { query: { ...parameters }, has: "qsos" }),
  qso: (id, { asOf } = {}) => link.ask("GET", `/api/qsos/${id}`, { query: { asOf }, has: "call" }),
  why: (id) => link.ask("GET", `/api/qsos/${id}/why`, { has: "fields" }),
  addQso: (typed) => link.ask("POST", "/api/qsos", { body: typed, has: "call" }),
  editQso: (id, patch) => link.ask("PATCH", `/api/qsos/${id}`, { body: patch, has: "call" }),
  deleteQso: (id) => link.ask("DELETE", `/api/qsos/${id}`),
  feed: (wishes) => link.ask("POST", "/api/feed", { body: wishes, has: "taken" }),
  exportAdif: (parameters) => link.pieces("/api/qsos/export", { ...parameters }),

  stats: ({ station, asOf } = {}) => link.ask("GET", "/api/stats", { query: { station, asOf }, has: "byBand" }),
  figure: (name, { search, asOf } = {}) => link.ask("GET", `/api/stats/${name}`, { query: { search, asOf } }),
});
