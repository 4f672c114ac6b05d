import type { Actor, AdminActionName } from "../domain/people/actor.ts";
import { AppError } from "../kernel/errors.ts";
import type { User } from "../domain/people/user.ts";
import * as adminActions from "../storage/people/admin-actions.ts";
import { withSavepoint, type Unit } from "../storage/engine/unit.ts";
import type { World } from "../world.ts";

export type Deps = Pick<World, "db" | "clock">;

interface Operation<Target, Result> {
  action: AdminActionName;
  /** Finds the user it is about. An error thrown here is not recorded, because nobody was changed or refused. */
  target: () => Unit<Target>;
  perform: (target: Target) => Unit<Result>;
  details?: (result: Result) => Record<string, unknown>;
}

type Named = Pick<User, "username"> & { id: number | null };

/**
 * Performs an administrator operation and records it in the action log, in one transaction. A refusal by a rule is
 * recorded too, and then thrown.
 */
export const audited = async <Target extends Named, Result>(
  { db, clock }: Deps,
  actor: Actor,
  { action, target, perform, details }: Operation<Target, Result>,
): Promise<Result> => {
  const now = clock();
  const outcome = await db.write(function* () {
    const person = yield* target();
    const done = yield* withSavepoint<{ result: Result }>(function* () {
      return { result: yield* perform(person) };
    }, isRefusal);
    if ("refused" in done) {
      const { rule } = done.refused as AppError;
      yield* adminActions.record(now, actor, action, person, { refused: rule });
      return done;
    }
    const subject = withId(person, done.result);
    yield* adminActions.record(now, actor, action, subject, details?.(done.result));
    return done;
  });
  if ("refused" in outcome) throw outcome.refused;
  return outcome.result;
};

const isRefusal = (error: unknown): boolean => error instanceof AppError && error.rule !== undefined;

/** A user created by the operation only has an id in its result. */
const withId = (person: Named, result: unknown): Named => {
  if (person.id !== null) return person;
  const id = (result as { id?: unknown } | null)?.id;
  return { id: typeof id === "number" ? id : null, username: person.username };
};
