import { KIND_WORDS, type TargetKind } from "../domain/people/notice.ts";
import type { Service } from "../domain/jobs/source.ts";
import { adopt, belongingOf, canOpen } from "../storage/engine/secret-fingerprint.ts";
import type { Database } from "../storage/engine/database.ts";
import * as sealed from "../storage/engine/sealed.ts";
import { hasSecret, lazyVault, secretFile, type World } from "../world.ts";

export interface SealedState {
  /** Credentials of services. */
  stored: number;
  /** Those that the secret of this machine does not open. */
  unreadable: { username: string; source: Service }[];
  /** What else of a user it does not open. */
  unreadableElse: ClosedThing[];
  /** The database belongs to another secret than the one here. */
  isForeign: boolean;
  /** Why the secret cannot be used at all. */
  problem: string | null;
}

export interface ClosedThing {
  username: string;
  /** In words, such as `passkey "phone"`. */
  what: string;
  /** The command that makes room for a new one. */
  remedy: string;
}

/** Opens everything that is sealed and forgets it again. Makes no secret where there is none. */
export const sealedState = async ({
  db,
  config,
  random,
}: Pick<World, "db" | "config" | "random">): Promise<SealedState> => {
  const all = await db.read(sealed.listAll);
  const problem = secretProblem({ config, random });
  const vault = problem === null ? lazyVault(config, random) : null;
  const closed = all.filter((one) => vault === null || !canOpen(vault, one));
  return {
    stored: all.filter(isCredentials).length,
    unreadable: closed.filter(isCredentials).map(({ username, source }) => ({ username, source })),
    unreadableElse: closed.filter((one) => !isCredentials(one)).map(inWords),
    isForeign: (await belongingOf({ db, vault })) === "foreign",
    problem,
  };
};

const isCredentials = (one: sealed.Sealed): one is sealed.Sealed & { source: Service } => one.kind === "credentials";

const inWords = ({ username, kind, source, name }: sealed.Sealed): ClosedThing => {
  if (kind === "target") {
    const what = `${KIND_WORDS[source as TargetKind]} at ${name}`;
    return { username, what, remedy: `qsolog notify --user ${username}` };
  }
  const what = kind === "app" ? "authenticator app" : `passkey ${JSON.stringify(name)}`;
  return { username, what, remedy: `qsolog user reset-factor ${username}` };
};

/** What is wrong with the secret, in words, or null. */
export const secretProblem = ({ config, random }: Pick<World, "config" | "random">): string | null => {
  if (!hasSecret(config)) return `There is no secret file ${secretFile(config)}.`;
  try {
    lazyVault(config, random).key("check");
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

/** Ties a database to the secret of this installation, which is made where there is none. What does not open stays. */
export const adoptDatabase = async (
  deps: Pick<World, "config" | "random"> & { db: Database },
): Promise<SealedState> => {
  await adopt(deps.db, lazyVault(deps.config, deps.random));
  return sealedState(deps);
};
