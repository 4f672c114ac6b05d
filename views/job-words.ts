import type { JobView } from "../src/domain/jobs/sync-job.ts";
import { isService } from "../src/domain/jobs/source.ts";
import { JOB_TEXTS } from "./texts/jobs.ts";

const WORDS = JOB_TEXTS.advice;

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
  if (code === "interrupted" && source === "file") return WORDS.importAgain;
  if (code === "interrupted" && !isService(source)) return "";
  const changes = stats.added + stats.updated + stats.deleted;
  if (code !== "truncated" || changes === 0) return WORDS[code];
  return WORDS.cutOff(changes);
};
