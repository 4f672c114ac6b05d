import { existsSync } from "node:fs";
import type { CallFacts } from "../domain/radio/call-facts.ts";
import { loadCountryFile, type CountryFile } from "./country-file.ts";
import { getCountryFileMark, getCountryFilePath } from "./country-file-place.ts";
import { listEntityPlaces } from "./entity-places.ts";
import { normaliseCall } from "./normalise.ts";
import { splitCall } from "./parts.ts";
import { findWpxPrefix } from "./prefix.ts";
import { resolve } from "./resolver.ts";

/** Answers the callsign look-ups of the derivation rules from the country file. */
export const createCallFacts = (countries: CountryFile): CallFacts => ({
  releasedAt: countries.releasedAt,
  normalise: normaliseCall,
  prefix: findWpxPrefix,
  isMobile: (call) => call.includes("/") && splitCall(call).afloat,
  locate: (call, at) => resolve(countries, call, at),
  places: () => listEntityPlaces(countries),
});

export const loadCallFacts = async (dataDir: string): Promise<CallFacts> =>
  createCallFacts(await loadCountryFileIn(dataDir));

/** The country file in the data directory, otherwise the one that comes with the program. */
export const loadCountryFileIn = (dataDir: string): Promise<CountryFile> => {
  const path = getCountryFilePath(dataDir);
  return loadCountryFile(existsSync(path) ? { path } : {});
};

/** Background work that needs callsign look-ups gets them prepared, again for each country file. */
export const withCallFacts = {
  versionOf: async ({ dataDir }: { dataDir: string }): Promise<string> =>
    `${dataDir} ${await getCountryFileMark(dataDir)}`,
  make: ({ dataDir }: { dataDir: string }): Promise<CallFacts> => loadCallFacts(dataDir),
};
