import { parseStations } from "../src/domain/qso-filter.ts";
import { silentInWords } from "../src/domain/stations.ts";
import type { WithoutContacts } from "../src/logbook/contract.ts";

/** Words about what was made under some own callsigns; where no contact was made under any of them, only that. */
export const aboutStations = (
  { withoutContacts }: WithoutContacts,
  station: string | undefined,
  words: () => string,
): string => {
  if (withoutContacts === undefined) return words();
  const silent = silentInWords(withoutContacts);
  return withoutContacts.length === parseStations(station)?.length ? silent : `${silent}\n\n${words()}`;
};
