import type { Client } from "../auth/auth.ts";
import type { Caller } from "../auth/caller.ts";
import { createChallenge, openTotp, sealTotp, take } from "../auth/factors/factors.ts";
import {
  readChallenge,
  createOptions,
  makeWork,
  findRelyingParty,
  sealKey,
  type MakeOptions,
  type PasskeyAnswer,
} from "../auth/factors/passkeys.ts";
import { hashOfCode, createRecoveryCodes } from "../auth/factors/recovery-codes.ts";
import { createTotpSecret, findStep, buildTotpUri } from "../auth/factors/totp.ts";
import type { RequestOrigin } from "../domain/people/account-event.ts";
import type { Actor } from "../domain/people/actor.ts";
import { AppError, invalidField } from "../kernel/errors.ts";
import type { Factors, KnownPasskey } from "../domain/people/factor.ts";
import type { User } from "../domain/people/user.ts";
import * as accountEvents from "../storage/people/account-events.ts";
import * as storage from "../storage/people/factors.ts";
import * as passkeys from "../storage/people/passkeys.ts";
import * as recoveryCodes from "../storage/people/recovery-codes.ts";
import * as sessions from "../storage/people/sessions.ts";
import * as totpSecrets from "../storage/people/totp-secrets.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { World } from "../world.ts";
import { audited, type Deps as Audited } from "./audited.ts";
import { findUser, type UserKey } from "./roles.ts";

type Deps = Pick<World, "db" | "clock" | "random" | "vault" | "config">;

/** Who sets up a factor: a user in a session, or the operator in a shell, without one. */
export type Holder = Pick<Caller, "user" | "sessionId">;

const MAX_NAME_LENGTH = 100;
const MAX_PASSKEYS = 20;

/** The second factors of a user. */
export const getFactors = async ({ db, config }: Deps, user: User): Promise<Factors> => {
  const { app, own, left } = await db.read(function* () {
    const app = yield* totpSecrets.find(user.id);
    return { app, own: yield* passkeys.listOf(user.id), left: yield* recoveryCodes.countUnused(user.id) };
  });
  return {
    app: app?.sealed ? { createdAt: app.createdAt, lastUsedAt: app.lastUsedAt } : null,
    passkeys: own.map(toKnownPasskey),
    recoveryCodes: left,
    isRequired: user.isAdmin && config.adminFactor === "required",
  };
};

const toKnownPasskey = ({ id, name, createdAt, lastUsedAt }: passkeys.Passkey): KnownPasskey => ({
  id,
  name,
  createdAt,
  lastUsedAt,
});

/** The key for an authenticator app, as a QR code or text. */
export interface AppKey {
  key: string;
  address: string;
}

/** Starts setting up an authenticator app. An existing app stays valid until the new one is confirmed. */
export const beginApp = async ({ db, clock, random, vault, config }: Deps, user: User): Promise<AppKey> => {
  const key = createTotpSecret(random);
  const now = clock();
  const sealed = sealTotp(vault, user.id, key);
  await db.write(() => totpSecrets.begin(user.id, sealed, now));
  return { key, address: buildTotpUri(key, user.username, placeIn(config)) };
};

const placeIn = ({ baseUrl, host }: World["config"]): string => (baseUrl === null ? host : new URL(baseUrl).host);

/** The app that is being set up; null if there is none. */
export const findPendingApp = async ({ db, vault, config }: Deps, user: User): Promise<AppKey | null> => {
  const kept = await db.read(() => totpSecrets.find(user.id));
  if (!kept?.pending) return null;
  const key = openTotp(vault, user.id, kept.pending);
  return { key, address: buildTotpUri(key, user.username, placeIn(config)) };
};

/** Confirms the app with its first code. Returns recovery codes if the user had none left. */
export const confirmApp = (deps: Deps, holder: Holder, code: string, whence: RequestOrigin = {}): Promise<string[]> => {
  const finish = finishing(deps, code, whence);
  return deps.db.write(() => finish(holder));
};

/** Confirms an app from the shell, for a user who is present. */
export const confirmAppOf = (deps: Deps, actor: Actor, key: UserKey, code: string): Promise<string[]> => {
  const finish = finishing(deps, code, { by: actor.name });
  return audited(deps, actor, {
    action: "add_factor",
    target: () => findUser(key),
    perform: (user) => finish({ user, sessionId: null }),
    details: () => ({}),
  });
};

const finishing = ({ clock, random, vault }: Deps, code: string, whence: RequestOrigin) => {
  const now = clock();
  const codes = createRecoveryCodes(random);
  return function* ({ user, sessionId }: Holder): Unit<string[]> {
    const kept = yield* totpSecrets.find(user.id);
    if (!kept?.pending) {
      throw new AppError("conflict", "You have not started to set up an authenticator app. Start again.", {
        rule: "not_begun",
      });
    }
    const step = findStep(openTotp(vault, user.id, kept.pending), code, now);
    if (step === null) throw invalidField("code", "This code is wrong. Enter the one that the app shows now.");
    yield* totpSecrets.confirm(user.id, step, now);
    return yield* added(user.id, sessionId, { codes, now, whence: { ...whence, details: { factor: "code" } } });
  };
};

interface Added {
  codes: readonly string[];
  now: number;
  whence: RequestOrigin;
}

