import { join } from "node:path";
import { version } from "../../package.json";
import type { ProviderDeps } from "../domain/provider.ts";
import type { Service } from "../domain/source.ts";
import type { World } from "../world.ts";

export const spoolDirOf = (dataDir: string): string => join(dataDir, "spool");

/** What a provider needs of the world. */
export const providerDeps = (
  { config, clock, sleep, log }: Pick<World, "config" | "clock" | "sleep" | "log">,
  source: Service,
): ProviderDeps => ({
  baseUrl: config[`${source}Url`],
  spoolDir: spoolDirOf(config.dataDir),
  version,
  pace: config.pace,
  clock,
  sleep,
  log: (event, fields) => log.debug(event, fields),
});
