import type { User } from "../domain/people/user.ts";
import type { JobTrigger } from "../domain/jobs/sync-job.ts";
import type { OnProgress } from "../kernel/progress.ts";

/** Whose log is asked, and by whose hand: the owner's, or the operator's in a shell. */
export interface LogCaller extends Pick<User, "id" | "username"> {
  hand: "owner" | "operator";
  /** Fires when nobody waits for the answer any more. */
  signal?: AbortSignal;
  /** Hears how far the reading of a large log is. */
  onProgress?: OnProgress | undefined;
}

export const triggerOf = ({ hand }: LogCaller): JobTrigger => (hand === "operator" ? "cli" : "manual");

/** Who is named when a job is taken back; the operator has no account. */
export const byOf = ({ id, hand }: LogCaller): number | null => (hand === "operator" ? null : id);
