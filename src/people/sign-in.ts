import type { Auth, Client, SignIn } from "../auth/auth.ts";
import type { Caller } from "../auth/caller.ts";
import { findPendingSignIn } from "../auth/factors/factors.ts";
import type { SetupToken } from "../auth/setup-token.ts";
import { AppError } from "../kernel/errors.ts";
import { assertUser, type NewUser, type User } from "../domain/people/user.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import { makeFirstUser, makeUser, needsSetUp } from "./account.ts";
import { stopImpersonation } from "./impersonation.ts";

const CHALLENGES_TRIED = 5;

type Deps = Pick<World, "db" | "clock" | "hashing" | "passwordCost"> & { auth: Auth };

/** The sign-in that waits for a second factor under one of these challenges; null if there is none. */
export const findPending = async (
  deps: Parameters<typeof findPendingSignIn>[0],
  challenges: readonly string[],
  client: Client,
) => {
  for (const challenge of challenges.slice(0, CHALLENGES_TRIED)) {
    const found = await findPendingSignIn(deps, challenge, client);
    if (found) return found.question;
  }
  return null;
};

/** Creates the first user with the setup token from the server's log, and signs in. */
export const setUp = async (
  deps: Deps & { setupToken: SetupToken },
  { token, ...user }: NewUser & { token: string },
  client: Client,
): Promise<SignIn> => {
  await assertNotSetUp(deps);
  await deps.setupToken.assert(token);
  return begin(deps, await makeFirstUser(deps, user, client), client);
};

/** Starts a session for a new user. */
const begin = async ({ db, auth }: Deps, { id }: User, client: Client): Promise<SignIn> =>
  auth.startSession(await db.read(() => users.getKnown(id)), client);

export const assertNotSetUp = async (deps: Deps): Promise<void> => {
  if (!(await needsSetUp(deps))) throw new AppError("not_found", "This server is already set up.");
};

type Registering = Pick<World, "config">;

/** Creates an account, if registration is open, and signs in. */
export const register = async (deps: Deps & Registering, user: NewUser, client: Client): Promise<SignIn> => {
  assertOpen(deps);
  assertUser(user);
  await deps.auth.throttle.countRegistration(client.address);
  return begin(deps, await makeUser(deps, user, client), client);
};

export const isOpen = ({ config }: Registering): boolean => config.registration === "open";

export const assertOpen = (deps: Registering): void => {
  if (isOpen(deps)) return;
  throw new AppError("forbidden", "Registration is closed on this server.", { rule: "registration_closed" });
};

/** Ends an impersonation if there is one, otherwise the session. */
export const signOut = async (deps: Pick<World, "db" | "clock"> & { auth: Auth }, caller: Caller): Promise<void> => {
  if (caller.impersonatedBy) await stopImpersonation(deps, caller);
  else await deps.auth.endSession(caller);
};
