import { existsSync } from "node:fs";
import type { CallFacts } from "../domain/radio/call-facts.ts";
import { loadCountryFile, type CountryFile } from "./country-file.ts";
import { getClubLogPath, getCountryFilePath, oncePerCountryFile } from "./country-file-place.ts";
import { addDatedCalls } from "./dated-calls.ts";
import { listEntityPlaces } from "./entity-places.ts";
import { normaliseCall, splitCall } from "./parts.ts";
import { findWpxPrefix } from "./prefix.ts";
import { resolve, resolveWithRule } from "./resolver.ts";

/** Answers the callsign look-ups of the derivation rules from the country file. */
export const createCallFacts = (countries: CountryFile): CallFacts => ({
  releasedAt: countries.releasedAt,
  normalise: normaliseCall,
  prefix: findWpxPrefix,
  isMobile: (call) => call.includes("/") && splitCall(call).afloat,
  locate: (call, at) => resolve(countries, call, at),
  explain: (call, at) => resolveWithRule(countries, call, at).rule,
  places: () => listEntityPlaces(countries),
});

export const loadCallFacts = async (dataDir: string): Promise<CallFacts> =>
  createCallFacts(await loadCountryFileIn(dataDir));

/**
 * The country file in the data directory, otherwise the one that comes with the program; with what Club Log says, if
 * the operator added its file.
 */
export const loadCountryFileIn = async (dataDir: string): Promise<CountryFile> => {
  const path = getCountryFilePath(dataDir);
  const countries = await loadCountryFile(existsSync(path) ? { path } : {});
  const clubLog = getClubLogPath(dataDir);
  return existsSync(clubLog)
    ? { ...countries, dated: addDatedCalls(countries.dated, await Bun.file(clubLog).text()) }
    : countries;
};

const loadOnce = oncePerCountryFile(loadCallFacts);

/** Prepares background work that needs callsign look-ups. */
export const withCallFacts = ({ dataDir }: { dataDir: string }): Promise<CallFacts> => loadOnce(dataDir);
