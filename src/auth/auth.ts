import { getNetworkOf, listNetworksOf } from "../kernel/addresses.ts";
import { DAY, HOUR } from "../kernel/clock.ts";
import { AppError, invalidField } from "../kernel/errors.ts";
import type { FactorName } from "../domain/people/factor.ts";
import { normaliseUsername, type User } from "../domain/people/user.ts";
import * as accountEvents from "../storage/people/account-events.ts";
import * as apiTokens from "../storage/people/api-tokens.ts";
import type { Voucher } from "../storage/people/sessions.ts";
import * as sessions from "../storage/people/sessions.ts";
import type { Unit } from "../storage/engine/unit.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import { API_TOKEN, hashOfToken, isFeedKey } from "./api-tokens.ts";
import { sessionEnded, type Caller } from "./caller.ts";
import {
  askAtSignIn,
  challengeEnded,
  verifyFactor,
  findPendingSignIn,
  type FactorRequest,
  type FactorQuestion,
  type Proof,
} from "./factors/factors.ts";
import { createSessionTokens, type Claims, type SessionTokens } from "./jwt.ts";
import { findDevice } from "./known-devices.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";
import { Throttle, type KeyKind, type SignInAttempt } from "./throttle.ts";

type Deps = Pick<World, "db" | "clock" | "random" | "vault" | "hashing" | "passwordCost" | "log" | "config">;

export const SESSION_LIFETIME = 30 * DAY;
const IMPERSONATION_LIFETIME = 1 * HOUR;
/**
 * Users who sign in through a provider or proxy must return there every day, so that those who were removed there lose
 * access.
 */
const VOUCHED_LIFETIME = 1 * DAY;
const RENEWED_AFTER = 1 * DAY;
/** The maximum age of a session, even if it is used. */
const MAX_SESSION_AGE = 90 * DAY;
const COOKIES_TRIED = 5;
/** An address from which the user signed in within this time is not a stranger's. */
const ADDRESS_KNOWN_FOR = 30 * DAY;

export interface SignIn {
  token: string;
  expiresAt: number;
  user: User;
}

/** The result of a correct password: a session, or a request for the second factor. */
export type Entry = SignIn | FactorQuestion;

/** Where a request came from, for the list of sessions and for rate limits. */
export interface Client {
  address: string;
  userAgent: string | null;
  /** The Host header. */
  host?: string | null;
  /** The cookies of a browser that signed in before. */
  deviceCookies?: readonly string[];
}

/** The queue in which this address waits for password hashing. */
export const getLane = ({ address }: Pick<Client, "address">): string => listNetworksOf(address).at(-1)!;

interface Presented {
  bearer: string | null;
  /** Wrong bearer tokens are limited by address. */
  address: string;
  /** All cookies with this name, in the order of the header. */
  sessionCookies: readonly string[];
  impersonationCookies: readonly string[];
  /** The user that a trusted proxy names. */
  namedByProxy: string | null;
}

/** A provider or proxy that identified the user instead of a password. */
interface Vouching {
  voucher: Voucher;
  /** Its display name. */
  name: string;
  /** When the user signed in there; 0 if unknown. */
  provedAt: number;
}

/** How a session starts. */
interface Beginning {
  /** The administrator who impersonates the user. */
  by?: { id: number; name: string; sessionId: string } | null;
  /** The user at the time of the proof; null for an impersonation. */
  known?: users.Known | null;
  factor?: FactorName | null;
  vouching?: Vouching | null;
}

