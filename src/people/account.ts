import { AppError } from "../kernel/errors.ts";
import { assertUser, normaliseProfile, normaliseUsername, type NewUser, type User } from "../domain/people/user.ts";
import * as accountEvents from "../storage/people/account-events.ts";
import * as apiTokens from "../storage/people/api-tokens.ts";
import * as oneTimeCodes from "../storage/people/one-time-codes.ts";
import * as sessions from "../storage/people/sessions.ts";
import type { Unit } from "../storage/engine/unit.ts";
import * as deletedUsers from "../storage/people/deleted-users.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import { getLane, type Auth, type Client } from "../auth/auth.ts";
import { assertConfirmed, assertStillIn, type Caller } from "../auth/caller.ts";
import { assertUncommon } from "./common-passwords.ts";
import { addUser, endSignIns, removeRecords } from "./users.ts";
import { hashPassword } from "../auth/passwords.ts";

type Deps = Pick<World, "db" | "clock" | "hashing" | "passwordCost">;

export const makeUser = (deps: Deps, user: NewUser, client?: Client): Promise<User> =>
  make(deps, { ...user, role: "user" }, client, function* () {});

/** Creates the first user as administrator. Refused if there are users. */
export const makeFirstUser = (deps: Deps, user: NewUser, client?: Client): Promise<User> =>
  make(deps, { ...user, role: "admin" }, client, function* () {
    if ((yield* users.count()) > 0) throw new AppError("not_found", "This server is already set up.");
  });

export const needsSetUp = async ({ db }: Pick<World, "db">): Promise<boolean> =>
  (await db.read(() => users.count())) === 0;

const make = async (deps: Deps, user: NewUser, client: Client | undefined, allow: () => Unit<void>): Promise<User> => {
  assertUser(user);
  await assertUncommon(deps, user.password, user);
  const passwordHash = await hashPassword(deps, user.password, client && getLane(client));
  const { role = "user" } = user;
  const row = { ...user, username: normaliseUsername(user.username), passwordHash, role };
  return deps.db.write(function* () {
    yield* allow();
    return yield* addUser(deps, row, client);
  });
};

/** Checks the user's own password or, for users without one, that the session was confirmed recently. */
const assertOwner = async (
  { db, clock, auth }: Deps & { auth: Auth },
  caller: Caller,
  { password, path }: { password: string | undefined; path: string },
  client: Client,
): Promise<void> => {
  if (await db.read(() => users.hasPassword(caller.user.id))) {
    await auth.assertPassword(caller.user, password ?? "", client, path);
  } else assertConfirmed(caller, clock());
};

interface NewPassword {
  /** Not set for a user without a password. */
  current?: string | undefined;
  next: string;
  /** Also revoke API tokens. */
  revokeTokens?: boolean | undefined;
}

/** Changes the password and ends all other sessions, so that anyone who knew the old password is signed out. */
export const changePassword = async (
  deps: Deps & { auth: Auth },
  caller: Caller,
  { current, next, revokeTokens = false }: NewPassword,
  client: Client,
): Promise<void> => {
  const { user, sessionId } = caller;
  await assertOwner(deps, caller, { password: current, path: "current" }, client);
  assertUser({ password: next });
  await assertUncommon(deps, next, user);
  const hash = await hashPassword(deps, next, getLane(client));
  const now = deps.clock();
  await deps.db.write(function* () {
    yield* assertStillIn(caller);
    yield* users.setPasswordHash(user.id, hash);
    yield* sessions.endAllOf(user.id, sessionId);
    if (revokeTokens) yield* apiTokens.removeAllOf(user.id);
    yield* oneTimeCodes.removeOf(user.id);
    if (sessionId !== null) yield* sessions.confirm(sessionId, now);
    yield* accountEvents.record(user.id, now, "password_changed", client);
  });
};

export const changeProfile = (
  { db, clock }: Deps,
  user: User,
  { callsign = user.callsign, email = user.email }: { callsign?: string | null; email?: string | null },
  client?: Client,
): Promise<User> => {
  assertUser({ callsign, email });
  const profile = normaliseProfile(callsign, email);
  const now = clock();
  return db.write(function* () {
    yield* accountEvents.record(user.id, now, "profile_changed", client);
    return yield* users.setProfile(user.id, profile.callsign, profile.email);
  });
};

/** Ends every session and revokes every API token, including the caller's. */
export const signOutEverywhere = async ({ db, clock }: Deps, { user }: Caller, client: Client): Promise<void> => {
  const now = clock();
  await db.write(() => endSignIns(user.id, now, client));
};

/** Deletes the user's own account with everything it owns. Administrators must give up their role first. */
export const deleteOwnAccount = async (
  deps: Deps & Pick<World, "underWay" | "sleep"> & { auth: Auth },
  caller: Caller,
  password: string | undefined,
  client: Client,
): Promise<void> => {
  const { db, clock } = deps;
  const { user } = caller;
  await assertOwner(deps, caller, { password, path: "password" }, client);
  const now = clock();
  await db.write(function* () {
    yield* assertStillIn(caller);
    if ((yield* users.get(user.id)).isAdmin) {
      throw new AppError(
        "conflict",
        "Administrators cannot delete their own account. Ask another administrator to demote you first.",
        { rule: "self_delete" },
      );
    }
    yield* deletedUsers.markDeleted(user.id, now);
  });
  await removeRecords(deps, user.id);
};
