import { AppError } from "../../src/kernel/errors.ts";
import type { Login } from "./logins.ts";
import { linkTo } from "./server-link.ts";

/** Revokes a token that signing in made. Gives why it stays good, or null where it is good no longer. */
export const endLogin = async ({ server, token, tokenId, insecure }: Login): Promise<string | null> => {
  if (tokenId === null) return "It was created elsewhere.";
  try {
    await linkTo({ server, token, insecure }).ask("POST", "/api/auth/logout", { patienceMs: 10_000 });
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.rule === "session_ended" ? null : error.message;
  }
};
