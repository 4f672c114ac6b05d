import type { Logbook } from "../../src/logbook/contract.ts";
import type { ServerLink } from "./server-link.ts";

type AwardQuestions = Pick<Logbook, "awards" | "award" | "matrix" | "needed" | "news">;

/** The awards of whoever a token belongs to, on a server. */
export const remoteAwards = (link: ServerLink): AwardQuestions => {
  const at = (id: string, part = "") => `/api/awards/${encodeURIComponent(id)}${part}`;
  return {
    awards: ({ by, station } = {}) => link.ask("GET", "/api/awards", { query: { by, station }, has: "awards" }),
    award: (id, { band, group, by, station } = {}) =>
      link.ask("GET", at(id), { query: { band, group, by, station }, has: "slots" }),
    matrix: (id, { group, by, station } = {}) =>
      link.ask("GET", at(id, "/matrix"), { query: { group, by, station }, has: "rows" }),
    needed: (id, { band, group, by, station } = {}) =>
      link.ask("GET", at(id, "/needed"), { query: { band, group, by, station }, has: "neverWorked" }),
    news: (since) => link.ask("GET", "/api/news", { query: { since }, has: "jobs" }),
  };
};
