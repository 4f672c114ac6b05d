import type { Witness } from "../awards/award.ts";
import { compareBands } from "../radio/band.ts";
import { getModeName, MODE_GROUPS, type ModeGroup } from "../radio/mode.ts";
import type { Confirmation, Derived } from "../contact/qso.ts";

export interface Share {
  total: number;
  /** By a service or a card. */
  confirmed: number;
}

export interface Statistics {
  total: number;
  entities: number;
  /** Contacts with an unknown entity. */
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

interface Confirmations extends Record<Confirmation | Witness, number> {
  any: number;
}

/** The number of contacts with the same mode, band and year, and how many each witness confirmed. */
export interface ContactGroup
  extends Pick<Derived, "mode" | "submode" | "modeGroup" | "band" | "year">, Record<Witness, number> {
  contacts: number;
  /** By both services. */
  both: number;
  /** By a service or a card. */
  any: number;
}

interface Counted extends Pick<Statistics, "entities" | "unknownEntity" | "callsigns" | "firstQsoAt" | "lastQsoAt"> {
  groups: readonly ContactGroup[];
}

/** Contacts without band or mode only count for the total, the confirmations and the year. */
export const computeStatistics = ({ groups, ...counted }: Counted): Statistics => {
  const { entities, unknownEntity, callsigns, firstQsoAt, lastQsoAt } = counted;
  const total = sumCounts(groups, "contacts");
  const [first, second, both, card, any] = (["first", "second", "both", "card", "any"] as const).map((name) =>
    sumCounts(groups, name),
  ) as [number, number, number, number, number];
  const byBand = computeShares(groups, ({ band }) => band);
  const byMode = computeShares(groups, ({ mode, submode, modeGroup }) =>
    modeGroup === null ? null : getModeName({ mode, submode, group: modeGroup }),
  );
  return {
    total,
    entities,
    unknownEntity,
    bands: byBand.length,
    modes: byMode.length,
    callsigns,
    confirmation: {
      none: total - any,
      firstOnly: first - both,
      secondOnly: second - both,
      both,
      cardOnly: any - (first + second - both),
      first,
      second,
      card,
      any,
    },
    byBand: byBand.map(([band, share]) => ({ band, ...share })).sort((a, b) => compareBands(a.band, b.band)),
    byMode: byMode
      .map(([mode, share]) => ({ mode, ...share }))
      .sort((a, b) => b.total - a.total || (a.mode < b.mode ? -1 : 1)),
    byGroup: computeShares(groups, ({ modeGroup }) => modeGroup)
      .map(([group, share]) => ({ group, ...share }))
      .sort((a, b) => MODE_GROUPS.indexOf(a.group) - MODE_GROUPS.indexOf(b.group)),
    byYear: computeShares(groups, ({ year }) => year)
      .map(([year, share]) => ({ year, ...share }))
      .sort((a, b) => a.year - b.year),
    firstQsoAt,
    lastQsoAt,
  };
};

const sumCounts = (groups: readonly ContactGroup[], name: "contacts" | "first" | "second" | "both" | "card" | "any") =>
  groups.reduce((sum, group) => sum + group[name], 0);

const computeShares = <Key>(
  groups: readonly ContactGroup[],
  keyOf: (group: ContactGroup) => Key | null,
): [Key, Share][] => {
  const shares = new Map<Key, Share>();
  for (const group of groups) {
    const key = keyOf(group);
    if (key === null) continue;
    const share = shares.get(key) ?? { total: 0, confirmed: 0 };
    shares.set(key, { total: share.total + group.contacts, confirmed: share.confirmed + group.any });
  }
  return [...shares];
};
