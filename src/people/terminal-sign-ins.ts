import { hashOfToken } from "../auth/api-tokens.ts";
import type { Client } from "../auth/auth.ts";
import { assertStillIn, factorOf, type Caller } from "../auth/caller.ts";
import { hashOfCode, newCode } from "../auth/factors/recovery-codes.ts";
import { MINUTE } from "../domain/clock.ts";
import { AppError } from "../domain/errors.ts";
import type { User } from "../domain/user.ts";
import * as storage from "../storage/terminal-sign-ins.ts";
import * as users from "../storage/users.ts";
import type { World } from "../world.ts";
import { createTerminalsToken, type TokenOrder } from "./tokens.ts";

type Deps = Pick<World, "db" | "clock" | "random">;

const LIFETIME = 5 * MINUTE;

/** The order of a terminal, as its address brings it: the hash of what only this terminal knows, and what it wants. */
export interface TerminalOrder extends Pick<TokenOrder, "name"> {
  terminal: string;
  scope: "read" | "write";
}

/** Somebody signed in lets a terminal in: gives the code to type there, good once and for minutes. */
export const allowTerminal = async (
  { db, clock, random }: Deps,
  caller: Caller,
  { terminal, name, scope }: TerminalOrder,
): Promise<string> => {
  const now = clock();
  const code = newCode(random);
  const factorAt = factorOf(caller, now);
  const row = { userId: caller.user.id, terminal, name, scope, factorAt };
  await db.write(function* () {
    yield* assertStillIn(caller);
    yield* storage.add(hashOfCode(code), row, now + LIFETIME, now);
  });
  return code;
};

/** The terminal that was let in gets its API token. Whoever else read the code has nothing of it. */
export const signInTerminal = async (
  deps: Deps,
  { code, verifier }: { code: string; verifier: string },
  client: Client,
): Promise<{ id: number; token: string; user: User }> => {
  const now = deps.clock();
  const found = await deps.db.write(function* () {
    const order = yield* storage.take(hashOfCode(code), hashOfToken(verifier), now);
    return order && { order, known: yield* users.known(order.userId) };
  });
  if (!found) throw new AppError("unauthenticated", "The code is wrong, too old, or for another terminal.");
  const { id, token } = await createTerminalsToken(deps, found.known, found.order, client);
  return { id, token, user: found.known.user };
};
