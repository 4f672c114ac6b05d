import type { Service } from "../domain/source.ts";
import { adopt, belongingOf, opens } from "../own-secret.ts";
import type { Database } from "../storage/database.ts";
import * as serviceCredentials from "../storage/service-credentials.ts";
import { hasSecret, lazyVault, secretFile, type World } from "../world.ts";

export interface SealedState {
  stored: number;
  /** Those that the secret of this machine does not open. */
  unreadable: { username: string; source: Service }[];
  /** The database belongs to another secret than the one here. */
  isForeign: boolean;
  /** Why the secret cannot be used at all. */
  problem: string | null;
}

/** Opens every stored credential and forgets it again. Makes no secret where there is none. */
export const sealedState = async ({
  db,
  config,
  random,
}: Pick<World, "db" | "config" | "random">): Promise<SealedState> => {
  const stored = await db.read(serviceCredentials.listAll);
  const problem = secretProblem({ config, random });
  const vault = problem === null ? lazyVault(config, random) : null;
  const unreadable = stored.filter((one) => vault === null || !opens(vault, one));
  return {
    stored: stored.length,
    unreadable: unreadable.map(({ username, source }) => ({ username, source })),
    isForeign: (await belongingOf({ db, vault })) === "foreign",
    problem,
  };
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
