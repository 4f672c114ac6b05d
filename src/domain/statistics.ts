import { compareBands } from "./band.ts";
import { effectiveMode, MODE_GROUPS, type ModeGroup } from "./mode.ts";
import { CONFIRMATIONS, type Confirmation } from "./qso.ts";

export interface Share {
  total: number;
  /** By anybody: a service, or a card. */
  confirmed: number;
}

export interface Statistics {
  total: number;
  entities: number;
  /** Contacts of which nobody knows the entity. */
  unknownEntity: number;
  bands: number;
  modes: number;
  callsigns: number;
  confirmation: Confirmations;
  byBand: (Share & { band: string })[];
  byMode: (Share & { mode: string })[];
  byGroup: (Share & { group: ModeGroup })[];
  byYear: (Share & { year: number })[];
  firstQsoAt: number | null;
  lastQsoAt: number | null;
}

interface Confirmations extends Record<Confirmation, number> {
  first: number;
  second: number;
  card: number;
  any: number;
}

/** Contacts that have everything the statistics ask about in common. */
export interface AlikeContacts {
  band: string | null;
  mode: string | null;
  submode: string | null;
  modeGroup: ModeGroup | null;
  year: number;
  /** 0 or 1. */
  firstConfirmed: number;
  contacts: number;
  /** How many of them the second service confirmed, a card, and anybody. */
  secondConfirmed: number;
  cardConfirmed: number;
  confirmed: number;
}

type Tally = Pick<
  Statistics,
  "total" | "bands" | "modes" | "confirmation" | "byBand" | "byMode" | "byGroup" | "byYear"
>;

/** Adds up the groups of a log. What has no band or mode counts for the total only. */
export const tally = (groups: readonly AlikeContacts[]): Tally => {
  const bands = new Map<string, Share>();
  const modes = new Map<string, Share>();
  const modeGroups = new Map<ModeGroup, Share>();
  const years = new Map<number, Share>();
  const confirmation: Confirmations = {
    ...(Object.fromEntries(CONFIRMATIONS.map((name) => [name, 0])) as Record<Confirmation, number>),
    first: 0,
    second: 0,
    card: 0,
    any: 0,
  };
  let total = 0;
  for (const group of groups) {
    const { band, mode, submode, modeGroup, year, firstConfirmed, secondConfirmed, confirmed, contacts } = group;
    total += contacts;
    confirmation[firstConfirmed ? "both" : "secondOnly"] += secondConfirmed;
    confirmation[firstConfirmed ? "firstOnly" : "cardOnly"] += confirmed - secondConfirmed;
    confirmation.none += contacts - confirmed;
    confirmation.card += group.cardConfirmed;
    if (band !== null) count(bands, band, contacts, confirmed);
    if (modeGroup !== null) {
      count(modes, effectiveMode({ mode, submode, group: modeGroup }), contacts, confirmed);
      count(modeGroups, modeGroup, contacts, confirmed);
    }
    count(years, year, contacts, confirmed);
  }
  confirmation.first = confirmation.firstOnly + confirmation.both;
  confirmation.second = confirmation.secondOnly + confirmation.both;
  confirmation.any = total - confirmation.none;
  return {
    total,
    bands: bands.size,
    modes: modes.size,
    confirmation,
    byBand: listed(bands, "band").sort((a, b) => compareBands(a.band, b.band)),
    byMode: listed(modes, "mode").sort((a, b) => b.total - a.total || (a.mode < b.mode ? -1 : 1)),
    byGroup: listed(modeGroups, "group").sort((a, b) => MODE_GROUPS.indexOf(a.group) - MODE_GROUPS.indexOf(b.group)),
    byYear: listed(years, "year").sort((a, b) => a.year - b.year),
  };
};

const count = <Key>(shares: Map<Key, Share>, key: Key, total: number, confirmed: number): void => {
  const share = shares.get(key);
  if (!share) return void shares.set(key, { total, confirmed });
  share.total += total;
  share.confirmed += confirmed;
};

const listed = <Name extends string, Key>(shares: Map<Key, Share>, name: Name): (Share & Record<Name, Key>)[] =>
  [...shares].map(([key, share]) => ({ [name]: key, ...share }) as Share & Record<Name, Key>);
