import type { Command } from "commander";
import { AppError } from "../src/kernel/errors.ts";
import { FIELDS, listFieldsWith } from "../src/domain/contact/fields.ts";
import { CONFIRMATION_WORDS } from "../src/domain/contact/search-words.ts";
import { FILTER_PARAMETERS, type FilterParameter } from "../src/domain/contact/qso-filter.ts";
import type { FilterParameters } from "../src/logbook/contract.ts";
import { assertKnown } from "./values.ts";
import { BOTH_WORDS, toContractWord } from "./words.ts";

/** The names and descriptions of the filter options. */
const FILTERS: readonly (readonly [name: FilterParameter, values: string, meaning: string])[] = [
  ...listFieldsWith("filter").map((field) => {
    const { name, values, meaning } = FIELDS[field].filter;
    return [name, values, meaning] as const;
  }),
  ["from", "date", "from this day (UTC)"],
  ["to", "date", "until the end of this day (UTC)"],
  ["hour", "hours", "started in these hours of the day (UTC), 0 to 23"],
  ["confirmation", "confirmations", Object.keys(CONFIRMATION_WORDS).join(", ")],
  ["at", "services", `recorded by one of these services: ${BOTH_WORDS}`],
  ["notAt", "services", "not recorded by any of these services"],
  ["id", "numbers", "only these QSO numbers"],
  ["q", "text", "text in call, name, QTH, comment or grid"],
  ["search", "words", "several filters in one text, as in a search of qso list"],
];

/** Adds an option for each filter of the log. */
export const addFilterOptions = (command: Command): Command => {
  for (const [name, values, meaning] of FILTERS) command.option(`--${toOption(name)} <${values}>`, meaning);
  return command;
};

/** ownGrid as own-grid. */
export const toOption = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Filters whose values contain service names. */
const ABOUT_SERVICES: readonly FilterParameter[] = ["confirmation", "at", "notAt"];

/** The filters of the given options. */
export const readFilterFlags = (flags: FilterParameters): FilterParameters => {
  assertKnown("--confirmation", "confirmations", flags.confirmation);
  assertKnown("--at", "services", flags.at);
  assertKnown("--not-at", "services", flags.notAt);
  return Object.fromEntries(
    FILTER_PARAMETERS.map((name) => [
      name,
      flags[name] && ABOUT_SERVICES.includes(name) ? toContractWord(flags[name]) : flags[name],
    ]),
  );
};

/** Parses filters given as `name=value`, with the names of the options. */
export const parseFilters = (given: readonly string[]): FilterParameters => {
  const flags: FilterParameters = {};
  for (const text of given) {
    const at = text.indexOf("=");
    if (at < 1) throw new AppError("invalid", `--filter ${JSON.stringify(text)} is not NAME=VALUE.`);
    const typed = text.slice(0, at).toLowerCase();
    const name = FILTER_PARAMETERS.find((known) => [known.toLowerCase(), toOption(known)].includes(typed));
    if (name === undefined) {
      const known = FILTER_PARAMETERS.map(toOption).join(", ");
      throw new AppError("invalid", `There is no filter ${JSON.stringify(typed)}. Use one of ${known}.`);
    }
    flags[name] = text.slice(at + 1);
  }
  return readFilterFlags(flags);
};
