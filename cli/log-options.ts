import { parseStations } from "../src/domain/contact/qso-filter.ts";
import { describeSilent } from "../src/domain/radio/stations.ts";
import { describePast } from "../src/kernel/time-text.ts";
import type { OfPast, WithoutContacts } from "../src/logbook/contract.ts";

/**
 * Text about a log or some of its own callsigns, preceded by the date for a past log. If the callsigns have no
 * contacts, only that is said.
 */
export const describeLog = (
  { withoutContacts, asOf }: WithoutContacts & OfPast,
  station: string | undefined,
  words: () => string,
): string => [...(asOf ? [describePast(asOf)] : []), describeStations(withoutContacts, station, words)].join("\n");

const describeStations = (
  silent: readonly string[] | undefined,
  station: string | undefined,
  words: () => string,
): string => {
  if (silent === undefined) return words();
  const told = describeSilent(silent);
  return silent.length === parseStations(station)?.length ? told : `${told}\n\n${words()}`;
};

/** The option `--as-of`, the same for every command. */
export const AS_OF = ["--as-of <date>", "use the log as of the end of this day (UTC)"] as const;
