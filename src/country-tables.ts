import { callFacts, countryFileIn, countryFileMark } from "./callsign/facts.ts";
import type { CountryFile } from "./callsign/country-file.ts";
import type { CallFacts } from "./domain/call-facts.ts";
import { defineBackgroundWork, type Database } from "./storage/database.ts";

interface Where {
  dataDir: string;
}

/** Reading the tables takes half a second at once: where there is a second thread, it reads them and hands them over. */
export const countryTablesWork = defineBackgroundWork(
  "callsign.countryTables",
  "read",
  function* (_: Where, countries: CountryFile) {
    return countries;
  },
  {
    versionOf: ({ dataDir }: Where) => countryFileMark(dataDir),
    make: ({ dataDir }: Where) => countryFileIn(dataDir),
  },
);

/** What is known of callsigns: loaded when it is first needed, and anew where the country file is another. */
export const factsFrom = (db: Pick<Database, "inBackground">, dataDir: string): (() => Promise<CallFacts>) => {
  let made: { mark: string; facts: Promise<CallFacts> } | null = null;
  const load = (mark: string) => {
    const facts = db.inBackground(countryTablesWork, { dataDir }).then(callFacts);
    const loading = { mark, facts };
    facts.catch(() => made === loading && (made = null));
    return (made = loading);
  };
  return async () => {
    const mark = await countryFileMark(dataDir);
    return (made?.mark === mark ? made : load(mark)).facts;
  };
};
