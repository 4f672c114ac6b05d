import { KIND_WORDS, type TargetKind } from "../domain/people/notice.ts";
import type { Service } from "../domain/jobs/source.ts";
import { adopt, belongingOf, canOpen } from "../storage/engine/secret-fingerprint.ts";
import type { Database } from "../storage/engine/database.ts";
import * as sealed from "../storage/engine/sealed.ts";
import { hasSecret, lazyVault, secretFile, type World } from "../world.ts";

export interface SealedState {
  /** Credentials of services. */
  stored: number;
  /** Those that this machine's secret cannot decrypt. */
  unreadable: { username: string; source: Service }[];
  /** Other values of users that it cannot decrypt. */
  unreadableElse: ClosedThing[];
  /** The database was created with another secret. */
  isForeign: boolean;
  /** Why the secret cannot be used at all. */
  problem: string | null;
}

export interface ClosedThing {
  username: string;
  /** In words, such as `passkey "phone"`. */
  what: string;
  /** The command that removes it, so that a new one can be added. */
  remedy: string;
}

/** Tries to decrypt everything. Does not create a secret if there is none. */
export const checkSealed = async ({
  db,
  config,
  random,
}: Pick<World, "db" | "config" | "random">): Promise<SealedState> => {
  const all = await db.read(sealed.listAll);
  const problem = findSecretProblem({ config, random });
  const vault = problem === null ? lazyVault(config, random) : null;
  const closed = all.filter((one) => vault === null || !canOpen(vault, one));
  return {
    stored: all.filter(isCredentials).length,
    unreadable: closed.filter(isCredentials).map(({ username, source }) => ({ username, source })),
    unreadableElse: closed.filter((one) => !isCredentials(one)).map(describeClosed),
    isForeign: (await belongingOf({ db, vault })) === "foreign",
    problem,
  };
};

const isCredentials = (one: sealed.Sealed): one is sealed.Sealed & { source: Service } => one.kind === "credentials";

const describeClosed = ({ username, kind, source, name }: sealed.Sealed): ClosedThing => {
  if (kind === "target") {
    const what = `${KIND_WORDS[source as TargetKind]} at ${name}`;
    return { username, what, remedy: `qsolog notify --user ${username}` };
  }
  const what = kind === "app" ? "authenticator app" : `passkey ${JSON.stringify(name)}`;
  return { username, what, remedy: `qsolog user reset-factor ${username}` };
};

/** What is wrong with the secret, or null. */
export const findSecretProblem = ({ config, random }: Pick<World, "config" | "random">): string | null => {
  if (!hasSecret(config)) return `There is no secret file ${secretFile(config)}.`;
  try {
    lazyVault(config, random).key("check");
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

/**
 * Ties a database to this installation's secret, which is created if there is none. Values that cannot be decrypted
 * stay.
 */
export const adoptDatabase = async (
  deps: Pick<World, "config" | "random"> & { db: Database },
): Promise<SealedState> => {
  await adopt(deps.db, lazyVault(deps.config, deps.random));
  return checkSealed(deps);
};
