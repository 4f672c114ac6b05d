import type { ConfirmationWord, QsoFilter } from "./qso-filter.ts";
import { confirmationOf, type Derived } from "./qso.ts";

/** What contacts have in common that lists are mostly asked by. */
export interface Alike extends Pick<Derived, "mode" | "submode" | "modeGroup" | "band" | "year"> {
  firstConfirmed: boolean;
  secondConfirmed: boolean;
  cardConfirmed: boolean;
}

/** Contacts that have it in common, and how many they are. */
export interface AlikeContacts extends Alike {
  contacts: number;
}

/** As it is written, in the order of the index by which such contacts are found; flags are 0 or 1. */
export type NameOfAlike = [
  mode: Alike["mode"],
  submode: Alike["submode"],
  modeGroup: Alike["modeGroup"],
  band: Alike["band"],
  year: number,
  first: number,
  second: number,
  card: number,
];

export const nameOfAlike = (alike: Alike): NameOfAlike => [
  alike.mode,
  alike.submode,
  alike.modeGroup,
  alike.band,
  alike.year,
  Number(alike.firstConfirmed),
  Number(alike.secondConfirmed),
  Number(alike.cardConfirmed),
];

export const alikeOf = ([mode, submode, modeGroup, band, year, first, second, card]: NameOfAlike): Alike => ({
  mode,
  submode,
  modeGroup,
  band,
  year,
  firstConfirmed: first === 1,
  secondConfirmed: second === 1,
  cardConfirmed: card === 1,
});

const SAYS: Record<ConfirmationWord, (alike: Alike) => boolean> = {
  none: (alike) => confirmationOf(alike) === "none",
  firstOnly: (alike) => confirmationOf(alike) === "firstOnly",
  secondOnly: (alike) => confirmationOf(alike) === "secondOnly",
  both: (alike) => confirmationOf(alike) === "both",
  cardOnly: (alike) => confirmationOf(alike) === "cardOnly",
  first: ({ firstConfirmed }) => firstConfirmed,
  second: ({ secondConfirmed }) => secondConfirmed,
  card: ({ cardConfirmed }) => cardConfirmed,
  any: (alike) => confirmationOf(alike) !== "none",
};

/** Whether a contact may fit a filter; it does where the filter asks about nothing else and begins and ends with a year. */
export const mayFit = ({ band, mode, group, confirmation, from, to }: QsoFilter, alike: Alike): boolean =>
  (!band || includes(band, alike.band)) &&
  (!mode || includes(mode, alike.mode) || includes(mode, alike.submode)) &&
  (!group || includes(group, alike.modeGroup)) &&
  (!confirmation || confirmation.some((word) => SAYS[word](alike))) &&
  (from === undefined || startOf(alike.year + 1) > from) &&
  (to === undefined || startOf(alike.year) < to);

const includes = (values: readonly (string | null)[], value: string | null): boolean => values.includes(value);

export const startOf = (year: number): number => Date.UTC(year, 0, 1);

const ASKED = new Set<keyof QsoFilter>(["band", "mode", "group", "confirmation", "from", "to"]);

/** Whether all that a filter asks about is what contacts have in common. */
export const asksOnlyWhatIsAlike = (filter: QsoFilter): boolean =>
  (Object.keys(filter) as (keyof QsoFilter)[]).every((name) => ASKED.has(name));

const isStart = (at: number | undefined): boolean => at === undefined || startOf(new Date(at).getUTCFullYear()) === at;

/** Whether a filter takes years as they are. */
export const takesWholeYears = ({ from, to }: QsoFilter): boolean => isStart(from) && isStart(to);
