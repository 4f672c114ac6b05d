import { AppError } from "../../kernel/errors.ts";
import type { Database } from "./database.ts";
import * as installation from "./installation.ts";
import * as serviceCredentials from "../jobs/service-credentials.ts";
import type { Binding, Vault } from "../../kernel/vault.ts";

const NAME = "secret";

interface Deps {
  db: Database;
  /** Null where this installation has no secret yet. */
  vault: Vault | null;
}

/** Tells secrets apart and says nothing of them. */
const fingerprintOf = (vault: Vault): string => vault.fingerprint("database", "qsolog");

/**
 * Whose secret a database belongs to: the one here, another, or nobody's yet. One that an older program made says it
 * only by the credentials in it.
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

/** Refuses a database of another secret: its credentials would not open, and nobody would be signed in. */
export const assertSecretFits = async ({ db, vault }: Deps, place: string): Promise<void> => {
  const belonging = await belongingOf({ db, vault });
  if (belonging === "foreign") throw foreign(place);
  if (belonging === "own" || vault === null || !(await db.read(installation.isThere))) return;
  const own = fingerprintOf(vault);
  if ((await db.write(() => installation.settle(NAME, own))) !== own) throw foreign(place);
};

/** From now on the database belongs to this secret, whatever it belonged to before. */
export const adopt = (db: Database, vault: Vault): Promise<void> =>
  db.write(() => installation.replace(NAME, fingerprintOf(vault)));

/** Whether something was sealed with the secret of this installation. */
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
