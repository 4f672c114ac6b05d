import { join } from "node:path";
import { version } from "../../package.json";
import type { ProviderDeps } from "../domain/provider.ts";
import type { Service } from "../domain/source.ts";
import type { World } from "../world.ts";

export const spoolDirOf = (dataDir: string): string => join(dataDir, "spool");

export type ProviderWorld = Pick<World, "config" | "clock" | "random" | "sleep" | "turn" | "after" | "log">;

/** What a provider needs of the world. */
export const providerDeps = (
  { config, clock, random, sleep, turn, after, log }: ProviderWorld,
  source: Service,
): ProviderDeps => ({
  baseUrl: config[`${source}Url`],
  spoolDir: spoolDirOf(config.dataDir),
  version,
  pace: config.pace,
  clock,
  random,
  sleep,
  turn,
  after,
  log: (event, fields) => log.debug(event, fields),
});
