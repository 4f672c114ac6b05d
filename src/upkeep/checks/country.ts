import { existsSync } from "node:fs";
import { loadCountryFile } from "../../callsign/country-file.ts";
import { countryFilePath } from "../../callsign/facts.ts";
import { DAY } from "../../domain/clock.ts";
import type { World } from "../../world.ts";
import { findingsOf, moment, type Finding } from "../finding.ts";

const OLD = 365 * DAY;
const UPDATE = "qsolog country update cty.csv   (from www.country-files.com)";

export const country = async ({ config, clock }: Pick<World, "config" | "clock">): Promise<Finding[]> => {
  const say = findingsOf("country");
  const path = countryFilePath(config.dataDir);
  try {
    const { releasedAt } = await loadCountryFile(existsSync(path) ? { path } : {});
    const words = `The country file is of ${moment(releasedAt).slice(0, 10)}`;
    if (clock() - releasedAt <= OLD) return [say.ok(`${words}.`)];
    return [say.note(`${words}: newer callsigns may have the wrong entity.`, UPDATE)];
  } catch (error) {
    return [say.fail(`The country file ${path} cannot be used: ${(error as Error).message}`, UPDATE)];
  }
};
