import { MINUTE } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { FactorName } from "../../domain/people/factor.ts";
import type { User } from "../../domain/people/user.ts";
import * as oneTimeCodes from "../../storage/people/one-time-codes.ts";
import * as factors from "../../storage/people/factors.ts";
import * as passkeys from "../../storage/people/passkeys.ts";
import * as recoveryCodes from "../../storage/people/recovery-codes.ts";
import * as totpSecrets from "../../storage/people/totp-secrets.ts";
import type { Unit } from "../../storage/engine/unit.ts";
import * as users from "../../storage/people/users.ts";
import type { World } from "../../world.ts";
import { hashOfToken } from "../api-tokens.ts";
import {
  assertUse,
  readChallenge,
  findRelyingParty,
  useOptions,
  type PasskeyAnswer,
  type UseOptions,
} from "./passkeys.ts";
import { hashOfCode, isRecoveryCode } from "./recovery-codes.ts";
import { findStep } from "./totp.ts";

export type Deps = Pick<World, "db" | "clock" | "random" | "vault" | "config">;

const LIFETIME = 5 * MINUTE;
const TOKEN_BYTES = 32;

/** The Host header; passkeys belong to a host name. */
interface RequestHost {
  host?: string | null | undefined;
}

/** The request for a second factor after a correct password. */
export interface FactorQuestion {
  /** Identifies the pending sign-in. It works once and expires in minutes. */
  challenge: string;
  expiresAt: number;
  /** The factors that the user can give. */
  factors: FactorName[];
  /** Options for `navigator.credentials.get`; null if no passkey can be used. */
  passkey: UseOptions | null;
}

/** A six-digit code, a recovery code, or the answer of a passkey. */
export type Proof = { code: string } | { passkey: PasskeyAnswer };

/** Who must give the factor, and what for. */
export interface FactorRequest {
  user: User;
  purpose: oneTimeCodes.FactorPurpose;
  sessionId: string | null;
  /** The challenge to answer; null if a code is enough. */
  challenge: string | null;
}

/** Creates a challenge that this user can answer once in this session. */
export const createChallenge = async (
  { db, clock, random }: Deps,
  { user, purpose, sessionId }: Omit<FactorRequest, "challenge">,
  allow: () => Unit<void> = function* () {},
): Promise<{ challenge: string; expiresAt: number }> => {
  const now = clock();
  const challenge = Buffer.from(random(TOKEN_BYTES)).toString("base64url");
  const expiresAt = now + LIFETIME;
  const row = { hash: hashOfToken(challenge), userId: user.id, purpose, data: { sessionId }, expiresAt };
  await db.write(function* () {
    yield* allow();
    yield* oneTimeCodes.add(row, now);
  });
  return { challenge, expiresAt };
};

/** Asks for the second factor. Returns null for users without one. */
export const askAtSignIn = async (
  deps: Deps,
  known: users.Known,
  client: RequestHost,
): Promise<FactorQuestion | null> => {
  const { user } = known;
  if (!(await deps.db.read(() => factors.isThere(user.id)))) return null;
  const waiting = { user, purpose: "sign_in" as const, sessionId: null };
  const asked = await createChallenge(deps, waiting, () => users.assertStillKnown(known));
  return buildQuestion(deps, user.id, asked, client);
};

/** The pending sign-in with this challenge and what it asks for; null if there is none. */
export const findPendingSignIn = async (
  deps: Deps,
  challenge: string,
  client: RequestHost,
): Promise<{ known: users.Known; question: FactorQuestion } | null> => {
  const waiting = await deps.db.read(function* () {
    const found = yield* oneTimeCodes.find(hashOfToken(challenge), "sign_in", deps.clock());
    return found && { known: yield* users.getKnown(found.userId), expiresAt: found.expiresAt };
  });
  if (!waiting) return null;
  const { known, expiresAt } = waiting;
  return { known, question: await buildQuestion(deps, known.user.id, { challenge, expiresAt }, client) };
};

/** Passkey options to confirm a session; null if the user has no passkey for this host. */
export const askForPasskey = async (
  deps: Deps,
  { user, sessionId }: Pick<FactorRequest, "user" | "sessionId">,
  client: RequestHost,
): Promise<UseOptions | null> => {
  const [place, own] = [findRelyingParty(deps.config, client), await deps.db.read(() => passkeys.listOf(user.id))];
  if (place === null || own.length === 0) return null;
  const { challenge } = await createChallenge(deps, { user, purpose: "confirm", sessionId });
  return useOptions(place, own, challenge);
};

