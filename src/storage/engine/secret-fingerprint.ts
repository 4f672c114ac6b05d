import { AppError } from "../../kernel/errors.ts";
import type { Database } from "./database.ts";
import * as installation from "./installation.ts";
import * as serviceCredentials from "../jobs/service-credentials.ts";
import type { Binding, Vault } from "../../kernel/vault.ts";

const NAME = "secret";

interface Deps {
  db: Database;
  /** Null if this installation has no secret yet. */
  vault: Vault | null;
}

/** Distinguishes secrets without revealing them. */
const fingerprintOf = (vault: Vault): string => vault.fingerprint("database", "qsolog");

/**
 * Whose secret a database uses: the one here, another, or none yet. In a database of an older program only the stored
 * accounts tell.
 */
export const belongingOf = async ({ db, vault }: Deps): Promise<"own" | "foreign" | "nobody"> => {
  const { kept, sealed } = await db.read(function* () {
    const kept = (yield* installation.isThere()) ? yield* installation.find(NAME) : null;
    return { kept, sealed: kept === null ? yield* serviceCredentials.listAll() : [] };
  });
  if (kept !== null) return vault !== null && kept === fingerprintOf(vault) ? "own" : "foreign";
  if (sealed.length === 0) return "nobody";
  return vault !== null && sealed.some((one) => canOpen(vault, one)) ? "nobody" : "foreign";
};

/**
 * Refuses a database of another secret, because its stored accounts could not be decrypted and all sessions would end.
 */
export const assertSecretFits = async ({ db, vault }: Deps, place: string): Promise<void> => {
  const belonging = await belongingOf({ db, vault });
  if (belonging === "foreign") throw foreign(place);
  if (belonging === "own" || vault === null || !(await db.read(installation.isThere))) return;
  const own = fingerprintOf(vault);
  if ((await db.write(() => installation.settle(NAME, own))) !== own) throw foreign(place);
};

/** From now on the database uses this secret. */
export const adopt = (db: Database, vault: Vault): Promise<void> =>
  db.write(() => installation.replace(NAME, fingerprintOf(vault)));

/** Whether this secret can decrypt it. */
export const canOpen = (
  vault: Vault,
  { sealed, userId, source, account }: Binding & { sealed: Uint8Array },
): boolean => {
  try {
    vault.open(sealed, { userId, source, account });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.rule === "sealed_elsewhere") return false;
    throw error;
  }
};

const foreign = (place: string): AppError =>
  new AppError(
    "conflict",
    `This database uses a different secret. Put its own secret in ${place} or in QSOLOG_SECRET. ` +
      "If that secret is lost, run qsolog db adopt.",
    { rule: "sealed_elsewhere" },
  );
