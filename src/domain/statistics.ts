import { WITNESSES } from "./award.ts";
import { compareBands } from "./band.ts";
import { effectiveMode, MODE_GROUPS, type ModeGroup } from "./mode.ts";
import { confirmedFields, WITNESS_BITS } from "./origins/bits.ts";
import { confirmationOf, type Confirmation, type Derived } from "./qso.ts";

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

/** How many contacts have the same mode, band and year, confirmed by the same witnesses. */
export interface ContactGroup extends Pick<Derived, "mode" | "submode" | "modeGroup" | "band" | "year"> {
  /** A mask. */
  confirmedBy: number;
  contacts: number;
}

interface Counted extends Pick<Statistics, "callsigns" | "firstQsoAt" | "lastQsoAt"> {
  groups: readonly ContactGroup[];
  entities: readonly { dxcc: number | null; contacts: number }[];
}

/** Contacts without a band or mode count for the total, the confirmations and the year only. */
export const statisticsOfGroups = ({ groups, entities, callsigns, firstQsoAt, lastQsoAt }: Counted): Statistics => {
  const byBand = sharesOf(groups, ({ band }) => band);
  const byMode = sharesOf(groups, ({ mode, submode, modeGroup }) =>
    modeGroup === null ? null : effectiveMode({ mode, submode, group: modeGroup }),
  );
  return {
    total: groups.reduce((sum, { contacts }) => sum + contacts, 0),
    entities: entities.filter(({ dxcc }) => dxcc !== null).length,
    unknownEntity: entities.find(({ dxcc }) => dxcc === null)?.contacts ?? 0,
    bands: byBand.length,
    modes: byMode.length,
    callsigns,
    confirmation: confirmationsOf(groups),
    byBand: byBand.map(([band, share]) => ({ band, ...share })).sort((a, b) => compareBands(a.band, b.band)),
    byMode: byMode
      .map(([mode, share]) => ({ mode, ...share }))
      .sort((a, b) => b.total - a.total || (a.mode < b.mode ? -1 : 1)),
    byGroup: sharesOf(groups, ({ modeGroup }) => modeGroup)
      .map(([group, share]) => ({ group, ...share }))
      .sort((a, b) => MODE_GROUPS.indexOf(a.group) - MODE_GROUPS.indexOf(b.group)),
    byYear: sharesOf(groups, ({ year }) => year)
      .map(([year, share]) => ({ year, ...share }))
      .sort((a, b) => a.year - b.year),
    firstQsoAt,
    lastQsoAt,
  };
};

const confirmationsOf = (groups: readonly ContactGroup[]): Confirmations => {
  const counts = { none: 0, firstOnly: 0, secondOnly: 0, both: 0, cardOnly: 0, first: 0, second: 0, card: 0, any: 0 };
  for (const { confirmedBy, contacts } of groups) {
    counts[confirmationOf(confirmedFields(confirmedBy))] += contacts;
    for (const witness of WITNESSES) if (confirmedBy & WITNESS_BITS[witness]) counts[witness] += contacts;
    if (confirmedBy !== 0) counts.any += contacts;
  }
  return counts;
};

const sharesOf = <Key>(groups: readonly ContactGroup[], keyOf: (group: ContactGroup) => Key | null): [Key, Share][] => {
  const shares = new Map<Key, Share>();
  for (const group of groups) {
    const key = keyOf(group);
    if (key === null) continue;
    const share = shares.get(key) ?? { total: 0, confirmed: 0 };
    shares.set(key, {
      total: share.total + group.contacts,
      confirmed: share.confirmed + (group.confirmedBy === 0 ? 0 : group.contacts),
    });
  }
  return [...shares];
};