/** After a new factor was added: confirms the session and creates recovery codes if there are none left. */
function* added(userId: number, sessionId: string | null, { codes, now, whence }: Added): Unit<string[]> {
  if (sessionId !== null) yield* sessions.confirmByFactor(sessionId, now);
  yield* accountEvents.record(userId, now, "factor_added", whence);
  if ((yield* recoveryCodes.countUnused(userId)) > 0) return [];
  yield* recoveryCodes.replace(userId, codes.map(hashOfCode));
  return [...codes];
}

export const removeApp = ({ db, clock }: Deps, user: User, client: Client): Promise<void> => {
  const now = clock();
  return db.write(function* () {
    if (!(yield* totpSecrets.remove(user.id)))
      throw new AppError("not_found", "You have not set up an authenticator app.");
    yield* accountEvents.record(user.id, now, "factor_removed", { ...client, details: { factor: "code" } });
    yield* storage.settle(user.id);
  });
};

/** Creates new recovery codes, which are only returned here. The old ones stop working. */
export const makeRecoveryCodes = ({ db, clock, random }: Deps, user: User, client: Client): Promise<string[]> => {
  const now = clock();
  const codes = createRecoveryCodes(random);
  return db.write(function* () {
    if (!(yield* storage.isThere(user.id))) throw noFactor(user);
    yield* recoveryCodes.replace(user.id, codes.map(hashOfCode));
    yield* accountEvents.record(user.id, now, "recovery_codes_made", client);
    return codes;
  });
};

/** Whether a browser can use passkeys at the address that it used. */
export const takesPasskeys = ({ config }: Deps, client: Client): boolean => findRelyingParty(config, client) !== null;

/** The options for creating a passkey in the browser. */
export const beginPasskey = async (deps: Deps, { user, sessionId }: Holder, client: Client): Promise<MakeOptions> => {
  const place = findRelyingParty(deps.config, client);
  if (place === null) {
    throw new AppError("conflict", "Passkeys only work over https with a host name, or at http://localhost.", {
      rule: "no_passkeys_here",
    });
  }
  const own = await deps.db.read(() => passkeys.listOf(user.id));
  if (own.length >= MAX_PASSKEYS)
    throw invalidField("name", `You already have ${MAX_PASSKEYS} passkeys. Remove one first.`);
  const { challenge } = await createChallenge(deps, { user, purpose: "enrol", sessionId });
  return createOptions(deps.vault, place, user, own, challenge);
};

interface NewPasskey {
  name: string;
  passkey: PasskeyAnswer;
}

/** Stores a new passkey. Returns recovery codes if the user had none left. */
export const addPasskey = async (
  deps: Deps,
  { user, sessionId }: Holder,
  { name: given, passkey: answer }: NewPasskey,
  client: Client,
): Promise<{ passkey: KnownPasskey; recoveryCodes: string[] }> => {
  const { db, clock, vault } = deps;
  const name = given.trim();
  if (name === "" || name.length > MAX_NAME_LENGTH)
    throw invalidField("name", `The name must have 1 to ${MAX_NAME_LENGTH} characters.`);
  const [challenge, place] = [readChallenge(answer), findRelyingParty(deps.config, client)];
  if (challenge === null || place === null) throw notAccepted();
  const made = await db.inWorker(makeWork, { answer, challenge, place }, { userId: null });
  if (made === null) throw notAccepted();
  const { id: credentialId, key, transports, counter } = made;
  const sealed = sealKey(vault, { userId: user.id, credentialId }, key);
  const codes = createRecoveryCodes(deps.random);
  const now = clock();
  return db.write(function* () {
    yield* take({ user, purpose: "enrol", sessionId }, challenge, now);
    const row = yield* passkeys.add({ userId: user.id, credentialId, sealed, transports, counter, name }, now);
    if (!row) throw new AppError("conflict", "This passkey is already registered.", { rule: "passkey_known" });
    const whence = { ...client, details: { factor: "passkey", name } };
    return { passkey: toKnownPasskey(row), recoveryCodes: yield* added(user.id, sessionId, { codes, now, whence }) };
  });
};

export const removePasskey = ({ db, clock }: Deps, user: User, id: number, client: Client): Promise<void> => {
  const now = clock();
  return db.write(function* () {
    const name = yield* passkeys.remove(user.id, id);
    if (name === null) throw new AppError("not_found", "There is no such passkey.");
    yield* accountEvents.record(user.id, now, "factor_removed", { ...client, details: { factor: "passkey", name } });
    yield* storage.settle(user.id);
  });
};

/** Removes every factor of a user who has lost them. The password and the sessions stay. */
export const resetFactors = (deps: Audited, actor: Actor, key: UserKey): Promise<User> => {
  const now = deps.clock();
  return audited(deps, actor, {
    action: "reset_factor",
    target: () => findUser(key),
    *perform(user) {
      if (user.id === actor.id) {
        throw new AppError("conflict", "Remove your own second factor in Settings.", { rule: "own_factor" });
      }
      if (!(yield* storage.removeAll(user.id))) throw noFactor(user);
      yield* accountEvents.record(user.id, now, "factor_reset", { by: actor.name });
      return user;
    },
  });
};

const noFactor = ({ username }: User): AppError =>
  new AppError("conflict", `${username} has no second factor.`, { rule: "no_factor" });

const notAccepted = (): AppError => invalidField("passkey", "The passkey was not accepted. Try again.");
