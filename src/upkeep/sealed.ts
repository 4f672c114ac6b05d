import { existsSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../domain/errors.ts";
import type { Service } from "../domain/source.ts";
import * as serviceCredentials from "../storage/service-credentials.ts";
import { lazyVault, type World } from "../world.ts";

export interface SealedState {
  stored: number;
  /** Those that the secret of this machine does not open. */
  unreadable: { username: string; source: Service }[];
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
  const vault = lazyVault(config, random);
  const unreadable = stored.filter(({ sealed, userId, source, account }) => {
    if (problem !== null) return true;
    try {
      vault.open(sealed, { userId, source, account });
      return false;
    } catch (error) {
      if (error instanceof AppError) return true;
      throw error;
    }
  });
  return {
    stored: stored.length,
    unreadable: unreadable.map(({ username, source }) => ({ username, source })),
    problem,
  };
};

/** What is wrong with the secret, in words, or null. */
export const secretProblem = ({ config, random }: Pick<World, "config" | "random">): string | null => {
  const file = join(config.dataDir, "secret");
  if (config.secret === null && !existsSync(file)) return `There is no secret file ${file}.`;
  try {
    lazyVault(config, random).key("check");
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};
