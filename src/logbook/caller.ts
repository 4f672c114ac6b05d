import type { User } from "../domain/people/user.ts";
import type { JobTrigger } from "../domain/jobs/sync-job.ts";
import type { OnProgress } from "../kernel/progress.ts";

/** The user whose log is read, and who is asking: that user, or the server's operator. */
export interface LogCaller extends Pick<User, "id" | "username"> {
  via: "owner" | "operator";
  /** Aborts when nobody waits for the answer any more. */
  signal?: AbortSignal;
  /** Called with the progress of reading a large log. */
  onProgress?: OnProgress | undefined;
}

export const getTrigger = ({ via }: LogCaller): JobTrigger => (via === "operator" ? "cli" : "manual");

/** The user recorded for a rollback; null for the operator, who has no account. */
export const getActorId = ({ id, via }: LogCaller): number | null => (via === "operator" ? null : id);
