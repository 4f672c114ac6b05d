import { neighbourhoodOf } from "../kernel/addresses.ts";
import { DAY, HOUR } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { FactorName } from "../domain/people/factor.ts";
import { canonicalUsername, type User } from "../domain/people/user.ts";
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
  prove,
  waitingSignIn,
  type Asked,
  type FactorQuestion,
  type Proof,
} from "./factors/factors.ts";
import { createSessionTokens, type Claims, type SessionTokens } from "./jwt.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";
import { Throttle, type Guess } from "./throttle.ts";

type Deps = Pick<World, "db" | "clock" | "random" | "vault" | "hashing" | "passwordCost" | "log" | "config">;

export const SESSION_LIFETIME = 30 * DAY;
const IMPERSONATION_LIFETIME = 1 * HOUR;
/** Who is let in by another is asked for there again every day, and is not let in by those who left. */
const VOUCHED_LIFETIME = 1 * DAY;
const RENEWED_AFTER = 1 * DAY;
/** However much it is used, a session ends some day. */
const MAX_SESSION_AGE = 90 * DAY;
const COOKIES_TRIED = 5;

export interface SignIn {
  token: string;
  expiresAt: number;
  user: User;
}

/** What comes of the right password: a session, or the question for the second factor. */
export type Entry = SignIn | FactorQuestion;

/** Where a request came from, for the list of sessions and the throttle. */
export interface Client {
  address: string;
  userAgent: string | null;
  /** By which name the server was asked. */
  host?: string | null;
}

/** Who waits for the same turn where passwords are hashed. */
export const laneOf = ({ address }: Pick<Client, "address">): string => neighbourhoodOf(address);

export interface Presented {
  bearer: string | null;
  /** Every cookie of the name, in the order they came. */
  sessionCookies: readonly string[];
  impersonationCookies: readonly string[];
  /** What a trusted proxy calls whoever is signed in there. */
  namedByProxy: string | null;
}

/** Who says that it is the user, in place of a password. */
export interface Vouching {
  voucher: Voucher;
  /** What people call it. */
  name: string;
  /** When the user proved it there; 0 where nobody knows. */
  provedAt: number;
}

/** What a session begins with. */
interface Beginning {
  /** The administrator who acts as the user. */
  by?: { id: number; name: string; sessionId: string } | null;
  /** As the user was when the proof was looked at; null below an administrator's session. */
  known?: users.Known | null;
  factor?: FactorName | null;
  vouching?: Vouching | null;
}

