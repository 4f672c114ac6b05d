import { API_TOKEN, hashOfToken, newFeedKey, type KeyForm } from "../auth/api-tokens.ts";
import type { Whence } from "../domain/account-event.ts";
import { AppError } from "../domain/errors.ts";
import * as accountEvents from "../storage/account-events.ts";
import * as storage from "../storage/api-tokens.ts";
import * as users from "../storage/users.ts";
import type { Unit } from "../storage/unit.ts";
import type { World } from "../world.ts";

export { type ApiToken, TOKEN_SCOPES, type TokenScope } from "../storage/api-tokens.ts";
export { KEY_FORMS, type KeyForm } from "../auth/api-tokens.ts";

const TOKEN_BYTES = 32;
const LONGEST_NAME = 100;

export interface TokenOrder {
  name: string;
  scope: storage.TokenScope;
  expiresAt?: number | null;
  /** Of the key of a program. */
  form?: KeyForm;
}

export const listTokens = async (
  { db }: Pick<World, "db">,
  userId: number,
): Promise<{ tokens: storage.ApiToken[] }> => ({ tokens: await db.read(() => storage.listOf(userId)) });

/** The same for a user who must be there. */
export const tokensOf = ({ db }: Pick<World, "db">, userId: number): Promise<{ tokens: storage.ApiToken[] }> =>
  db.read(function* () {
    yield* users.get(userId);
    return { tokens: yield* storage.listOf(userId) };
  });

/** Makes a token; its text is given this once and never again. */
export const createToken = async (
  { db, clock, random }: Pick<World, "db" | "clock" | "random">,
  userId: number,
  { name: given, scope, expiresAt = null, form = "v1" }: TokenOrder,
  whence: Whence = {},
): Promise<storage.ApiToken & { token: string }> => {
  const now = clock();
  const name = given.trim();
  if (name === "" || name.length > LONGEST_NAME)
    throw invalid("name", `A token's name has 1 to ${LONGEST_NAME} characters.`);
  if (expiresAt !== null && expiresAt <= now) throw invalid("expiresAt", "A token cannot expire in the past.");
  const isKey = scope === "feed" || scope === "lookup";
  const token = isKey ? newFeedKey(form, random) : API_TOKEN + Buffer.from(random(TOKEN_BYTES)).toString("base64url");
  const tokenHash = hashOfToken(token);
  const kept = await db.write(function* () {
    const added = yield* storage.add({ userId, name, scope, tokenHash, expiresAt }, now);
    yield* accountEvents.record(userId, now, "token_made", { ...whence, details: { name, scope } });
    return added;
  });
  return { ...kept, token };
};

const invalid = (path: string, message: string): AppError =>
  new AppError("invalid", message, { fields: [{ path, message }] });

export const revokeToken = (
  { db, clock }: Pick<World, "db" | "clock">,
  userId: number,
  id: number,
  whence: Whence = {},
) => db.write(() => revoke(userId, id, clock(), whence));

/** Makes a token useless, and tells its owner. */
export function* revoke(userId: number, id: number, now: number, whence: Whence): Unit<void> {
  const token = yield* storage.find(userId, id);
  if (!token) throw new AppError("not_found", "There is no such token.");
  yield* storage.remove(userId, id);
  yield* accountEvents.record(userId, now, "token_revoked", { ...whence, details: { name: token.name } });
}
