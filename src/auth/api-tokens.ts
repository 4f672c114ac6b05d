import { AppError } from "../domain/errors.ts";
import * as storage from "../storage/api-tokens.ts";
import type { World } from "../world.ts";

/** How every API token begins, so that one is known when it is seen. */
export const API_TOKEN = "qsl_";

const TOKEN_BYTES = 32;

export interface TokenOrder {
  name: string;
  scope: storage.TokenScope;
  expiresAt?: number | null;
}

/** Makes a token; its text is given this once and never again. */
export const createApiToken = async (
  { db, clock, random }: Pick<World, "db" | "clock" | "random">,
  userId: number,
  { name, scope, expiresAt = null }: TokenOrder,
): Promise<storage.ApiToken & { token: string }> => {
  const now = clock();
  if (expiresAt !== null && expiresAt <= now) {
    const message = "A token cannot expire in the past.";
    throw new AppError("invalid", message, { fields: [{ path: "expiresAt", message }] });
  }
  const token = API_TOKEN + Buffer.from(random(TOKEN_BYTES)).toString("base64url");
  const tokenHash = hashOfToken(token);
  const kept = await db.write(() => storage.add({ userId, name, scope, tokenHash, expiresAt }, now));
  return { ...kept, token };
};

export const revokeApiToken = async ({ db }: Pick<World, "db">, userId: number, id: number): Promise<void> => {
  if (!(await db.write(() => storage.remove(userId, id)))) throw new AppError("not_found", "There is no such token.");
};

export const hashOfToken = (token: string): string => new Bun.CryptoHasher("sha256").update(token).digest("hex");
