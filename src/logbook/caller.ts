import type { User } from "../domain/people/user.ts";
import type { JobTrigger } from "../domain/jobs/sync-job.ts";
import type { HearProgress } from "../kernel/progress.ts";

/** Whose log is asked, and by whose hand: the owner's, or the operator's in a shell. */
export interface Asker extends Pick<User, "id" | "username"> {
  hand: "owner" | "operator";
  /** Fires when nobody waits for the answer any more. */
  signal?: AbortSignal;
  /** Hears how far the reading of a large log is. */
  onProgress?: HearProgress | undefined;
}

export const triggerOf = ({ hand }: Asker): JobTrigger => (hand === "operator" ? "cli" : "manual");

/** Who is named when a job is taken back; the operator has no account. */
export const byOf = ({ id, hand }: Asker): number | null => (hand === "operator" ? null : id);
