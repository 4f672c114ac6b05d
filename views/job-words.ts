import type { SyncErrorCode } from "../src/domain/jobs/provider.ts";
import type { JobView } from "../src/domain/jobs/sync-job.ts";
import { isService } from "../src/domain/jobs/source.ts";
import { grouped } from "./words.ts";

/** What the user can do about a failure. */
const ADVICE: Record<SyncErrorCode, string> = {
  auth_failed: "Enter your account again in Settings.",
  subscription_required: "Renew your subscription at the service, then sync again.",
  busy: "Wait 15 minutes, then sync again.",
  network: "Nothing is lost. Sync again later.",
  timeout: "Nothing is lost. Sync again later.",
  truncated: "Sync again to get the rest.",
  invalid_answer: "Sync again later.",
  not_configured: "Enter your account in Settings.",
  wrong_callsign: "Check the API key and the callsign in Settings.",
  sealed_elsewhere:
    "Enter your account again in Settings, or ask the operator to restore the server's previous secret.",
  other_callsign: "Check the account in Settings, or confirm the sync on the dashboard.",
  interrupted: "Sync again to continue.",
  internal: "This is a bug in qsolog. See the server's log for details.",
};

const ABOUT_SETTINGS: ReadonlySet<string> = new Set([
  "auth_failed",
  "not_configured",
  "wrong_callsign",
  "sealed_elsewhere",
  "other_callsign",
]);

type Failed = Pick<JobView, "source" | "stats"> & { error: NonNullable<JobView["error"]> };

export const getAdvice = (job: Failed): { words: string; inSettings: boolean } => ({
  words: adviceInWords(job),
  inSettings: ABOUT_SETTINGS.has(job.error.code),
});

const adviceInWords = ({ source, stats, error: { code } }: Failed): string => {
  if (code === "interrupted" && source === "file") return "Import the file again.";
  if (code === "interrupted" && !isService(source)) return "";
  const changes = stats.added + stats.updated + stats.deleted;
  if (code !== "truncated" || changes === 0) return ADVICE[code];
  const are = changes === 1 ? "change before that is" : "changes before that are";
  return `The ${grouped(changes)} ${are} in your log. Sync again to get the rest, or roll back.`;
};
