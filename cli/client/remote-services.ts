import type { Logbook } from "../../src/logbook/contract.ts";
import type { ServerLink } from "./server-link.ts";

type ServiceQuestions = Pick<
  Logbook,
  "services" | "setCredentials" | "testCredentials" | "clearCredentials" | "schedule" | "changeSchedule"
>;

/** The accounts at the services of whoever a token belongs to, and when the server syncs them. */
export const remoteServices = (link: ServerLink): ServiceQuestions => ({
  services: () => link.ask("GET", "/api/services", { has: "services" }),
  setCredentials: (source, given) =>
    link.ask("PUT", `/api/services/${source}/credentials`, { body: given, has: "label" }),
  testCredentials: (source) => link.ask("POST", `/api/services/${source}/test`, { has: "label" }),
  clearCredentials: (source) => link.ask("DELETE", `/api/services/${source}/credentials`),
  schedule: () => link.ask("GET", "/auto-sync/settings", { has: "first" }),
  changeSchedule: (change) => link.ask("PUT", "/auto-sync/settings", { body: change, has: "first" }),
});
