import { hashPassword } from "../auth/passwords.ts";
import type { Actor } from "../domain/actor.ts";
import { AppError } from "../domain/errors.ts";
import {
  assertNewUser,
  assertPassword,
  canonicalProfile,
  canonicalUsername,
  type NewUser,
  type User,
} from "../domain/user.ts";
import { defineBackgroundWork } from "../storage/database.ts";
import * as sessions from "../storage/sessions.ts";
import * as users from "../storage/users.ts";
import type { World } from "../world.ts";
import { audited, type Deps } from "./audited.ts";
import { userOf, type UserKey } from "./roles.ts";

const ROWS_A_SLICE = 2_000;
const PAUSE_BETWEEN_SLICES_MS = 2;

type Removing = Deps & Pick<World, "underWay" | "sleep">;

export const createUser = async (
  deps: Deps & Pick<World, "hashing" | "passwordCost">,
  actor: Actor,
  user: NewUser,
): Promise<User> => {
  assertNewUser(user);
  const { role = "user" } = user;
  const username = canonicalUsername(user.username);
  const passwordHash = await hashPassword(deps, user.password);
  return audited(deps, actor, {
    action: "create_user",
    *target() {
      return { id: null, username };
    },
    *perform() {
      const { callsign, email } = canonicalProfile(user.callsign, user.email);
      const added = yield* users.add({ username, passwordHash, callsign, email, role }, deps.clock());
      if (!added) throw new AppError("conflict", `The username ${username} is taken.`, { rule: "name_taken" });
      return added;
    },
    details: () => ({ role }),
  });
};

/** Sets a password and ends every session, so that whoever knew the old one is out. */
export const resetPassword = async (
  deps: Deps & Pick<World, "hashing" | "passwordCost">,
  actor: Actor,
  key: UserKey,
  password: string,
): Promise<User> => {
  assertPassword(password);
  const passwordHash = await hashPassword(deps, password);
  return audited(deps, actor, {
    action: "reset_password",
    target: () => userOf(key),
    *perform(user) {
      yield* users.setPasswordHash(user.id, passwordHash);
      yield* sessions.endAllOf(user.id);
      return user;
    },
  });
};

/** Signs the account out and takes it away at once, then waits until all it owned is removed. */
export const deleteUser = async (deps: Removing, actor: Actor, key: UserKey): Promise<User> => {
  const now = deps.clock();
  const deleted = await audited(deps, actor, {
    action: "delete_user",
    target: () => userOf(key),
    *perform(user) {
      if (user.id === actor.id) {
        throw new AppError("conflict", "You cannot delete your own account here.", { rule: "self_delete" });
      }
      if (user.isAdmin) {
        throw new AppError("conflict", `${user.username} is an administrator: demote first.`, {
          rule: "target_is_admin",
        });
      }
      yield* users.markDeleted(user.id, now);
      return user;
    },
  });
  await removeRecords(deps, deleted.id);
  return deleted;
};

/** Goes on with deletions that a stop or a crash left half done. */
export const finishDeletions = async (deps: Removing, isStopping: () => boolean = () => false): Promise<void> => {
  for (const userId of await deps.db.read(users.listDeleted)) await removeRecords(deps, userId, isStopping);
};

/** What runs for the account in this process ends first. */
export const removeRecords = async (
  { db, underWay, sleep }: Pick<Removing, "db" | "underWay" | "sleep">,
  userId: number,
  isStopping: () => boolean = () => false,
): Promise<void> => {
  await underWay.stopAllOf(userId);
  while (!isStopping() && !(await db.inBackground(removeSlice, { userId, rows: ROWS_A_SLICE }))) {
    await sleep(PAUSE_BETWEEN_SLICES_MS);
  }
};

export const removeSlice = defineBackgroundWork("users.removeSlice", "write", users.removeSlice);
