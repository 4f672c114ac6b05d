import type { TokenScope } from "./api-tokens.ts";
import { maybe, run, type Unit } from "./unit.ts";

export interface TerminalSignIn {
  userId: number;
  /** The hash of what only this terminal knows. */
  terminal: string;
  name: string;
  scope: TokenScope;
  /** When who let the terminal in had given a second factor. */
  factorAt: number | null;
}

export function* add(codeHash: string, row: TerminalSignIn, expiresAt: number, now: number): Unit<void> {
  yield* run`DELETE FROM terminal_sign_ins WHERE expires_at <= ${now}`;
  yield* run`
    INSERT INTO terminal_sign_ins (code_hash, user_id, terminal, name, scope, factor_at, expires_at)
    VALUES (${codeHash}, ${row.userId}, ${row.terminal}, ${row.name}, ${row.scope}, ${row.factorAt}, ${expiresAt})`;
}

/** Takes it away, so that it is used once; null where there is none such for this terminal. */
export function* take(codeHash: string, terminal: string, now: number): Unit<TerminalSignIn | null> {
  return yield* maybe<TerminalSignIn>`
    DELETE FROM terminal_sign_ins WHERE code_hash = ${codeHash} AND terminal = ${terminal} AND expires_at > ${now}
    RETURNING user_id AS "userId", terminal, name, scope, factor_at AS "factorAt"`;
}

export function* removeOf(userId: number): Unit<void> {
  yield* run`DELETE FROM terminal_sign_ins WHERE user_id = ${userId}`;
}
