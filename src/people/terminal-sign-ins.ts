import { hashOfToken } from "../auth/api-tokens.ts";
import type { Client } from "../auth/auth.ts";
import { assertStillIn, getFactorAt, type Caller } from "../auth/caller.ts";
import { hashOfCode, createCode } from "../auth/factors/recovery-codes.ts";
import { MINUTE } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { User } from "../domain/people/user.ts";
import * as oneTimeCodes from "../storage/people/one-time-codes.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import { createTerminalsToken, type TokenOrder } from "./tokens.ts";

type Deps = Pick<World, "db" | "clock" | "random">;

const LIFETIME = 5 * MINUTE;

/**
 * A terminal's request, taken from the URL: the hash of a secret that only the terminal knows, and the token it wants.
 */
export interface TerminalOrder extends Pick<TokenOrder, "name"> {
  terminal: string;
  scope: "read" | "write";
}

/** The request, with the time of the last second factor of the user who allowed it. */
type AllowedTerminal = TerminalOrder & { factorAt: number | null };

/** Lets the signed-in user allow a terminal. Returns a code to type there, which works once and expires in minutes. */
export const allowTerminal = async (
  { db, clock, random }: Deps,
  caller: Caller,
  { terminal, name, scope }: TerminalOrder,
): Promise<string> => {
  const now = clock();
  const code = createCode(random);
  const factorAt = getFactorAt(caller, now);
  const data: AllowedTerminal = { terminal, name, scope, factorAt };
  const hash = hashOfCode(code);
  await db.write(function* () {
    yield* assertStillIn(caller);
    const userId = caller.user.id;
    yield* oneTimeCodes.add({ hash, userId, purpose: "terminal", data, expiresAt: now + LIFETIME }, now);
  });
  return code;
};

/** Exchanges the code for an API token. The code is useless without the terminal's secret. */
export const signInTerminal = async (
  deps: Deps,
  { code, verifier }: { code: string; verifier: string },
  client: Client,
): Promise<{ id: number; token: string; user: User }> => {
  const now = deps.clock();
  const found = await deps.db.write(function* () {
    const kept = yield* oneTimeCodes.find<AllowedTerminal>(hashOfCode(code), "terminal", now);
    if (kept?.data.terminal !== hashOfToken(verifier) || !(yield* oneTimeCodes.use(kept))) return null;
    return { order: kept.data, known: yield* users.getKnown(kept.userId) };
  });
  if (!found) throw new AppError("unauthenticated", "This code is wrong, expired, or for another terminal.");
  const { id, token } = await createTerminalsToken(deps, found.known, found.order, client);
  return { id, token, user: found.known.user };
};
