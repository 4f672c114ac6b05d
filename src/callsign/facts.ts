import { existsSync } from "node:fs";
import type { CallFacts } from "../domain/radio/call-facts.ts";
import { loadCountryFile, type CountryFile } from "./country-file.ts";
import { countryFileMark, countryFilePath } from "./country-file-place.ts";
import { entityPlaces } from "./entity-places.ts";
import { normaliseCall } from "./normalise.ts";
import { dissect } from "./parts.ts";
import { wpxPrefix } from "./prefix.ts";
import { resolve } from "./resolver.ts";

/** Answers the callsign look-ups of the derivation rules from the country file. */
export const callFacts = (countries: CountryFile): CallFacts => ({
  releasedAt: countries.releasedAt,
  normalise: normaliseCall,
  prefix: wpxPrefix,
  isMobile: (call) => call.includes("/") && dissect(call).afloat,
  locate: (call, at) => resolve(countries, call, at),
  places: () => entityPlaces(countries),
});

export const loadCallFacts = async (dataDir: string): Promise<CallFacts> => callFacts(await countryFileIn(dataDir));

/** The country file in the data directory, otherwise the one that comes with the program. */
export const countryFileIn = (dataDir: string): Promise<CountryFile> => {
  const path = countryFilePath(dataDir);
  return loadCountryFile(existsSync(path) ? { path } : {});
};

/** Background work that needs callsign look-ups gets them prepared, again for each country file. */
export const withCallFacts = {
  versionOf: async ({ dataDir }: { dataDir: string }): Promise<string> =>
    `${dataDir} ${await countryFileMark(dataDir)}`,
  make: ({ dataDir }: { dataDir: string }): Promise<CallFacts> => loadCallFacts(dataDir),
};
