import type { Logbook } from "../../src/logbook/contract.ts";
import type { Need } from "../../src/domain/awards/need.ts";
import type { ServerLink } from "./server-link.ts";

type AwardQuestions = Pick<Logbook, "awards" | "award" | "matrix" | "needed" | "cards" | "need" | "needs" | "news">;

/** The awards of whoever a token belongs to, on a server. */
export const remoteAwards = (link: ServerLink): AwardQuestions => {
  const at = (id: string, part = "") => `/api/awards/${encodeURIComponent(id)}${part}`;
  return {
    awards: ({ by, station, location, asOf } = {}) =>
      link.ask("GET", "/api/awards", { query: { by, station, location, asOf }, has: "awards" }),
    award: (id, { band, group, by, station, location, asOf } = {}) =>
      link.ask("GET", at(id), { query: { band, group, by, station, location, asOf }, has: "slots" }),
    matrix: (id, { group, by, station, location, asOf } = {}) =>
      link.ask("GET", at(id, "/matrix"), { query: { group, by, station, location, asOf }, has: "rows" }),
    needed: (id, { band, group, by, station, location, asOf } = {}) =>
      link.ask("GET", at(id, "/needed"), { query: { band, group, by, station, location, asOf }, has: "neverWorked" }),
    cards: (id, { band, group, station, location, asOf } = {}) =>
      link.ask("GET", at(id, "/cards"), { query: { band, group, station, location, asOf }, has: "cards" }),
    need: ({ call, band, mode }) => link.ask("GET", "/api/need", { query: { call, band, mode }, has: "awards" }),
    async needs(asked) {
      const order = { body: { asked }, has: "answers" };
      return (await link.ask<{ answers: Need[] }>("POST", "/api/need", order)).answers;
    },
    news: (since) => link.ask("GET", "/api/news", { query: { since }, has: "jobs" }),
  };
};
