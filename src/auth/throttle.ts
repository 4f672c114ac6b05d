import { neighbourhoodOf } from "../addresses.ts";
import { HOUR, MINUTE } from "../domain/clock.ts";
import { AppError } from "../domain/errors.ts";
import * as attempts from "../storage/attempts.ts";
import type { Unit } from "../storage/unit.ts";
import type { World } from "../world.ts";

const WINDOW = 15 * MINUTE;
const FAILURES_OF_ACCOUNT_AND_ADDRESS = 5;
const FAILURES_OF_ADDRESS = 20;
const ACCOUNTS_OF_ADDRESS = 10;

/**
 * Slows down who guesses passwords, whichever instance is asked. Failures count per account and address together, so that
 * a stranger elsewhere cannot lock anybody out. An address of the newer kind stands for all that one household has.
 */
export class Throttle {
  readonly #deps: Pick<World, "db" | "clock">;

  constructor(deps: Pick<World, "db" | "clock">) {
    this.#deps = deps;
  }

  /** Whether there may be a try, and what is asked with it. */
  allowed<T>(username: string, address: string, ask: () => Unit<T>): Promise<T> {
    const now = this.#deps.clock();
    return this.#deps.db.read(function* () {
      yield* assertAllowed(username, address, now);
      return yield* ask();
    });
  }

  /** Counts a failure, or forgets them; refused where others have failed too often in the meantime. */
  async settle(username: string, address: string, isRight: boolean): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock();
    const pair = pairOf(username, address);
    await db.write(function* () {
      yield* assertAllowed(username, address, now);
      if (isRight) return yield* attempts.forget(pair);
      yield* attempts.note(pair, now);
      yield* attempts.note(ofAddress(address), now);
    });
  }

  /** One more account from there; refused where there were many already. */
  async registers(address: string): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock();
    const name = `account\n${neighbourhoodOf(address)}`;
    await db.write(function* () {
      const wait = yield* attempts.waitFor({ name, windowMs: HOUR, most: ACCOUNTS_OF_ADDRESS }, now);
      assertNoWait(wait, "Too many accounts were made from here. Try again later.");
      yield* attempts.note(name, now);
    });
  }
}

function* assertAllowed(username: string, address: string, now: number): Unit<void> {
  const limits = [
    { name: pairOf(username, address), windowMs: WINDOW, most: FAILURES_OF_ACCOUNT_AND_ADDRESS },
    { name: ofAddress(address), windowMs: WINDOW, most: FAILURES_OF_ADDRESS },
  ];
  let wait = 0;
  for (const limit of limits) wait = Math.max(wait, yield* attempts.waitFor(limit, now));
  assertNoWait(wait, "Too many failed attempts. Try again later.");
}

const assertNoWait = (wait: number, message: string): void => {
  if (wait > 0) throw new AppError("rate_limited", message, { retryAfterSeconds: Math.ceil(wait / 1000) });
};

const ofAddress = (address: string): string => `sign-in\n${neighbourhoodOf(address)}`;

const pairOf = (username: string, address: string): string => `${ofAddress(address)}\n${username}`;
