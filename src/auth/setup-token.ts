import { AppError } from "../kernel/errors.ts";
import * as installation from "../storage/engine/installation.ts";
import type { World } from "../world.ts";

const TOKEN_BYTES = 24;
const NAME = "setup_token";

/**
 * The token with which whoever started the server creates the first user. It is the same for all instances of an
 * installation.
 */
export class SetupToken {
  text: string;
  readonly #db: World["db"];

  constructor({ db, random }: Pick<World, "db" | "random">) {
    this.#db = db;
    this.text = Buffer.from(random(TOKEN_BYTES)).toString("base64url");
  }

  /** The first instance to start decides. */
  async settle(): Promise<string> {
    this.text = await this.#db.write(() => installation.settle(NAME, this.text));
    return this.text;
  }

  async assert(given: string): Promise<void> {
    const [a, b] = [Buffer.from(given), Buffer.from(await this.settle())];
    if (a.length === b.length && crypto.timingSafeEqual(a, b)) return;
    throw new AppError(
      "forbidden",
      "This is not a valid set-up link. Use the one that the server printed when it started.",
    );
  }
}
