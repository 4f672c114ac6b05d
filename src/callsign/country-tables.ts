import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { getClubLogPath, getCountryFileMark, getCountryFilePath } from "./country-file-place.ts";
import type { CountryFile } from "./country-file.ts";
import type { CallFacts } from "../domain/radio/call-facts.ts";
import { AppError } from "../kernel/errors.ts";
import * as countryFile from "../storage/people/country-file.ts";
import { defineWork, type Database } from "../storage/engine/database.ts";

interface Where {
  dataDir: string;
}

/** Building the tables takes half a second, so a worker thread does it if there are threads. */
export const countryTablesWork = defineWork(
  "callsign.countryTables",
  "read",
  function* (_: Where, countries: CountryFile) {
    return countries;
  },
  {
    versionOf: async ({ dataDir }: Where) => getCountryFileMark(dataDir),
    make: async ({ dataDir }: Where) => (await import("./facts.ts")).loadCountryFileIn(dataDir),
  },
);

/** Returns a function that loads the callsign tables on first use, and again when the country file changes. */
export const createFactsLoader = (db: Pick<Database, "inWorker">, dataDir: string): (() => Promise<CallFacts>) => {
  let made: { mark: string; facts: Promise<CallFacts> } | null = null;
  const load = (mark: string) => {
    const facts = buildFacts(db.inWorker(countryTablesWork, { dataDir }, { userId: null }));
    const loading = { mark, facts };
    facts.catch(() => made === loading && (made = null));
    return (made = loading);
  };
  return async () => {
    const mark = getCountryFileMark(dataDir);
    return (made?.mark === mark ? made : load(mark)).facts;
  };
};

const buildFacts = async (tables: Promise<CountryFile>): Promise<CallFacts> => {
  const [{ createCallFacts }, countries] = await Promise.all([import("./facts.ts"), tables]);
  return createCallFacts(countries);
};

type Installation = Where & { db: Pick<Database, "isShared" | "read" | "write"> };

const PATHS = { country_file: getCountryFilePath, club_log: getClubLogPath };

/** Installs a country file or the table of Club Log, on a server database for all instances. */
export const replaceCountryFile = async (
  { db, dataDir }: Installation,
  text: string,
  file: countryFile.SharedFile = "country_file",
): Promise<void> => {
  putInPlace(PATHS[file](dataDir), text);
  if (db.isShared) await db.write(() => countryFile.put(file, text));
};

/**
 * On a server database, copies the installation's files into this data directory. The first instance that has one
 * decides.
 */
export const followCountryFile = async ({ db, dataDir }: Installation): Promise<void> => {
  if (!db.isShared) return;
  for (const file of countryFile.SHARED_FILES) {
    const path = PATHS[file](dataDir);
    const own = existsSync(path) ? readFileSync(path, "utf8") : null;
    const hash = await db.read(() => countryFile.findHash(file));
    if (own !== null && hash === countryFile.hashOf(own)) continue;
    if (hash === null && own !== null) await db.write(() => countryFile.settle(file, own));
    const text = hash === null ? own : await db.read(() => countryFile.findText(file));
    if (text !== null && text !== own) putInPlace(path, text);
  }
};

/** Replaces the file atomically. */
const putInPlace = (path: string, text: string): void => {
  const draft = `${path}.${process.pid}.part`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new AppError("unavailable", `Could not write ${path}: ${(error as Error).message}.`, { cause: error });
  }
};
