import type { Logbook } from "../../src/logbook/contract.ts";
import type { ServerLink } from "./server-link.ts";

type ServiceQuestions = Pick<
  Logbook,
  | "services"
  | "setCredentials"
  | "testCredentials"
  | "clearCredentials"
  | "schedule"
  | "changeSchedule"
  | "targets"
  | "addTarget"
  | "changeTarget"
  | "removeTarget"
  | "testTarget"
>;

/** The accounts at the services of whoever a token belongs to, when the server syncs them, and who is told. */
export const remoteServices = (link: ServerLink): ServiceQuestions => ({
  services: () => link.ask("GET", "/api/services", { has: "services" }),
  setCredentials: (source, given) =>
    link.ask("PUT", `/api/services/${source}/credentials`, { body: given, has: "label" }),
  testCredentials: (source) => link.ask("POST", `/api/services/${source}/test`, { has: "label" }),
  clearCredentials: (source) => link.ask("DELETE", `/api/services/${source}/credentials`),
  schedule: () => link.ask("GET", "/auto-sync/settings", { has: "first" }),
  changeSchedule: (change) => link.ask("PUT", "/auto-sync/settings", { body: change, has: "first" }),
  targets: () => link.ask("GET", TARGETS, { has: "targets" }),
  addTarget: (order) => link.ask("POST", TARGETS, { body: order, has: "host" }),
  changeTarget: (id, events) => link.ask("PUT", `${TARGETS}/${id}`, { body: { events }, has: "host" }),
  removeTarget: (id) => link.ask("DELETE", `${TARGETS}/${id}`),
  testTarget: (id) => link.ask("POST", `${TARGETS}/${id}/test`, { has: "host" }),
});

const TARGETS = "/api/notices/targets";
