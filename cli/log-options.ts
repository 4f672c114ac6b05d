import { parseStations } from "../src/domain/contact/qso-filter.ts";
import { silentInWords } from "../src/domain/radio/stations.ts";
import { pastInWords } from "../src/kernel/time-text.ts";
import type { OfPast, WithoutContacts } from "../src/logbook/contract.ts";

/**
 * Words about a log, or about what was made under some own callsigns; where no contact was made under any of them, only
 * that. Of a log as it was they begin with when that was.
 */
export const aboutLog = (
  { withoutContacts, asOf }: WithoutContacts & OfPast,
  station: string | undefined,
  words: () => string,
): string => [...(asOf ? [pastInWords(asOf)] : []), aboutStations(withoutContacts, station, words)].join("\n");

const aboutStations = (
  silent: readonly string[] | undefined,
  station: string | undefined,
  words: () => string,
): string => {
  if (silent === undefined) return words();
  const told = silentInWords(silent);
  return silent.length === parseStations(station)?.length ? told : `${told}\n\n${words()}`;
};

/** What the option of the same name says, wherever it stands. */
export const AS_OF = ["--as-of <date>", "use the log as of the end of this day (UTC)"] as const;