/** Signing in, and finding out who asks. */
export class Auth {
  readonly #deps: Deps;
  readonly #throttle: Throttle;
  #tokens: SessionTokens | null = null;
  #nobody: Promise<string> | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#throttle = new Throttle(deps);
  }

  /** The same answer, after the same time, for an unknown user and a wrong password. */
  async signIn(username: string, password: string, client: Client): Promise<Entry> {
    const known = await this.#findByPassword(canonicalUsername(username), password, client.address);
    if (!known) throw new AppError("unauthenticated", "The username or the password is wrong.");
    return this.enter(known, client);
  }

  /** Who proved to know the password is in, or is asked for the second factor. */
  async enter(known: users.Known, client: Client): Promise<Entry> {
    return (await askAtSignIn(this.#deps, known, client)) ?? this.startSession(known, client);
  }

  /** The second step of a sign-in. */
  async answer(challenge: string, proof: Proof, client: Client): Promise<SignIn> {
    const waiting = await waitingSignIn(this.#deps, challenge, client);
    if (!waiting) throw challengeEnded();
    const asked = { user: waiting.known.user, purpose: "sign_in" as const, sessionId: null, challenge };
    const by = await this.#findByFactor(asked, proof, client);
    if (by === null) throw new AppError("unauthenticated", wrongProof(proof));
    return this.startSession(waiting.known, client, by);
  }

  /** With what the user proved to be the one. Wrong answers count as wrong passwords do, and codes once more. */
  async #findByFactor(asked: Asked, proof: Proof, client: Client): Promise<FactorName | null> {
    const { username: name, id } = asked.user;
    const { address } = client;
    const guess = { username: name, address, isCode: "code" in proof };
    const by = await this.#counted(guess, () => prove(this.#deps, asked, proof, client));
    if (by !== null) {
      await this.#throttle.forget(guess);
      return by;
    }
    this.#deps.log.warn("sign_in.failed", { address, name });
    const now = this.#deps.clock();
    await this.#deps.db.write(() => accountEvents.record(id, now, "factor_refused", client));
    return null;
  }

  /** Asks somebody who is signed in once more; guesses count together with those at the sign-in. */
  async assertPassword({ username }: User, password: string, { address }: Client, path: string): Promise<void> {
    if (await this.#findByPassword(username, password, address)) return this.#throttle.forget({ username, address });
    const message = "The password is wrong.";
    throw new AppError("invalid", message, { fields: [{ path, message }] });
  }

  async #findByPassword(name: string, password: string, address: string): Promise<users.Known | null> {
    const guess = { username: name, address };
    const found = await this.#held(guess, () => this.#throttle.allowed(guess, () => users.findForSignIn(name)));
    // Who was invited and has no password yet takes as long as nobody.
    const hash = found?.passwordHash || (await this.#hashOfNobody());
    const knows = await verifyPassword(this.#deps, password, hash, laneOf({ address }), (verify) =>
      this.#counted(guess, async () => (await verify()) && found !== null),
    );
    if (knows) return found;
    this.#deps.log.warn("sign_in.failed", { address, name: found?.user.username ?? UNKNOWN_NAME });
    return null;
  }

  /** Looks at a guess that counts as wrong already, and no longer does where it is right or nobody could tell. */
  async #counted<T>(guess: Guess, look: () => Promise<T>): Promise<T> {
    const counted = await this.#held(guess, () => this.#throttle.count(guess));
    let isWrong = false;
    try {
      const found = await look();
      isWrong = !found;
      return found;
    } finally {
      if (!isWrong) await this.#throttle.giveBack(counted);
    }
  }

  /** One line each in the log, for whoever bans addresses. */
  async #held<T>({ username, address }: Guess, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      const isHeld = error instanceof AppError && error.code === "rate_limited";
      if (isHeld) this.#deps.log.warn("sign_in.throttled", { address, name: await this.#nameInLog(username) });
      throw error;
    }
  }

  /** People type passwords and keys into the wrong field: a name is logged only if a user has it. */
  async #nameInLog(name: string): Promise<string> {
    if (name === ELSEWHERE) return name;
    const found = await this.#deps.db.read(() => users.findForSignIn(name));
    return found?.user.username ?? UNKNOWN_NAME;
  }

  /** A visitor is about to make an account. */
  registers({ address }: Client): Promise<void> {
    return this.#throttle.registers(address);
  }

  /** A provider has asked the user of a session once more. */
  async confirmedElsewhere({ sessionId }: Caller, provedAt: number): Promise<void> {
    const at = Math.min(provedAt, this.#deps.clock());
    if (sessionId !== null) await this.#deps.db.write(() => sessions.confirm(sessionId, at));
  }

  /** Somebody comes back from a provider; guesses count together with those of passwords. */
  async assertMayReturn({ address }: Client): Promise<void> {
    const guess = { username: ELSEWHERE, address };
    await this.#held(guess, () => this.#throttle.allowed(guess, function* () {}));
  }

  async returnFailed({ address }: Client): Promise<void> {
    this.#deps.log.warn("sign_in.failed", { address, name: ELSEWHERE });
    const guess = { username: ELSEWHERE, address };
    await this.#held(guess, () => this.#throttle.count(guess));
  }

  /** The user of a session proves once more to be the one, which holds for a while. */
  async confirm({ user, sessionId }: Caller, password: string, client: Client): Promise<void> {
    await this.assertPassword(user, password, client, "password");
    const now = this.#deps.clock();
    if (sessionId !== null) await this.#deps.db.write(() => sessions.confirm(sessionId, now));
  }

  /** The same with the second factor, which a passkey or a code proves by itself. */
  async confirmByFactor({ user, sessionId }: Caller, proof: Proof, client: Client): Promise<void> {
    const asked = { user, purpose: "confirm" as const, sessionId, challenge: null };
    if ((await this.#findByFactor(asked, proof, client)) === null) {
      const message = wrongProof(proof);
      throw new AppError("invalid", message, { fields: [{ path: "code" in proof ? "code" : "passkey", message }] });
    }
    const now = this.#deps.clock();
    if (sessionId !== null) await this.#deps.db.write(() => sessions.confirmByFactor(sessionId, now));
  }

  /** Somebody is in, whose failures are forgotten: with a second factor only now, not after the password. */
  async startSession(known: users.Known, client: Client, factor: FactorName | null = null): Promise<SignIn> {
    const { username } = known.user;
    await this.#throttle.forget({ username, address: client.address, isCode: factor !== null });
    return this.#begin(known.user, client, SESSION_LIFETIME, { factor, known });
  }

  /** Somebody else has said who it is, and in how many steps: that is theirs, and nothing more is asked here. */
  startVouched(known: users.Known, client: Client, vouching: Vouching): Promise<SignIn> {
    return this.#begin(known.user, client, VOUCHED_LIFETIME, { vouching, known });
  }

  /** A session as somebody else, below the administrator's own, and ended with it. */
  startImpersonation(
    target: User,
    by: { id: number; name: string; sessionId: string },
    client: Client,
  ): Promise<SignIn> {
    return this.#begin(target, client, IMPERSONATION_LIFETIME, { by });
  }

  /** What was presented is good no longer: the session ends, or the API token is revoked. */
  async endSession({ user, sessionId, tokenId }: Caller): Promise<void> {
    if (sessionId !== null) await this.#deps.db.write(() => sessions.end(user.id, sessionId));
    if (tokenId !== null) await this.#deps.db.write(() => apiTokens.remove(user.id, tokenId));
  }

  /** Who presents these; null where nothing is presented. What is presented and not valid is refused. */
  async callerOf(presented: Presented): Promise<Caller | null> {
    const caller = await this.#callerOf(presented);
    // Who has signed out of the proxy, or in as somebody else, is no longer who began the session.
    const isNamed = (username: string) => canonicalUsername(presented.namedByProxy ?? "") === username;
    if (caller?.vouched?.by === "proxy" && !isNamed(caller.vouched.username)) throw sessionEnded();
    return caller;
  }

  async #callerOf({ bearer, impersonationCookies, sessionCookies }: Presented): Promise<Caller | null> {
    if (bearer !== null) return this.#byBearer(bearer);
    const tokens = this.#sessionTokens();
    const read = await Promise.all(impersonationCookies.map((one) => tokens.verify(one)));
    const legible = impersonationCookies.filter((_, at) => read[at] !== null);
    const asOther = await this.#byCookies(legible, true);
    return asOther ?? this.#byCookies(sessionCookies, false);
  }

  /**
   * Of several cookies of a name any may be the one this server gave, and the others somebody's who shares a part of its
   * address. Where two are good and not of the same user, nobody can tell whose the browser is.
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

  /** Who presents the key of a program. It may come often, and wrong ones may not be tried for long. */
  async callerOfKey(key: string, address: string): Promise<Caller> {
    try {
      const caller = await this.#byApiToken(key, () => this.#throttle.assertKeysAllowed(address));
      if (!isFeedKey(key)) throw sessionEnded();
      await this.#throttle.usesKey(String(caller.tokenId));
      return caller;
    } catch (error) {
      if (error instanceof AppError && error.code === "unauthenticated") await this.#throttle.triedKey(address);
      throw error;
    }
  }

  #byBearer(bearer: string): Promise<Caller> {
    return bearer.startsWith(API_TOKEN) || isFeedKey(bearer)
      ? this.#byApiToken(bearer)
      : this.#bySessionToken(bearer, false, false);
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
      vouched: vouchedIn(parent ?? found),
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
   * A cookie older than a day is made anew, so that who comes back within a month stays signed in. A database that is
   * busy just now does not stand in the way: the next request renews.
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

/** In the throttle and in the log, for who has no name here yet; no username has brackets. */
const ELSEWHERE = "(provider)";

/** In the log, for a name that no user has. */
const UNKNOWN_NAME = "(unknown)";

const wrongProof = (proof: Proof): string =>
  "code" in proof ? "The code is wrong, or was used already." : "The passkey was not accepted.";

const vouchedIn = ({ begunBy, user }: sessions.FoundSession): Caller["vouched"] =>
  begunBy && { by: begunBy, username: user.username };

const impersonationEnded = () =>
  new AppError("unauthenticated", "Acting as another user has ended.", { rule: "impersonation_ended" });
