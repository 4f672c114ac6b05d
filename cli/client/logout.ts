import { AppError } from "../../src/kernel/errors.ts";
import type { Login } from "./logins.ts";
import { linkTo } from "./server-link.ts";

/** Revokes a token that signing in created. Returns why it is still valid, or null if it is not. */
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
