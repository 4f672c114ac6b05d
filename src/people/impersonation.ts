import type { Auth, Client, SignIn } from "../auth/auth.ts";
import { toActor, type Caller } from "../auth/caller.ts";
import { AppError } from "../kernel/errors.ts";
import { HOUR } from "../kernel/clock.ts";
import * as accountEvents from "../storage/people/account-events.ts";
import * as adminActions from "../storage/people/admin-actions.ts";
import * as sessions from "../storage/people/sessions.ts";
import * as users from "../storage/people/users.ts";
import { audited, type Deps } from "./audited.ts";

/** Lets an administrator act as another user for an hour, in a child session. */
export const impersonate = async (
  deps: Deps & { auth: Auth },
  caller: Caller,
  targetId: number,
  client: Client,
): Promise<SignIn> => {
  const { sessionId } = caller;
  if (sessionId === null || caller.impersonatedBy !== null) {
    throw new AppError("forbidden", "Sign in as yourself to act as another user.", { rule: "session_required" });
  }
  const target = await audited(deps, toActor(caller), {
    action: "impersonate",
    target: () => users.get(targetId),
    *perform(user) {
      if (user.isAdmin) {
        throw new AppError("conflict", `${user.username} is an administrator. You can only act as other users.`, {
          rule: "target_is_admin",
        });
      }
      return user;
    },
  });
  return deps.auth.startImpersonation(target, { id: caller.user.id, name: caller.user.username, sessionId }, client);
};

export const stopImpersonation = async ({ db, clock }: Deps, caller: Caller): Promise<void> => {
  const { impersonatedBy, sessionId, user } = caller;
  if (!impersonatedBy || sessionId === null) return;
  const now = clock();
  const actor = { id: impersonatedBy.id, name: impersonatedBy.username, via: "impersonation" as const };
  await db.write(function* () {
    yield* sessions.end(user.id, sessionId);
    yield* adminActions.record(now, actor, "stop_impersonation", user);
    yield* accountEvents.record(user.id, now, "impersonation_ended", { by: actor.name });
  });
};

/** Records in the action log, under both names, what an administrator changes as another user. */
export const recordWriteAs = async (
  { db, clock }: Deps,
  caller: Caller,
  details: Record<string, unknown>,
): Promise<void> => {
  const { impersonatedBy, user } = caller;
  if (!impersonatedBy) return;
  const now = clock();
  const actor = { id: impersonatedBy.id, name: impersonatedBy.username, via: "impersonation" as const };
  await db.write(function* () {
    yield* adminActions.record(now, actor, "write_as_user", user, details);
    yield* accountEvents.record(user.id, now, "write_as_user", { by: actor.name, details });
  });
};

/** Shows the user what an administrator looks at as them: each path once an hour. */
export const recordReadAs = async ({ db, clock }: Deps, caller: Caller, path: string): Promise<void> => {
  const { impersonatedBy, user } = caller;
  if (!impersonatedBy) return;
  const now = clock();
  const whence = { by: impersonatedBy.username, details: { path } };
  if (await db.read(() => accountEvents.isNoted(user.id, now - HOUR, "read_as_user", whence))) return;
  await db.write(() => accountEvents.record(user.id, now, "read_as_user", whence));
};
