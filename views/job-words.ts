import type { SyncErrorCode } from "../src/domain/jobs/provider.ts";

/** What the user can do about a failure. */
const ADVICE: Record<SyncErrorCode, string> = {
  auth_failed: "Enter the credentials again in the settings.",
  subscription_required: "The service gives its data to subscribers only: renew the subscription, then sync again.",
  busy: "The account is in use elsewhere. Wait a quarter of an hour, then sync again.",
  network: "Sync again when the service can be reached; nothing is lost.",
  timeout: "The service took too long. Sync again later; nothing is lost.",
  truncated: "The part that broke off was not applied; earlier parts were. Sync again, or roll them back.",
  invalid_answer: "The service may be under maintenance. Sync again later.",
  not_configured: "Enter the credentials in the settings.",
  wrong_callsign: "The key belongs to the logbook of another callsign: check it in the settings.",
  sealed_elsewhere: "Enter the credentials again in the settings, or put the former secret of the server back.",
  other_callsign: "Look whose key it is in the settings, or confirm the sync on the dashboard.",
  interrupted: "Sync again: it goes on from where it was.",
  internal: "This is a bug in qsolog; the server's log says more.",
};

const ABOUT_SETTINGS: ReadonlySet<string> = new Set([
  "auth_failed",
  "not_configured",
  "wrong_callsign",
  "sealed_elsewhere",
  "other_callsign",
]);

export const getAdvice = (code: SyncErrorCode): { words: string; inSettings: boolean } => ({
  words: ADVICE[code],
  inSettings: ABOUT_SETTINGS.has(code),
});
