import { hashPassword } from "../auth/passwords.ts";
import type { RequestOrigin } from "../domain/people/account-event.ts";
import type { Actor } from "../domain/people/actor.ts";
import { AppError } from "../kernel/errors.ts";
import { assertUser, normaliseProfile, normaliseUsername, type NewUser, type User } from "../domain/people/user.ts";
import { defineWork } from "../storage/engine/database.ts";
import * as accountEvents from "../storage/people/account-events.ts";
import * as apiTokens from "../storage/people/api-tokens.ts";
import * as identities from "../storage/people/identities.ts";
import * as oneTimeCodes from "../storage/people/one-time-codes.ts";
import * as sessions from "../storage/people/sessions.ts";
import * as deletedUsers from "../storage/people/deleted-users.ts";
import * as users from "../storage/people/users.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { World } from "../world.ts";
import { audited, type Deps } from "./audited.ts";
import { assertUncommon } from "./common-passwords.ts";
import { findUser, type UserKey } from "./roles.ts";
import { revoke } from "./tokens.ts";

const ROWS_A_SLICE = 2_000;
const PAUSE_BETWEEN_SLICES_MS = 2;

type Removing = Deps & Pick<World, "underWay" | "sleep">;
type Deleting = Pick<World, "underWay" | "sleep"> & { db: Pick<World["db"], "read" | "inWorker"> };

export const createUser = async (
  deps: Deps & Pick<World, "hashing" | "passwordCost">,
  actor: Actor,
  user: NewUser,
): Promise<User> => {
  assertUser(user);
  const { role = "user" } = user;
  const username = normaliseUsername(user.username);
  await assertUncommon(deps, user.password, user);
  const passwordHash = await hashPassword(deps, user.password);
  return audited(deps, actor, {
    action: "create_user",
    *target() {
      return { id: null, username };
    },
    perform: () => addUser(deps, { ...user, username, passwordHash, role }, { by: actor.name }),
    details: () => ({ role }),
  });
};

type Row = Parameters<typeof users.add>[0];

/** Inserts a user. Throws if the name is taken. */
export function* addUser(
  { clock }: Deps,
  {
    username,
    passwordHash,
    callsign,
    email,
    role,
  }: Omit<Row, "callsign" | "email"> & Pick<NewUser, "callsign" | "email">,
  whence: RequestOrigin | undefined,
): Unit<User> {
  const now = clock();
  const row = { username, passwordHash, role, ...normaliseProfile(callsign, email) };
  const added = yield* users.add(row, now);
  if (!added) throw new AppError("conflict", `The username ${username} is taken.`, { rule: "name_taken" });
  yield* accountEvents.record(added.id, now, "account_made", whence);
  return added;
}

/** Administrators change their own password in the settings, where the current one is required. */
export const assertNotOwn = (actor: Actor, user: User): void => {
  if (user.id !== actor.id) return;
  throw new AppError("conflict", "Change your own password in Settings.", { rule: "own_password" });
};

/** Ends all sessions and revokes all API tokens. */
export function* endSignIns(userId: number, now: number, whence: RequestOrigin): Unit<void> {
  yield* sessions.endAllOf(userId);
  yield* apiTokens.removeAllOf(userId);
  yield* oneTimeCodes.removeOf(userId);
  yield* accountEvents.record(userId, now, "signed_out_everywhere", whence);
}

/** Ends every session of a user and revokes every API token. */
export const signOutUser = (deps: Deps, actor: Actor, key: UserKey): Promise<User> => {
  const now = deps.clock();
  return audited(deps, actor, {
    action: "end_sign_ins",
    target: () => findUser(key),
    *perform(user) {
      yield* endSignIns(user.id, now, { by: actor.name });
      return user;
    },
  });
};

/** Revokes an API token of a user. */
export const revokeTokenOf = (deps: Deps, actor: Actor, key: UserKey, tokenId: number): Promise<User> => {
  const now = deps.clock();
  return audited(deps, actor, {
    action: "revoke_token",
    target: () => findUser(key),
    *perform(user) {
      yield* revoke(user.id, tokenId, now, { by: actor.name });
      return user;
    },
    details: () => ({ token: tokenId }),
  });
};

/**
 * Sets a password, ends every session, revokes every token and unlinks every provider account, so that nobody keeps
 * access.
 */
export const resetPassword = async (
  deps: Deps & Pick<World, "hashing" | "passwordCost">,
  actor: Actor,
  key: UserKey,
  password: string,
): Promise<User> => {
  assertUser({ password });
  await assertUncommon(deps, password, await deps.db.read(() => findUser(key)));
  const passwordHash = await hashPassword(deps, password);
  const now = deps.clock();
  return audited(deps, actor, {
    action: "reset_password",
    target: () => findUser(key),
    *perform(user) {
      assertNotOwn(actor, user);
      yield* users.setPasswordHash(user.id, passwordHash);
      yield* endSignIns(user.id, now, { by: actor.name });
      yield* identities.removeAllOf(user.id);
      yield* accountEvents.record(user.id, now, "password_set", { by: actor.name });
      return user;
    },
  });
};

/** Deletes the account immediately, then waits until all its data is removed. */
export const deleteUser = async (deps: Removing, actor: Actor, key: UserKey): Promise<User> => {
  const now = deps.clock();
  const deleted = await audited(deps, actor, {
    action: "delete_user",
    target: () => findUser(key),
    *perform(user) {
      if (user.id === actor.id) {
        throw new AppError("conflict", "You cannot delete your own account here.", { rule: "self_delete" });
      }
      if (user.isAdmin) {
        throw new AppError("conflict", `${user.username} is an administrator. Demote ${user.username} first.`, {
          rule: "target_is_admin",
        });
      }
      yield* deletedUsers.markDeleted(user.id, now);
      return user;
    },
  });
  await removeRecords(deps, deleted.id);
  return deleted;
};

/** Continues deletions that were interrupted by a stop or a crash. */
export const finishDeletions = async (deps: Deleting, isStopping: () => boolean = () => false): Promise<void> => {
  for (const userId of await deps.db.read(deletedUsers.listDeleted)) await removeRecords(deps, userId, isStopping);
};

/** Ends the account's jobs in this process first. */
export const removeRecords = async (
  { db, underWay, sleep }: Deleting,
  userId: number,
  isStopping: () => boolean = () => false,
): Promise<void> => {
  await underWay.stopAllOf(userId);
  while (!isStopping() && !(await db.inWorker(removeSlice, { userId, rows: ROWS_A_SLICE }, { userId }))) {
    await sleep(PAUSE_BETWEEN_SLICES_MS);
  }
};

export const removeSlice = defineWork("users.removeSlice", "write", deletedUsers.removeSlice);
