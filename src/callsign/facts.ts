import { existsSync } from "node:fs";
import type { CallFacts, EntityPlace } from "../domain/radio/call-facts.ts";
import { getEntityName, getEntityStatus } from "../domain/radio/entity.ts";
import { loadCountryFile, type CountryFile } from "./country-file.ts";
import { getClubLogPath, getCountryFilePath, oncePerCountryFile } from "./country-file-place.ts";
import { addDatedCalls } from "./dated-calls.ts";
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

/** The position and usual prefix of each current entity. The file has no positions of deleted ones. */
export const listEntityPlaces = ({ byEntity, byName }: Pick<CountryFile, "byEntity" | "byName">): EntityPlace[] => {
  const prefixes = new Map([...byName].map(([prefix, { dxcc }]) => [dxcc, prefix]));
  return [...byEntity.values()]
    .filter(({ dxcc }) => getEntityStatus(dxcc) === "current")
    .map(({ dxcc, lat, lon }) => ({ dxcc, name: getEntityName(dxcc), prefix: prefixes.get(dxcc) ?? "", lat, lon }))
    .sort((a, b) => a.dxcc - b.dxcc);
};

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
