import { getNetworkOf } from "../kernel/addresses.ts";
import { HOUR, MINUTE } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import * as attempts from "../storage/people/attempts.ts";
import { standalone, type Unit } from "../storage/engine/unit.ts";
import type { World } from "../world.ts";

const WINDOW = 15 * MINUTE;
const FAILURES_OF_ACCOUNT_AND_ADDRESS = 5;
const FAILURES_OF_ADDRESS = 20;
const ACCOUNTS_OF_ADDRESS = 10;
const WRONG_KEYS_OF_ADDRESS = 40;
/** A program that sends a whole log contact by contact stays below this rate per minute: 20 blocks of 60 uses. */
const BLOCKS_OF_KEY = 20;
const USES_OF_BLOCK = 60;
const CODES_OF_ACCOUNT = 10;

/** A sign-in attempt. */
export interface SignInAttempt {
  username: string;
  address: string;
  /**
   * Codes are short, and only someone who knows the password can try them, so they are limited per account, from any
   * address.
   */
  isCode?: boolean;
}

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
 * stranger cannot lock a user out. An IPv6 address counts as its /64 network.
 */
export class Throttle {
  readonly #deps: Pick<World, "db" | "clock">;
  /** Uses left in each key's block. Counting each use would write to the database at every request. */
  readonly #blocks = new Map<string, Promise<Block>>();

  constructor(deps: Pick<World, "db" | "clock">) {
    this.#deps = deps;
  }

  /** Checks the limits and runs a query in the same read. */
  checkAllowed<T>(guess: SignInAttempt, ask: () => Unit<T>): Promise<T> {
    const now = this.#deps.clock();
    return this.#deps.db.read(function* () {
      yield* assertAllowed(guess, now);
      return yield* ask();
    });
  }

  /**
   * Counts an attempt as wrong before it is checked, or refuses it. This keeps the limit even if many attempts run in
   * parallel.
   */
  count(guess: SignInAttempt): Promise<Counted> {
    const now = this.#deps.clock();
    return this.#deps.db.write(function* () {
      yield* assertAllowed(guess, now);
      const counted: number[] = [];
      for (const { name } of getLimits(guess)) counted.push(yield* attempts.add(name, now));
      return counted;
    });
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
   */
  *assertKeysAllowed(address: string): Unit<void> {
    const limit = { name: keysOf(address), windowMs: WINDOW, most: WRONG_KEYS_OF_ADDRESS };
    assertNoWait(yield* attempts.waitFor(limit, this.#deps.clock()), "Too many wrong keys. Try again later.");
  }

  async countWrongKey(address: string): Promise<void> {
    const now = this.#deps.clock();
    await this.#deps.db.write(() => standalone(attempts.add(keysOf(address), now)));
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

  /** Counts a new account. Throws if there were too many from this address. */
  async countRegistration(address: string): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock();
    const name = `account\n${getNetworkOf(address)}`;
    await db.write(function* () {
      const wait = yield* attempts.waitFor({ name, windowMs: HOUR, most: ACCOUNTS_OF_ADDRESS }, now);
      assertNoWait(wait, "Too many accounts were created from your network. Try again later.");
      yield* attempts.add(name, now);
    });
  }
}

/** A correct password must not reset the limit for codes. */
function* forget(guess: SignInAttempt): Unit<void> {
  yield* attempts.forget(pairOf(guess));
  if (guess.isCode) yield* attempts.forget(codesOf(guess));
}

function* assertAllowed(guess: SignInAttempt, now: number): Unit<void> {
  for (const limit of getLimits(guess)) assertNoWait(yield* attempts.waitFor(limit, now), limit.message);
}

const GUESSES = "Too many failed attempts. Try again later.";

const getLimits = (guess: SignInAttempt) => [
  { name: pairOf(guess), windowMs: WINDOW, most: FAILURES_OF_ACCOUNT_AND_ADDRESS, message: GUESSES },
  { name: getNetwork(guess), windowMs: WINDOW, most: FAILURES_OF_ADDRESS, message: GUESSES },
  ...(guess.isCode
    ? [
        {
          name: codesOf(guess),
          windowMs: HOUR,
          most: CODES_OF_ACCOUNT,
          message: "Too many wrong codes. Try again later.",
        },
      ]
    : []),
];

const assertNoWait = (wait: number, message: string): void => {
  if (wait > 0) throw new AppError("rate_limited", message, { retryAfterSeconds: Math.ceil(wait / 1000) });
};

const getNetwork = ({ address }: SignInAttempt): string => `sign-in\n${getNetworkOf(address)}`;

const keysOf = (address: string): string => `key\n${getNetworkOf(address)}`;

const pairOf = (guess: SignInAttempt): string => `${getNetwork(guess)}\n${guess.username}`;

const codesOf = ({ username }: SignInAttempt): string => `code\n${username}`;
