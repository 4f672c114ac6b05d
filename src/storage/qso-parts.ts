import type { AlikeContacts } from "../domain/alike.ts";
import type { QsoListing } from "../domain/qso-filter.ts";
import { sql, raw, tableOf, type Sql } from "./unit.ts";

/** What a part of a list is sorted by before the time. */
export type PartKey = string | number | null;

/** Contacts of a year that are all before or behind those of another part of a list. */
export interface Part {
  key: PartKey;
  year: number;
  alike: AlikeContacts[];
}

type Order = Pick<QsoListing, "sort" | "before">;

/** A list in parts, the first first, from the one in which its cursor is. */
export const partsOf = (
  listing: Order,
  alike: readonly AlikeContacts[],
  keyOf: (contacts: AlikeContacts) => PartKey,
  place: Pick<Part, "key" | "year"> | null,
): Part[] => {
  const parts = new Map<string, Part>();
  for (const contacts of alike) {
    const [key, year] = [keyOf(contacts), contacts.year];
    const name = JSON.stringify([key, year]);
    const part = parts.get(name);
    if (part) part.alike.push(contacts);
    else parts.set(name, { key, year, alike: [contacts] });
  }
  const order = partOrder(listing);
  return [...parts.values()].filter((part) => place === null || order(part, place) >= 0).sort(order);
};

/** As the database puts contacts in order: what is unknown comes last, on the way back first. */
export const partOrder = ({ sort, before }: Order) => {
  const isBack = before !== undefined;
  const direction = sort.descending === isBack ? 1 : -1;
  return (a: Pick<Part, "key" | "year">, b: Pick<Part, "key" | "year">): number => {
    if (a.key === b.key) return (a.year - b.year) * direction;
    if (a.key === null || b.key === null) return (a.key === null) === isBack ? -1 : 1;
    return a.key < b.key ? -direction : direction;
  };
};

/** Takes parts from the front until they hold so many contacts. */
export const takeParts = (parts: Part[], wanted: number): AlikeContacts[] => {
  const taken: AlikeContacts[] = [];
  for (let most = 0; most < wanted && parts.length > 0;) {
    for (const contacts of parts.shift()!.alike) {
      taken.push(contacts);
      most += contacts.contacts;
    }
  }
  return taken;
};

/** What contacts have in common, as a table: each row is one stretch of the index that begins with its columns. */
export const stretchesOf = (alike: readonly AlikeContacts[]): Sql => {
  const known = (value: string | null) => value ?? "";
  return sql`${tableOf({
    wanted_mode: alike.map(({ mode }) => known(mode)),
    wanted_submode: alike.map(({ submode }) => known(submode)),
    wanted_group: alike.map(({ modeGroup }) => known(modeGroup)),
    wanted_band: alike.map(({ band }) => known(band)),
    wanted_year: alike.map(({ year }) => year),
    wanted_first: alike.map(({ firstConfirmed }) => Number(firstConfirmed)),
    wanted_second: alike.map(({ secondConfirmed }) => Number(secondConfirmed)),
    wanted_card: alike.map(({ cardConfirmed }) => Number(cardConfirmed)),
  })} AS wanted`;
};

/** `IS` finds what is unknown in an index too. Only SQLite has it. */
export const IN_STRETCHES = raw(`mode IS nullif(wanted_mode, '') AND submode IS nullif(wanted_submode, '')
  AND mode_group IS nullif(wanted_group, '') AND band IS nullif(wanted_band, '') AND year = wanted_year
  AND first_confirmed = wanted_first AND second_confirmed = wanted_second AND card_confirmed = wanted_card`);