const buildQuestion = async (
  { db, config }: Deps,
  userId: number,
  { challenge, expiresAt }: { challenge: string; expiresAt: number },
  client: RequestHost,
): Promise<FactorQuestion> => {
  const { app, left, own } = await db.read(function* () {
    const app = yield* totpSecrets.find(userId);
    return { app, left: yield* recoveryCodes.countUnused(userId), own: yield* passkeys.listOf(userId) };
  });
  const place = findRelyingParty(config, client);
  const passkey = place && own.length > 0 ? useOptions(place, own, challenge) : null;
  const known: [FactorName, boolean][] = [
    ["code", app?.sealed != null],
    ["passkey", own.length > 0],
    ["recovery", left > 0],
  ];
  return { challenge, expiresAt, factors: known.flatMap(([name, has]) => (has ? [name] : [])), passkey };
};

/** Returns the verified factor, or null if the proof is invalid. */
export const verifyFactor = (
  deps: Deps,
  asked: FactorRequest,
  proof: Proof,
  client: RequestHost,
): Promise<FactorName | null> =>
  "code" in proof ? verifyCode(deps, asked, proof.code) : verifyPasskey(deps, asked, proof.passkey, client);

const verifyCode = ({ db, clock, vault }: Deps, asked: FactorRequest, code: string): Promise<FactorName | null> => {
  const now = clock();
  const { user, challenge } = asked;
  return db.write(function* () {
    const name = isRecoveryCode(code)
      ? (yield* recoveryCodes.use(user.id, hashOfCode(code), now)) && "recovery"
      : (yield* acceptCode(vault, user.id, code, now)) && "code";
    if (!name) return null;
    if (challenge !== null) yield* take(asked, challenge, now);
    return name;
  });
};

function* acceptCode(vault: World["vault"], userId: number, code: string, now: number): Unit<boolean> {
  const kept = yield* totpSecrets.find(userId);
  if (kept === null || kept.sealed === null) return false;
  const step = findStep(openTotp(vault, userId, kept.sealed), code, now);
  return step !== null && (yield* totpSecrets.accept(userId, step, now));
}

const verifyPasskey = async (
  deps: Deps,
  asked: FactorRequest,
  answer: PasskeyAnswer,
  client: RequestHost,
): Promise<FactorName | null> => {
  const { db, clock, config } = deps;
  const [challenge, place, { id }] = [readChallenge(answer), findRelyingParty(config, client), answer];
  if (challenge === null || place === null || typeof id !== "string") return null;
  if (asked.challenge !== null && challenge !== asked.challenge) return null;
  const passkey = await db.read(() => passkeys.find(asked.user.id, id));
  const counter = passkey && (await assertUse(deps, { answer, challenge, place }, passkey));
  if (passkey === null || counter === null) return null;
  const now = clock();
  return db.write(function* () {
    yield* take(asked, challenge, now);
    return (yield* passkeys.use(passkey, counter, now)) ? "passkey" : null;
  });
};

/** A second or late answer is ignored: the challenge is gone. */
export function* take(
  { user, purpose, sessionId }: Omit<FactorRequest, "challenge">,
  text: string,
  now: number,
): Unit<void> {
  const kept = yield* oneTimeCodes.find<Pick<FactorRequest, "sessionId">>(hashOfToken(text), purpose, now);
  const isTheirs = kept?.userId === user.id && kept.data.sessionId === sessionId;
  if (!isTheirs || !(yield* oneTimeCodes.use(kept))) throw challengeEnded();
}

export const challengeEnded = (): AppError =>
  new AppError("unauthenticated", "This request has expired or was already used. Start again.", {
    rule: "challenge_ended",
  });

const totpBinding = (userId: number) => ({ userId, source: "totp", account: "main" });

export const sealTotp = (vault: World["vault"], userId: number, secret: string): Uint8Array =>
  vault.seal(secret, totpBinding(userId));

export const openTotp = (vault: World["vault"], userId: number, sealed: Uint8Array): string =>
  vault.open(sealed, totpBinding(userId));
