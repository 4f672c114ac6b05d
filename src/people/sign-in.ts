import type { Auth, Client, Entry, SignIn } from "../auth/auth.ts";
import type { Caller } from "../auth/caller.ts";
import { askForPasskey, findPendingSignIn, type Proof } from "../auth/factors/factors.ts";
import type { UseOptions } from "../auth/factors/passkeys.ts";
import type { SetupToken } from "../auth/setup-token.ts";
import { AppError } from "../kernel/errors.ts";
import { assertUser, type NewUser, type User } from "../domain/people/user.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import { makeFirstUser, makeUser, needsSetUp } from "./account.ts";
import { stopImpersonation } from "./impersonation.ts";

const CHALLENGES_TRIED = 5;

type Deps = Pick<World, "db" | "clock" | "hashing" | "passwordCost"> & { auth: Auth };

/** Signs in with a password. */
export const signIn = (
  { auth }: Pick<Deps, "auth">,
  { username, password }: { username: string; password: string },
  client: Client,
): Promise<Entry> => auth.signIn(username, password, client);

/** Completes a sign-in with the second factor. */
export const answer = (
  { auth }: Pick<Deps, "auth">,
  { challenge, ...proof }: Proof & { challenge: string },
  client: Client,
): Promise<SignIn> => auth.answer(challenge, proof, client);

type Asking = Pick<World, "db" | "clock" | "random" | "vault" | "config">;

/** The sign-in that waits for a second factor under one of these challenges; null if there is none. */
export const findPending = async (deps: Asking, challenges: readonly string[], client: Client) => {
  for (const challenge of challenges.slice(0, CHALLENGES_TRIED)) {
    const found = await findPendingSignIn(deps, challenge, client);
    if (found) return found.question;
  }
  return null;
};

/** Confirms the session with the password or the second factor. */
export const confirm = (
  { auth }: Pick<Deps, "auth">,
  caller: Caller,
  proof: { password: string } | Proof,
  client: Client,
): Promise<void> =>
  "password" in proof ? auth.confirm(caller, proof.password, client) : auth.confirmByFactor(caller, proof, client);

/** The passkey options for confirming a session; null if the user has no passkey. */
export const passkeyToConfirm = (
  deps: Asking,
  { user, sessionId }: Caller,
  client: Client,
): Promise<UseOptions | null> => askForPasskey(deps, user, sessionId, client);

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

export const assertNotSetUp = async (deps: Pick<Deps, "db">): Promise<void> => {
  if (!(await needsSetUp(deps))) throw new AppError("not_found", "This server is already set up.");
};

type Registering = Pick<World, "config">;

/** Creates an account, if registration is open, and signs in. */
export const register = async (deps: Deps & Registering, user: NewUser, client: Client): Promise<SignIn> => {
  assertOpen(deps);
  assertUser(user);
  await deps.auth.registers(client);
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
