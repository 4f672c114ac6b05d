import { timingSafeEqual } from "node:crypto";
import { AppError } from "../domain/errors.ts";

const TOKEN_BYTES = 24;

/** The word that lets whoever started the server make the first user. It lives as long as the process. */
export class SetupToken {
  readonly text: string;

  constructor(random: (bytes: number) => Uint8Array) {
    this.text = Buffer.from(random(TOKEN_BYTES)).toString("base64url");
  }

  assert(given: string): void {
    const [a, b] = [Buffer.from(given), Buffer.from(this.text)];
    if (a.length === b.length && timingSafeEqual(a, b)) return;
    throw new AppError("forbidden", "This is not the set-up link that the server printed when it started.");
  }
}
