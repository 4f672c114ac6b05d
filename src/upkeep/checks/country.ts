import { getCountryFilePath } from "../../callsign/country-file-place.ts";
import { loadCountryFileIn } from "../../callsign/facts.ts";
import { DAY } from "../../kernel/clock.ts";
import type { World } from "../../world.ts";
import { formatIsoDate } from "../../kernel/instant.ts";
import { createFindings, type Finding } from "../diagnostic.ts";

const OLD = 365 * DAY;
const UPDATE = "qsolog country update cty.csv   (from www.country-files.com)";

export const checkCountryFile = async ({ config, clock }: Pick<World, "config" | "clock">): Promise<Finding[]> => {
  const say = createFindings("country");
  try {
    const { releasedAt } = await loadCountryFileIn(config.dataDir);
    const words = `The country file is dated ${formatIsoDate(releasedAt)}`;
    if (clock() - releasedAt <= OLD) return [say.ok(`${words}.`)];
    return [say.note(`${words}. Newer callsigns may get the wrong entity.`, UPDATE)];
  } catch (error) {
    const path = getCountryFilePath(config.dataDir);
    return [say.fail(`Could not use the country file ${path}: ${(error as Error).message}`, UPDATE)];
  }
};
