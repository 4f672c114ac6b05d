import { countryFilePath } from "../../callsign/country-file-place.ts";
import { countryFileIn } from "../../callsign/facts.ts";
import { DAY } from "../../kernel/clock.ts";
import type { World } from "../../world.ts";
import { formatIsoDate } from "../../kernel/instant.ts";
import { findingsOf, type Finding } from "../diagnostic.ts";

const OLD = 365 * DAY;
const UPDATE = "qsolog country update cty.csv   (from www.country-files.com)";

export const country = async ({ config, clock }: Pick<World, "config" | "clock">): Promise<Finding[]> => {
  const say = findingsOf("country");
  try {
    const { releasedAt } = await countryFileIn(config.dataDir);
    const words = `The country file is dated ${formatIsoDate(releasedAt)}`;
    if (clock() - releasedAt <= OLD) return [say.ok(`${words}.`)];
    return [say.note(`${words}: newer callsigns may have the wrong entity.`, UPDATE)];
  } catch (error) {
    const path = countryFilePath(config.dataDir);
    return [say.fail(`The country file ${path} cannot be used: ${(error as Error).message}`, UPDATE)];
  }
};
