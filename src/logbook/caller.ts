import type { User } from "../domain/people/user.ts";
import type { JobTrigger } from "../domain/jobs/sync-job.ts";
import type { OnProgress } from "../kernel/progress.ts";

/** The user whose log is read, and who is asking: that user, or the server's operator. */
export interface LogCaller extends Pick<User, "id" | "username"> {
  hand: "owner" | "operator";
  /** Aborts when nobody waits for the answer any more. */
  signal?: AbortSignal;
  /** Called with the progress of reading a large log. */
  onProgress?: OnProgress | undefined;
}

export const triggerOf = ({ hand }: LogCaller): JobTrigger => (hand === "operator" ? "cli" : "manual");

/** The user recorded for a rollback; null for the operator, who has no account. */
export const byOf = ({ id, hand }: LogCaller): number | null => (hand === "operator" ? null : id);
