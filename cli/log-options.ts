import { AppError } from "../src/kernel/errors.ts";
import { describeSilent, parseStations } from "../src/domain/contact/qso-filter.ts";
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

const MAX_LIMIT = 500;

const parseLimit = (text: string): number => {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new AppError("invalid", `Use --limit with a whole number from 1 to ${MAX_LIMIT}.`);
};

/** The options of every command that prints a list in pages. */
export const LIMIT = ["--limit <n>", `show at most this many (up to ${MAX_LIMIT})`, parseLimit] as const;
export const CURSOR = ["--cursor <text>", "continue where the previous page ended"] as const;

/** The option `--as-of`, the same for every command. */
export const AS_OF = ["--as-of <date>", "use the log as of the end of this day (UTC)"] as const;
