import type { User } from "../domain/people/user.ts";
import type { JobTrigger } from "../domain/jobs/sync-job.ts";
import type { OnProgress } from "../kernel/progress.ts";

type Person = Pick<User, "id" | "username">;

/** Whose log is asked, and who asks. Today these are the same person, or the operator in a shell asks. */
export interface LogCaller {
  /** The user whose log it is. */
  owner: Person;
  /** The user who asks; the operator of the server has no account. */
  by: Person | "operator";
  /** Aborts when nobody waits for the answer any more. */
  signal?: AbortSignal;
  /** Called with the progress of reading a large log. */
  onProgress?: OnProgress | undefined;
}

/** Users ask about their own logs. */
export const byOwner = ({ id, username }: Person): LogCaller => ({
  owner: { id, username },
  by: { id, username },
});

export const getTrigger = ({ by }: LogCaller): JobTrigger => (by === "operator" ? "cli" : "manual");

/** The user recorded for a rollback; null for the operator, who has no account. */
export const getActorId = ({ by }: LogCaller): number | null => (by === "operator" ? null : by.id);
