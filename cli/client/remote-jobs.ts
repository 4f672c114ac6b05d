import type { Logbook } from "../../src/logbook/contract.ts";
import type { ServerLink } from "./server-link.ts";

type JobQuestions = Pick<
  Logbook,
  "jobs" | "job" | "changes" | "leftovers" | "dismissLeftover" | "rollbackPreview" | "rollback" | "undo"
>;

/** A large job is taken back in minutes, and the answer waits for it. */
const MINUTES = { patienceMs: 0 };

/** The jobs of whoever a token belongs to, on a server, and the ways to take one back. */
export const remoteJobs = (link: ServerLink): JobQuestions => {
  const at = (id: number, part = "") => `/api/jobs/${id}${part}`;
  return {
    jobs: (asked) => link.ask("GET", "/api/jobs", { query: { ...asked }, has: "jobs" }),
    job: (id) => link.ask("GET", at(id), { has: "job" }),
    changes: (id, asked) => link.ask("GET", at(id, "/changes"), { query: { ...asked }, has: "changes" }),
    leftovers: (id, asked) => link.ask("GET", at(id, "/leftovers"), { query: { ...asked }, has: "leftovers" }),
    dismissLeftover: (id) => link.ask("DELETE", `/api/leftovers/${id}`),
    rollbackPreview: (id, { undo } = {}) =>
      link.ask("GET", at(id, "/rollback"), { query: { undo: undo || undefined }, has: "kept", ...MINUTES }),
    rollback: (id) => link.ask("DELETE", at(id), { has: "rollback", ...MINUTES }),
    undo: (id) => link.ask("POST", at(id, "/undo"), { has: "rollback", ...MINUTES }),
  };
};
