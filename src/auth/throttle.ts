import { listNetworksOf } from "../kernel/addresses.ts";
import { HOUR, MINUTE } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import * as attempts from "../storage/people/attempts.ts";
import { standalone, type Unit } from "../storage/engine/unit.ts";
import type { World } from "../world.ts";

const WINDOW = 15 * MINUTE;
const FAILURES_OF_ACCOUNT_AND_ADDRESS = 5;
const FAILURES_OF_ADDRESS = 20;
const ACCOUNTS_OF_ADDRESS = 10;
const RESETS_OF_ACCOUNT = 3;
const RESETS_OF_ADDRESS = 10;
const WRONG_KEYS_OF_ADDRESS = 40;
/** A program that sends a whole log contact by contact stays below this rate per minute: 20 blocks of 60 uses. */
const BLOCKS_OF_KEY = 20;
const USES_OF_BLOCK = 60;
const CODES_OF_ACCOUNT = 10;
/** Against guesses from many addresses. */
const FAILURES_OF_ACCOUNT = 30;
/** A wider network is allowed so many times as much as the next narrower one. */
const MORE_OF_WIDER_NETWORK = 2;

/** A sign-in attempt. */
export interface SignInAttempt {
  username: string;
  address: string;
  /**
   * Codes are short, and only someone who knows the password can try them, so they are limited per account, from any
   * address.
   */
  isCode?: boolean;
  /**
   * What makes the caller trustworthy, such as a device that signed in before; "" for nothing. Each has a slow limit of
   * its own, so that strangers who use up theirs do not lock the owner out.
   */
  trust?: string;
}

/** What a program identifies itself with. */
export type KeyKind = "key" | "token";

/** Uses of a key that are already counted in the database. */
interface Block {
  left: number;
  until: number;
}

const MAX_BLOCKS = 10_000;

/** The ids of counted attempts. */
export type Counted = readonly number[];

/**
 * Limits the rate of wrong passwords, across all instances. Failures count per pair of account and address, so that a
 * stranger cannot lock a user out. An IPv6 address counts in its /64, /56 and /48 network.
 */
export class Throttle {
  readonly #deps: Pick<World, "db" | "clock">;
  /** Uses left in each key's block. Counting each use would write to the database at every request. */
  readonly #blocks = new Map<string, Promise<Block>>();

  constructor(deps: Pick<World, "db" | "clock">) {
    this.#deps = deps;
  }

  /** Throws if this attempt must wait. */
  checkAllowed(guess: SignInAttempt): Promise<void> {
    const now = this.#deps.clock();
    return this.#deps.db.read(() => assertAllowed(getLimits(guess), now));
  }

  /**
   * Counts an attempt as wrong before it is checked, or refuses it. This keeps the limit even if many attempts run in
   * parallel.
   */
  count(guess: SignInAttempt): Promise<Counted> {
    const now = this.#deps.clock();
    return this.#deps.db.write(() => countAll(getLimits(guess), now));
  }

  /** Refunds an attempt that was not wrong. */
  async refund(counted: Counted): Promise<void> {
    await this.#deps.db.write(() => standalone(attempts.remove(counted)));
  }

  async forget(guess: SignInAttempt): Promise<void> {
    await this.#deps.db.write(() => forget(guess));
  }

