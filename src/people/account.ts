import { AppError } from "../domain/errors.ts";
import {
  assertNewUser,
  assertPassword,
  assertProfile,
  canonicalProfile,
  canonicalUsername,
  type NewUser,
  type User,
} from "../domain/user.ts";
import * as accountEvents from "../storage/account-events.ts";
import * as factorChallenges from "../storage/factor-challenges.ts";
import * as apiTokens from "../storage/api-tokens.ts";
import * as passwordLinks from "../storage/password-links.ts";
import * as sessions from "../storage/sessions.ts";
import type { Unit } from "../storage/unit.ts";
import * as terminalSignIns from "../storage/terminal-sign-ins.ts";
import * as users from "../storage/users.ts";
import type { World } from "../world.ts";
import { laneOf, type Auth, type Client } from "../auth/auth.ts";
import type { Caller } from "../auth/caller.ts";
import { assertUncommon } from "./common-passwords.ts";
import { endSignIns, removeRecords } from "./users.ts";
import { hashPassword } from "../auth/passwords.ts";

type Deps = Pick<World, "db" | "clock" | "hashing" | "passwordCost">;

/** A user without a role of its own. */
export const makeUser = (deps: Deps, user: NewUser, client?: Client): Promise<User> =>
  addUser(deps, { ...user, role: "user" }, client, function* () {});

/** The first user, an administrator; only while there are no users. */
export const makeFirstUser = (deps: Deps, user: NewUser, client?: Client): Promise<User> =>
  addUser(deps, { ...user, role: "admin" }, client, function* () {
    if ((yield* users.count()) > 0) throw new AppError("not_found", "This server is already set up.");
  });

export const needsSetUp = async ({ db }: Pick<Deps, "db">): Promise<boolean> =>
  (await db.read(() => users.count())) === 0;

const addUser = async (
  deps: Deps,
  user: NewUser,
  client: Client | undefined,
  allow: () => Unit<void>,
): Promise<User> => {
  assertNewUser(user);
  await assertUncommon(deps, user.password, user);
  const passwordHash = await hashPassword(deps, user.password, client && laneOf(client));
  const { username, callsign, email, role = "user" } = user;
  const row = {
    username: canonicalUsername(username),
    passwordHash,
    ...canonicalProfile(callsign, email),
    role,
  };
  return deps.db.write(function* () {
    yield* allow();
    const added = yield* users.add(row, deps.clock());
    if (!added) throw new AppError("conflict", `The username ${row.username} is taken.`, { rule: "name_taken" });
    yield* accountEvents.record(added.id, deps.clock(), "account_made", client);
    return added;
  });
};

interface NewPassword {
  current: string;
  next: string;
  /** API tokens too. */
  revokeTokens?: boolean | undefined;
}

/** Ends all other sessions, so that whoever knew the old password is out. */
export const changePassword = async (
  deps: Deps & { auth: Auth },
  { user, sessionId }: Caller,
  { current, next, revokeTokens = false }: NewPassword,
  client: Client,
): Promise<void> => {
  await deps.auth.assertPassword(user, current, client, "current");
  assertPassword(next);
  await assertUncommon(deps, next, user);
  const hash = await hashPassword(deps, next, laneOf(client));
  const now = deps.clock();
  await deps.db.write(function* () {
    yield* users.setPasswordHash(user.id, hash);
    yield* sessions.endAllOf(user.id, sessionId);
    if (revokeTokens) yield* apiTokens.removeAllOf(user.id);
    yield* passwordLinks.removeOf(user.id);
    yield* factorChallenges.removeOf(user.id);
    yield* terminalSignIns.removeOf(user.id);
    if (sessionId !== null) yield* sessions.confirm(sessionId, now);
    yield* accountEvents.record(user.id, now, "password_changed", client);
  });
};

export const changeProfile = (
  { db, clock }: Pick<Deps, "db" | "clock">,
  user: User,
  { callsign = user.callsign, email = user.email }: { callsign?: string | null; email?: string | null },
  client?: Client,
): Promise<User> => {
  assertProfile(callsign, email);
  const profile = canonicalProfile(callsign, email);
  const now = clock();
  return db.write(function* () {
    yield* accountEvents.record(user.id, now, "profile_changed", client);
    return yield* users.setProfile(user.id, profile.callsign, profile.email);
  });
};

/** Ends every session and revokes every API token, also what asks. */
export const signOutEverywhere = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { user }: Caller,
  client: Client,
): Promise<void> => {
  const now = clock();
  await db.write(() => endSignIns(user.id, now, client));
};

/** Takes the user's own account away with all it owned; administrators step down first. */
export const deleteOwnAccount = async (
  deps: Pick<World, "db" | "clock" | "underWay" | "sleep"> & { auth: Auth },
  { user }: Caller,
  password: string,
  client: Client,
): Promise<void> => {
  const { db, clock, auth } = deps;
  await auth.assertPassword(user, password, client, "password");
  const now = clock();
  await db.write(function* () {
    if ((yield* users.get(user.id)).isAdmin) {
      throw new AppError("conflict", "Administrators cannot delete their own account.", { rule: "self_delete" });
    }
    yield* users.markDeleted(user.id, now);
  });
  await removeRecords(deps, user.id);
};
