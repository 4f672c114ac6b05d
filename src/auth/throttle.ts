import { neighbourhoodOf } from "../addresses.ts";
import { HOUR, MINUTE, type Clock } from "../domain/clock.ts";
import { AppError } from "../domain/errors.ts";
import { Attempts } from "./attempts.ts";

const WINDOW = 15 * MINUTE;
const FAILURES_OF_ACCOUNT_AND_ADDRESS = 5;
const FAILURES_OF_ADDRESS = 20;
const ACCOUNTS_OF_ADDRESS = 10;
const CODES_OF_ACCOUNT = 10;

/**
 * Slows down who guesses passwords. Failures count per account and address together, so that a stranger elsewhere
 * cannot lock anybody out. An address of the newer kind stands for all that one household has.
 */
export class Throttle {
  readonly #ofAccount: Attempts;
  readonly #ofAddress: Attempts;
  readonly #accounts: Attempts;
  readonly #codes: Attempts;

  constructor(clock: Clock) {
    this.#ofAccount = new Attempts(clock, WINDOW, FAILURES_OF_ACCOUNT_AND_ADDRESS);
    this.#ofAddress = new Attempts(clock, WINDOW, FAILURES_OF_ADDRESS);
    this.#accounts = new Attempts(clock, HOUR, ACCOUNTS_OF_ADDRESS);
    this.#codes = new Attempts(clock, HOUR, CODES_OF_ACCOUNT);
  }

  assertAllowed(username: string, address: string): void {
    const ofAccount = this.#ofAccount.waitFor(pairOf(username, address));
    const ofAddress = this.#ofAddress.waitFor(neighbourhoodOf(address));
    assertNoWait(Math.max(ofAccount, ofAddress), "Too many failed attempts. Try again later.");
  }

  failed(username: string, address: string): void {
    this.#ofAccount.note(pairOf(username, address));
    this.#ofAddress.note(neighbourhoodOf(address));
  }

  succeeded(username: string, address: string): void {
    this.#ofAccount.forget(pairOf(username, address));
  }

  /** Codes are short, and only who knows the password may try them: those of an account count, from wherever they come. */
  assertCodeAllowed(username: string): void {
    assertNoWait(this.#codes.waitFor(username), "Too many wrong codes. Try again later.");
  }

  codeFailed(username: string): void {
    this.#codes.note(username);
  }

  codeSucceeded(username: string): void {
    this.#codes.forget(username);
  }

  /** One more account from there; refused where there were many already. */
  registers(address: string): void {
    const where = neighbourhoodOf(address);
    assertNoWait(this.#accounts.waitFor(where), "Too many accounts were made from here. Try again later.");
    this.#accounts.note(where);
  }
}

const assertNoWait = (wait: number, message: string): void => {
  if (wait > 0) throw new AppError("rate_limited", message, { retryAfterSeconds: Math.ceil(wait / 1000) });
};

const pairOf = (username: string, address: string): string => `${username}\n${neighbourhoodOf(address)}`;
