import type { Auth, Client, SignIn } from "../auth/auth.ts";
import type { Caller } from "../auth/caller.ts";
import type { SetupToken } from "../auth/setup-token.ts";
import { AppError } from "../domain/errors.ts";
import { assertNewUser, type NewUser } from "../domain/user.ts";
import type { World } from "../world.ts";
import { makeFirstUser, makeUser, needsSetUp } from "./account.ts";
import { stopImpersonation } from "./impersonation.ts";

type Deps = Pick<World, "db" | "clock" | "hashing" | "passwordCost"> & { auth: Auth };

/** A visitor proves to be somebody. */
export const signIn = (
  { auth }: Pick<Deps, "auth">,
  { username, password }: { username: string; password: string },
  client: Client,
): Promise<SignIn> => auth.signIn(username, password, client);

/** Somebody signed in proves once more to be the one. */
export const confirm = (
  { auth }: Pick<Deps, "auth">,
  caller: Caller,
  password: string,
  client: Client,
): Promise<void> => auth.confirm(caller, password, client);

/** Whoever started the server makes the first user and is signed in. */
export const setUp = async (
  deps: Deps & { setupToken: SetupToken },
  { token, ...user }: NewUser & { token: string },
  client: Client,
): Promise<SignIn> => {
  await assertNotSetUp(deps);
  await deps.setupToken.assert(token);
  return deps.auth.startSession(await makeFirstUser(deps, user, client), client);
};

export const assertNotSetUp = async (deps: Pick<Deps, "db">): Promise<void> => {
  if (!(await needsSetUp(deps))) throw new AppError("not_found", "This server is already set up.");
};

type Registering = Pick<World, "config">;

/** A visitor makes an account, where that is open, and is signed in. */
export const register = async (deps: Deps & Registering, user: NewUser, client: Client): Promise<SignIn> => {
  assertOpen(deps);
  assertNewUser(user);
  await deps.auth.registers(client);
  return deps.auth.startSession(await makeUser(deps, user, client), client);
};

export const isOpen = ({ config }: Registering): boolean => config.registration === "open";

export const assertOpen = (deps: Registering): void => {
  if (isOpen(deps)) return;
  throw new AppError("forbidden", "Registration is closed on this server.", { rule: "registration_closed" });
};

/** Acting as somebody else ends with acting as them; otherwise what was presented is good no longer. */
export const signOut = async (deps: Pick<World, "db" | "clock"> & { auth: Auth }, caller: Caller): Promise<void> => {
  if (caller.impersonatedBy) await stopImpersonation(deps, caller);
  else await deps.auth.endSession(caller);
};