  /**
   * Wrong keys of programs count separately, so that a program with an old key does not lock anyone out of the pages.
   * Keys are short, so none is looked at after too many wrong ones.
   */
  assertKeysAllowed(address: string): Unit<void> {
    return assertAllowed(getKeyLimits("key", address), this.#deps.clock());
  }

  /** Counts a wrong key. Throws if there were too many from this address. */
  async countWrongKey(kind: KeyKind, address: string): Promise<void> {
    const { db, clock } = this.#deps;
    const [limits, now] = [getKeyLimits(kind, address), clock()];
    await db.read(() => assertAllowed(limits, now));
    await db.write(() => countAll(limits, now));
  }

  /** Counts a use of a key. Throws if the key was used too often, from any address. */
  async countKeyUse(key: string): Promise<void> {
    for (;;) {
      const taken = this.#blocks.get(key) ?? this.#takeBlock(key);
      const block = await taken;
      if (block.left > 0 && block.until > this.#deps.clock()) {
        block.left -= 1;
        return;
      }
      if (this.#blocks.get(key) === taken) this.#blocks.delete(key);
    }
  }

  #takeBlock(key: string): Promise<Block> {
    const { db, clock } = this.#deps;
    const [name, now] = [`uses\n${key}`, clock()];
    const taken = db.write(function* () {
      const wait = yield* attempts.waitFor({ name, windowMs: MINUTE, most: BLOCKS_OF_KEY }, now);
      assertNoWait(wait, "Too many requests with this key. Try again in a moment.");
      yield* attempts.add(name, now);
      return { left: USES_OF_BLOCK, until: now + MINUTE };
    });
    this.#blocks.set(key, taken);
    taken.catch(() => this.#blocks.delete(key));
    if (this.#blocks.size > MAX_BLOCKS) this.#blocks.delete(this.#blocks.keys().next().value!);
    return taken;
  }

  /** Counts a request to mail a password link. Throws if there were too many for this name or from this address. */
  async countReset({ username, address }: SignInAttempt): Promise<void> {
    const { db, clock } = this.#deps;
    const [now, windowMs] = [clock(), HOUR];
    const message = "Too many password links were requested. Try again later.";
    const ofAddress = widen(address, { name: "reset", windowMs, most: RESETS_OF_ADDRESS, message });
    const ofAccount = { name: `reset of\n${username}`, windowMs, most: RESETS_OF_ACCOUNT, message };
    await db.write(() => countAll([ofAccount, ...ofAddress], now));
  }

  /** Counts a new account. Throws if there were too many from this address. */
  async countRegistration(address: string): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock();
    const most = ACCOUNTS_OF_ADDRESS;
    const message = "Too many accounts were created from your network. Try again later.";
    const limits = widen(address, { name: "account", windowMs: HOUR, most, message });
    await db.write(() => countAll(limits, now));
  }
}

/** A correct password must not reset the limit for codes. */
function* forget(guess: SignInAttempt): Unit<void> {
  for (const { name } of getPairLimits(guess)) yield* attempts.forget(name);
  if (guess.isCode) yield* attempts.forget(codesOf(guess));
}

interface Limit extends attempts.Limit {
  message: string;
}

function* assertAllowed(limits: readonly Limit[], now: number): Unit<void> {
  for (const limit of limits) assertNoWait(yield* attempts.waitFor(limit, now), limit.message);
}

function* countAll(limits: readonly Limit[], now: number): Unit<number[]> {
  yield* assertAllowed(limits, now);
  const counted: number[] = [];
  for (const { name } of limits) counted.push(yield* attempts.add(name, now));
  return counted;
}

const GUESSES = "Too many failed attempts. Try again later.";
const GUESSES_OF_ACCOUNT =
  "Too many failed attempts for this account. Sign in on a device or in a network that you used before, or try again " +
  "in an hour.";

/** The same limit for each network of an address. */
const widen = (address: string, limit: Limit): Limit[] =>
  listNetworksOf(address).map((network, at) => ({
    ...limit,
    name: `${limit.name}\n${network}`,
    most: limit.most * MORE_OF_WIDER_NETWORK ** at,
  }));

const getPairLimits = ({ username, address }: SignInAttempt): Limit[] =>
  widen(address, {
    name: `sign-in\n${username}`,
    windowMs: WINDOW,
    most: FAILURES_OF_ACCOUNT_AND_ADDRESS,
    message: GUESSES,
  });

const getKeyLimits = (kind: KeyKind, address: string): Limit[] =>
  widen(address, {
    name: kind,
    windowMs: WINDOW,
    most: WRONG_KEYS_OF_ADDRESS,
    message: `Too many wrong ${kind}s. Try again later.`,
  });

const getLimits = (guess: SignInAttempt): Limit[] => {
  const { username, address, isCode, trust } = guess;
  const limits = [
    ...getPairLimits(guess),
    ...widen(address, { name: "sign-in", windowMs: WINDOW, most: FAILURES_OF_ADDRESS, message: GUESSES }),
  ];
  if (isCode) {
    const message = "Too many wrong codes. Try again later.";
    limits.push({ name: codesOf(guess), windowMs: HOUR, most: CODES_OF_ACCOUNT, message });
  }
  if (trust !== undefined) {
    const name = `slow\n${username}\n${trust}`;
    limits.push({ name, windowMs: HOUR, most: FAILURES_OF_ACCOUNT, message: GUESSES_OF_ACCOUNT });
  }
  return limits;
};

const assertNoWait = (wait: number, message: string): void => {
  if (wait > 0) throw new AppError("rate_limited", message, { retryAfterSeconds: Math.ceil(wait / 1000) });
};

const codesOf = ({ username }: SignInAttempt): string => `code\n${username}`;