/** Signs users in and identifies callers. */
export class Auth {
  readonly #deps: Deps;
  readonly throttle: Throttle;
  #tokens: SessionTokens | null = null;
  #nobody: Promise<string> | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.throttle = new Throttle(deps);
  }

  /** An unknown user and a wrong password give the same answer after the same time. */
  async signIn(username: string, password: string, client: Client): Promise<Entry> {
    const known = await this.#findByPassword(normaliseUsername(username), password, client);
    if (!known) throw new AppError("unauthenticated", "Wrong username or password.");
    return this.enter(known, client);
  }

  /** After a correct password: starts a session, or asks for the second factor. */
  async enter(known: users.Known, client: Client): Promise<Entry> {
    return (await askAtSignIn(this.#deps, known, client)) ?? this.startSession(known, client);
  }

  /** Completes a sign-in with the second factor. */
  async answer(challenge: string, proof: Proof, client: Client): Promise<SignIn> {
    const waiting = await findPendingSignIn(this.#deps, challenge, client);
    if (!waiting) throw challengeEnded();
    const asked = { user: waiting.known.user, purpose: "sign_in" as const, sessionId: null, challenge };
    const by = await this.#findByFactor(asked, proof, client);
    if (by === null) throw new AppError("unauthenticated", wrongProof(proof));
    return this.startSession(waiting.known, client, by);
  }

  /** Returns the verified factor. Wrong answers count like wrong passwords, and codes have a limit of their own. */
  async #findByFactor(asked: FactorRequest, proof: Proof, client: Client): Promise<FactorName | null> {
    const { username: name, id } = asked.user;
    const { address } = client;
    const guess = { username: name, address, isCode: "code" in proof };
    const by = await this.#counted(guess, () => verifyFactor(this.#deps, asked, proof, client));
    if (by !== null) {
      await this.throttle.forget(guess);
      return by;
    }
    this.#deps.log.warn("sign_in.failed", { address, name });
    const now = this.#deps.clock();
    await this.#deps.db.write(() => accountEvents.record(id, now, "factor_refused", client));
    return null;
  }

  /** Checks the password of a signed-in user. Failures count together with those at sign-in. */
  async assertPassword({ username }: User, password: string, client: Client, path: string): Promise<void> {
    const { address } = client;
    if (await this.#findByPassword(username, password, client, "session"))
      return this.throttle.forget({ username, address });
    throw invalidField(path, "Wrong password.");
  }

  async #findByPassword(
    name: string,
    password: string,
    client: Client,
    trustedAs?: "session",
  ): Promise<users.Known | null> {
    const { address } = client;
    const { found, trust } = await this.#deps.db.read(() => this.#findWithTrust(name, client));
    const guess = { username: name, address, trust: trustedAs ?? trust };
    await this.#held(guess, () => this.throttle.checkAllowed(guess));
    // A user without a password takes as long as an unknown user.
    const hash = found?.passwordHash || (await this.#hashOfNobody());
    const knows = await verifyPassword(this.#deps, password, hash, getLane({ address }), (verify) =>
      this.#counted(guess, async () => (await verify()) && found !== null),
    );
    if (knows) return found;
    this.#deps.log.warn("sign_in.failed", { address, name: found?.user.username ?? this.#hideName(name) });
    return null;
  }

  /** The user, and what makes the caller no stranger to this account. An unknown user takes as long. */
  *#findWithTrust(name: string, { address, deviceCookies = [] }: Client) {
    const found = yield* users.findForSignIn(name);
    const id = found?.user.id ?? 0;
    const known = yield* accountEvents.listSignInAddresses(id, this.#deps.clock() - ADDRESS_KNOWN_FOR);
    const network = getNetworkOf(address);
    const device = findDevice(this.#deps, id, deviceCookies);
    if (device !== null) return { found, trust: `device\n${device}` };
    return { found, trust: known.some((one) => getNetworkOf(one) === network) ? `address\n${network}` : "" };
  }

  /** Counts an attempt as wrong before it is checked, and refunds it if it was right or could not be checked. */
  async #counted<T>(guess: SignInAttempt, look: () => Promise<T>): Promise<T> {
    const counted = await this.#held(guess, () => this.throttle.count(guess));
    let isWrong = false;
    try {
      const found = await look();
      isWrong = !found;
      return found;
    } finally {
      if (!isWrong) await this.throttle.refund(counted);
    }
  }

  /** Logs each refused attempt, for programs that ban addresses. */
  async #held<T>({ username, address }: SignInAttempt, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      const isHeld = error instanceof AppError && error.code === "rate_limited";
      if (isHeld) this.#deps.log.warn("sign_in.throttled", { address, name: await this.#nameInLog(username) });
      throw error;
    }
  }

  /** Users type passwords and keys into the wrong field, so a name is only logged if a user has it. */
  async #nameInLog(name: string): Promise<string> {
    if (name === ELSEWHERE) return name;
    const found = await this.#deps.db.read(() => users.findForSignIn(name));
    return found?.user.username ?? this.#hideName(name);
  }

  /** A keyed hash: lines about the same name can be found without knowing it. */
  #hideName(name: string): string {
    return `(unknown ${this.#deps.vault.fingerprint("name in log", name).slice(0, 12)})`;
  }

  /** Applies the rate limit to returns from a provider. Failures count together with wrong passwords. */
  async assertMayReturn({ address }: Client): Promise<void> {
    const guess = { username: ELSEWHERE, address };
    await this.#held(guess, () => this.throttle.checkAllowed(guess));
  }

  async returnFailed({ address }: Client): Promise<void> {
    this.#deps.log.warn("sign_in.failed", { address, name: ELSEWHERE });
    const guess = { username: ELSEWHERE, address };
    await this.#held(guess, () => this.throttle.count(guess));
  }

  /** Confirms a session with the password or the second factor, for a limited time. */
  async confirm({ user, sessionId }: Caller, proof: { password: string } | Proof, client: Client): Promise<void> {
    if ("password" in proof) await this.assertPassword(user, proof.password, client, "password");
    else {
      const asked = { user, purpose: "confirm" as const, sessionId, challenge: null };
      if ((await this.#findByFactor(asked, proof, client)) === null)
        throw invalidField("code" in proof ? "code" : "passkey", wrongProof(proof));
    }
    const now = this.#deps.clock();
    const confirm = "password" in proof ? sessions.confirm : sessions.confirmByFactor;
    if (sessionId !== null) await this.#deps.db.write(() => confirm(sessionId, now));
  }

  /** Starts a session and forgets earlier failures: with a second factor only here, not already after the password. */
  async startSession(known: users.Known, client: Client, factor: FactorName | null = null): Promise<SignIn> {
    const { username } = known.user;
    await this.throttle.forget({ username, address: client.address, isCode: factor !== null });
    this.#deps.log.info("sign_in.succeeded", { address: client.address, name: username, factor });
    return this.#begin(known.user, client, SESSION_LIFETIME, { factor, known });
  }

  /**
   * Starts a session for a user identified by a provider or proxy. They decide about further factors, so none is asked
   * for here.
   */
  startVouched(known: users.Known, client: Client, vouching: Vouching): Promise<SignIn> {
    const { address } = client;
    this.#deps.log.info("sign_in.succeeded", { address, name: known.user.username, by: vouching.voucher });
    return this.#begin(known.user, client, VOUCHED_LIFETIME, { vouching, known });
  }

  /** Starts an impersonation. It ends with the administrator's own session. */
  startImpersonation(
    target: User,
    by: { id: number; name: string; sessionId: string },
    client: Client,
  ): Promise<SignIn> {
    return this.#begin(target, client, IMPERSONATION_LIFETIME, { by });
  }

  /** Ends the session, or revokes the API token, that the caller presented. */
  async endSession({ user, sessionId, tokenId }: Caller): Promise<void> {
    if (sessionId !== null) await this.#deps.db.write(() => sessions.end(user.id, sessionId));
    if (tokenId !== null) await this.#deps.db.write(() => apiTokens.remove(user.id, tokenId));
  }

  /** Identifies the caller; null if no credentials are presented. Throws if they are invalid. */
  async findCaller(presented: Presented): Promise<Caller | null> {
    const caller = await this.#callerOf(presented);
    // The user has signed out of the proxy, or signed in there as another user.
    const isNamed = (username: string) => normaliseUsername(presented.namedByProxy ?? "") === username;
    if (caller?.vouched?.by === "proxy" && !isNamed(caller.vouched.username)) throw sessionEnded();
    return caller;
  }

  async #callerOf({ bearer, address, impersonationCookies, sessionCookies }: Presented): Promise<Caller | null> {
    if (bearer !== null) return this.#byBearer(bearer, address);
    const tokens = this.#sessionTokens();
    const read = await Promise.all(impersonationCookies.map((one) => tokens.verify(one)));
    const legible = impersonationCookies.filter((_, at) => read[at] !== null);
    const asOther = await this.#byCookies(legible, true);
    return asOther ?? this.#byCookies(sessionCookies, false);
  }

  /**
   * Cookies with the same name can come from other servers on the same domain, so each one is tried. If two are valid
   * for different users, the browser's user is ambiguous and both are refused.
   */
  async #byCookies(cookies: readonly string[], asOther: boolean): Promise<Caller | null> {
    let refused: unknown = null;
    let found: Caller | null = null;
    for (const cookie of cookies.slice(0, COOKIES_TRIED)) {
      const caller = await this.#bySessionToken(cookie, true, asOther).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== "unauthenticated") throw error;
        refused = error;
        return null;
      });
      if (found && caller && found.user.id !== caller.user.id) throw sessionEnded();
      found ??= caller;
    }
    if (!found && refused) throw refused;
    return found;
  }

  /** Identifies a program by its key. */
  async findCallerOfKey(key: string, address: string): Promise<Caller> {
    if (key === "") throw sessionEnded();
    const caller = await this.#countWrong("key", address, async () => {
      const found = await this.#byApiToken(key, () => this.throttle.assertKeysAllowed(address));
      if (!isFeedKey(key)) throw sessionEnded();
      return found;
    });
    // Programs call often.
    await this.throttle.countKeyUse(String(caller.tokenId));
    return caller;
  }

  /**
   * Tokens are too long to be guessed, so a good one works even after many wrong ones from the same address. Cookies are
   * not counted: every browser sends ended ones.
   */
  #byBearer(bearer: string, address: string): Promise<Caller> {
    if (isFeedKey(bearer)) return this.findCallerOfKey(bearer, address);
    return this.#countWrong("token", address, () =>
      bearer.startsWith(API_TOKEN) ? this.#byApiToken(bearer) : this.#bySessionToken(bearer, false, false),
    );
  }

  /** Counts and logs a wrong key or token, whatever it was sent to. */
  async #countWrong(kind: KeyKind, address: string, look: () => Promise<Caller>): Promise<Caller> {
    const name = `(${kind})`;
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "unauthenticated") {
        if (error instanceof AppError && error.code === "rate_limited")
          this.#deps.log.warn("sign_in.throttled", { address, name });
        throw error;
      }
      this.#deps.log.warn("sign_in.failed", { address, name });
      await this.throttle.countWrongKey(kind, address);
      throw error;
    }
  }

  async #byApiToken(token: string, before?: () => Unit<void>): Promise<Caller> {
    const found = await this.#deps.db.read(function* () {
      if (before) yield* before();
      return yield* apiTokens.findWithUser(hashOfToken(token));
    });
    if (!found || (found.expiresAt !== null && found.expiresAt <= this.#deps.clock())) throw sessionEnded();
    const { id, name, user, scope, expiresAt, factorAt } = found;
    return {
      user,
      scope,
      expiresAt,
      tokenId: id,
      tokenName: name,
      sessionId: null,
      confirmedAt: null,
      factorAt,
      hasFactor: false,
      vouched: null,
      impersonatedBy: null,
      byCookie: false,
      renewed: null,
    };
  }

  async #bySessionToken(token: string, byCookie: boolean, asOther: boolean): Promise<Caller> {
    const claims = await this.#sessionTokens().verify(token);
    const ended = asOther || claims?.actorId != null ? impersonationEnded() : sessionEnded();
    const now = this.#deps.clock();
    if (!claims || claims.expiresAt <= now) throw ended;
    const [found, parent] = await this.#deps.db.read(() => findBoth(claims.sessionId));
    if (!found || found.user.id !== claims.userId || found.expiresAt <= now) throw ended;
    const isOther = found.parentId !== null;
    if (isOther !== (claims.actorId !== null) || (asOther && !isOther)) throw ended;
    const caller = {
      user: found.user,
      sessionId: claims.sessionId,
      tokenId: null,
      tokenName: null,
      scope: "full" as const,
      expiresAt: found.expiresAt,
      confirmedAt: isOther ? null : found.confirmedAt,
      factorAt: isOther ? null : found.factorAt,
      hasFactor: found.hasFactor,
      vouched: getVouched(parent ?? found),
      byCookie,
    };
    if (!isOther)
      return {
        ...caller,
        impersonatedBy: null,
        renewed: byCookie && found.begunBy === null ? await this.#renewed(claims, found.createdAt) : null,
      };
    if (!parent?.user.isAdmin || parent.user.id !== claims.actorId || parent.expiresAt <= now || found.user.isAdmin)
      throw ended;
    const { id, username } = parent.user;
    return { ...caller, impersonatedBy: { id, username, sessionId: found.parentId! }, renewed: null };
  }

  /**
   * Renews a cookie older than a day, so that a user who returns within a month stays signed in. If the database is
   * busy, a later request renews it.
   */
  async #renewed(claims: Claims, createdAt: number): Promise<Caller["renewed"]> {
    const now = this.#deps.clock();
    if (claims.expiresAt - now > SESSION_LIFETIME - RENEWED_AFTER) return null;
    const expiresAt = Math.min(now + SESSION_LIFETIME, createdAt + MAX_SESSION_AGE);
    if (expiresAt <= claims.expiresAt) return null;
    try {
      await this.#deps.db.write(() => sessions.prolong(claims.sessionId, expiresAt, now));
    } catch (error) {
      if (error instanceof AppError && error.code === "unavailable") return null;
      throw error;
    }
    return { token: await this.#sessionTokens().sign({ ...claims, expiresAt }), expiresAt };
  }

  async #begin(
    user: User,
    { address, userAgent }: Client,
    lifetime: number,
    { by = null, known = null, factor = null, vouching = null }: Beginning,
  ): Promise<SignIn> {
    const { db, clock, random } = this.#deps;
    const now = clock();
    const expiresAt = now + lifetime;
    const id = Buffer.from(random(24)).toString("base64url");
    const session = {
      id,
      userId: user.id,
      parentId: by?.sessionId ?? null,
      createdAt: now,
      expiresAt,
      lastUsedAt: now,
      address,
      userAgent: userAgent?.slice(0, 200) ?? null,
      begunBy: vouching?.voucher ?? null,
      confirmedAt: vouching ? Math.min(vouching.provedAt, now) : now,
      factorAt: factor === null ? null : now,
    };
    await db.write(function* () {
      if (known !== null) yield* users.assertStillKnown(known);
      if (by !== null && !(yield* sessions.isThere(by.sessionId))) throw sessionEnded();
      yield* sessions.add(session);
      const event = by ? "impersonation_begun" : "sign_in";
      const details = { ...(factor && { factor }), ...(vouching && { through: vouching.name }) };
      yield* accountEvents.record(user.id, now, event, { by: by?.name, address, userAgent, details });
    });
    const token = await this.#sessionTokens().sign({
      sessionId: id,
      userId: user.id,
      actorId: by?.id ?? null,
      expiresAt,
    });
    return { token, expiresAt, user };
  }

  #sessionTokens(): SessionTokens {
    return (this.#tokens ??= createSessionTokens(this.#deps.vault.key("session")));
  }

  #hashOfNobody(): Promise<string> {
    return (this.#nobody ??= hashPassword(this.#deps, "nobody has this password"));
  }
}

function* findBoth(id: string): Unit<[sessions.FoundSession | null, sessions.FoundSession | null]> {
  const found = yield* sessions.findWithUser(id);
  return [found, found?.parentId ? yield* sessions.findWithUser(found.parentId) : null];
}

/** Used for rate limits and the log if the user is not known yet. Usernames cannot contain brackets. */
const ELSEWHERE = "(provider)";

const wrongProof = (proof: Proof): string =>
  "code" in proof ? "This code is wrong or already used." : "This passkey was not accepted.";

const getVouched = ({ begunBy, user }: sessions.FoundSession): Caller["vouched"] =>
  begunBy && { by: begunBy, username: user.username };

const impersonationEnded = () =>
  new AppError("unauthenticated", "You are no longer acting as another user.", { rule: "impersonation_ended" });
