import type { Client } from "../auth/auth.ts";
import { assertStillIn, getFactorAt, type Caller } from "../auth/caller.ts";
import { API_TOKEN, hashOfToken, createFeedKey, type KeyForm } from "../auth/api-tokens.ts";
import type { RequestOrigin } from "../domain/people/account-event.ts";
import { AppError, invalidField } from "../kernel/errors.ts";
import * as accountEvents from "../storage/people/account-events.ts";
import * as storage from "../storage/people/api-tokens.ts";
import * as users from "../storage/people/users.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { World } from "../world.ts";

export { type ApiToken, TOKEN_SCOPES, type TokenScope } from "../storage/people/api-tokens.ts";
export { KEY_FORMS, type KeyForm } from "../auth/api-tokens.ts";

const TOKEN_BYTES = 32;
const MAX_NAME_LENGTH = 100;
/** Pages cannot show later dates. */
const YEAR_10000 = Date.UTC(10_000, 0);

export interface TokenOrder {
  name: string;
  scope: storage.TokenScope;
  expiresAt?: number | null;
  /** Set for the key of a program. */
  form?: KeyForm;
}

/** The tokens of a user. Throws if the user does not exist. */
export const listTokens = ({ db }: Pick<World, "db">, userId: number): Promise<{ tokens: storage.ApiToken[] }> =>
  db.read(function* () {
    yield* users.get(userId);
    return { tokens: yield* storage.listOf(userId) };
  });

type Deps = Pick<World, "db" | "clock" | "random">;

type NewToken = storage.ApiToken & { token: string };

/** Creates a token for the signed-in user. Its text is only returned here. */
export const createOwnToken = (deps: Deps, caller: Caller, order: TokenOrder, client: Client): Promise<NewToken> => {
  const factorAt = getFactorAt(caller, deps.clock());
  return make(deps, { userId: caller.user.id, factorAt, allow: () => assertStillIn(caller) }, order, client);
};

/** Creates the token that a signed-in user has allowed a terminal to have. */
export const createTerminalsToken = (
  deps: Deps,
  { user, passwordHash }: users.Known,
  order: TokenOrder & { factorAt: number | null },
  client: Client,
): Promise<NewToken> => {
  const allow = () => users.assertStillKnown({ user, passwordHash });
  return make(deps, { userId: user.id, factorAt: order.factorAt, allow }, order, client);
};

/** Creates a token for any user, for the operator. No second factor is needed. */
export const createToken = (
  deps: Deps,
  userId: number,
  order: TokenOrder,
  whence: RequestOrigin = {},
): Promise<NewToken> => make(deps, { userId, factorAt: deps.clock(), allow: function* () {} }, order, whence);

interface Owner {
  userId: number;
  factorAt: number | null;
  /** Checked in the same transaction. */
  allow: () => Unit<void>;
}

const make = async (
  { db, clock, random }: Deps,
  { userId, factorAt, allow }: Owner,
  { name: given, scope, expiresAt = null, form = "v1" }: TokenOrder,
  whence: RequestOrigin,
): Promise<NewToken> => {
  const now = clock();
  const name = given.trim();
  if (name === "" || name.length > MAX_NAME_LENGTH)
    throw invalidField("name", `The name must have 1 to ${MAX_NAME_LENGTH} characters.`);
  if (expiresAt !== null && expiresAt <= now) throw invalidField("expiresAt", "The token must expire in the future.");
  if (expiresAt !== null && expiresAt >= YEAR_10000)
    throw invalidField("expiresAt", "The token must expire before the year 10000.");
  const isKey = scope === "feed" || scope === "lookup";
  const token = isKey
    ? createFeedKey(form, random)
    : API_TOKEN + Buffer.from(random(TOKEN_BYTES)).toString("base64url");
  const tokenHash = hashOfToken(token);
  const kept = await db.write(function* () {
    yield* allow();
    const added = yield* storage.add({ userId, name, scope, tokenHash, expiresAt, factorAt }, now);
    yield* accountEvents.record(userId, now, "token_made", { ...whence, details: { name, scope } });
    return added;
  });
  return { ...kept, token };
};

export const revokeToken = (
  { db, clock }: Pick<World, "db" | "clock">,
  userId: number,
  id: number,
  whence: RequestOrigin = {},
) => db.write(() => revoke(userId, id, clock(), whence));

/** Revokes a token and records an event for its owner. */
export function* revoke(userId: number, id: number, now: number, whence: RequestOrigin): Unit<void> {
  const token = yield* storage.find(userId, id);
  if (!token) throw new AppError("not_found", "There is no such token.");
  yield* storage.remove(userId, id);
  yield* accountEvents.record(userId, now, "token_revoked", { ...whence, details: { name: token.name } });
}
