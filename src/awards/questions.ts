import { invalidField } from "../kernel/errors.ts";
import {
  byWitness,
  WITNESSES,
  type AwardDetail,
  type AwardId,
  type AwardMatrix,
  type AwardView,
  type ByWitness,
  type Cell,
  type Needed,
  type Progress,
  type Slot,
  type SlotKey,
  type SlotName,
} from "../domain/awards/award.ts";
import type { Times } from "../domain/awards/award-tally.ts";
import { getEntity } from "../domain/radio/entity.ts";
import type { OwnLocation } from "../domain/radio/own-place.ts";
import { MODE_GROUPS } from "../domain/radio/mode.ts";
import type { ContactFilter } from "../storage/log/awards.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { Award, Counted } from "./award.ts";
import { AWARDS, awardOf } from "./catalogue.ts";
import { bandOrder, partsOf, progressOf } from "./progress.ts";
import { findFirstContacts, slotName } from "./first-contacts.ts";
import {
  accepted,
  anyOf,
  CONFIRMED_BY,
  CREDITED,
  fill,
  modeUnknownIn,
  UNDIVIDED,
  WORKED,
  type Marks,
  type Parts,
} from "./slots.ts";
import { logFilterOf, type LocationFilter } from "./location.ts";
import type { Rollups } from "./rollups.ts";

/** The progress in every award. */
export function* overview(reading: Rollups, view: AwardView): Unit<Progress[]> {
  const all: Progress[] = [];
  for (const award of AWARDS) {
    const { madeFrom, from } = yield* reading.location(award, view);
    const { inStates, ...others } = award.filter ?? {};
    // Contacts without a state count for no state anyway. Without the condition, WAS can use the aggregation of DXCC.
    const narrowed = others.from === undefined ? others : { ...others, inStates };
    const filter = { ...narrowed, station: view.station, madeFrom, flagsOnly: true };
    const tallies = yield* reading.tallies(award.ground, filter);
    const modeUnknown = modeUnknownIn(award, filter, tallies, view);
    all.push(progressOf(award, fill(award, tallies, view), view, { from, modeUnknown }));
  }
  return all;
}

/** The entities that contacts were made from, most frequent first. */
export function* locations(reading: Rollups, view: AwardView): Unit<readonly OwnLocation[]> {
  return (yield* reading.location({ wonFrom: "entity" }, view)).locations;
}

/** One award with its slots and the contact that earned each. */
export function* detail(reading: Rollups, id: AwardId, view: AwardView): Unit<AwardDetail> {
  const look = yield* looked(reading, id, view);
  const { award, stand, filter, tallies, parts } = look;
  const { from, locations } = stand;
  const ids = yield* earliestOf(reading, look);
  const slots = slotsIn(parts).map(({ part, key, marks }): Slot => ({
    ...nameOf(award, part, key, view),
    worked: (marks & WORKED) > 0,
    confirmed: (marks & anyOf(accepted(award, view.by))) > 0,
    confirmedBy: confirmedBy(marks),
    credited: (marks & CREDITED) > 0,
    qsoId: ids.get(slotName(part, key))!,
  }));
  return {
    ...progressOf(award, parts, view, { from, modeUnknown: modeUnknownIn(award, filter, tallies, view) }),
    ...view,
    locations,
    madeFrom: logFilterOf(stand),
    parts: partsOf(award, parts, view),
    slots: slots.sort(slotOrder(award)),
    uncounted: award.countsEntities ? uncountedIn(tallies) : null,
  };
}

/** What was never worked, and what is not confirmed. */
export function* needed(reading: Rollups, id: AwardId, view: AwardView): Unit<Needed> {
  const look = yield* looked(reading, id, view);
  const { award, filter, tallies, parts } = look;
  const enough = anyOf(accepted(award, view.by));
  const ids = yield* earliestOf(reading, look);
  const notConfirmed = slotsIn(parts)
    .filter(({ marks }) => !(marks & enough))
    .map(({ part, key, marks }) => ({
      ...nameOf(award, part, key, view),
      confirmedElsewhere: WITNESSES.filter((witness) => marks & CONFIRMED_BY[witness]),
      qsoId: ids.get(slotName(part, key))!,
    }));
  return {
    id,
    label: award.label,
    ...view,
    modeUnknown: modeUnknownIn(award, filter, tallies, view),
    neverWorked: neverWorked(award, parts, view),
    notConfirmed: notConfirmed.sort(slotOrder(award)),
  };
}

/** What was worked and confirmed on each band, including plain counts for 60 m and satellites. */
export function* matrix(reading: Rollups, id: AwardId, view: AwardView): Unit<AwardMatrix> {
  const whole: AwardView = { ...view, band: null };
  const { award, filter, tallies } = yield* looked(reading, id, whole, true);
  const mixed = fill({ ...award, split: undefined }, tallies, whole).get(UNDIVIDED);
  const onBands = fill(onEveryBand(award), tallies, whole);
  const bands = [...onBands.keys()].sort(bandOrder) as AwardMatrix["bands"];
  const keys = new Set([...onBands.values(), ...(mixed ? [mixed] : [])].flatMap((slots) => [...slots.keys()]));
  const enough = anyOf(accepted(award, view.by));
  const cell = (marks: Marks = 0): Cell | null => (marks & enough ? "confirmed" : marks ? "worked" : null);
  const rows = [...keys].map((key) => ({
    key,
    label: award.nameOf(key),
    mixed: cell(mixed?.get(key)),
    cells: bands.map((band) => cell(onBands.get(band)?.get(key))),
  }));
  const columns = [rows.map((row) => row.mixed), ...bands.map((_, index) => rows.map(({ cells }) => cells[index]!))];
  const totals = columns.map((cells) => ({
    worked: cells.filter((state) => state !== null).length,
    confirmed: cells.filter((state) => state === "confirmed").length,
  }));
  const modeUnknown = modeUnknownIn(award, filter, tallies, whole);
  return { id, label: award.label, ...whole, modeUnknown, bands, rows: rows.sort(slotOrder(award)), totals };
}

interface Look {
  award: Award;
  view: AwardView;
  stand: LocationFilter;
  filter: ContactFilter;
  tallies: readonly (Counted & Times)[];
  parts: Parts;
}

function* looked(reading: Rollups, id: AwardId, view: AwardView, everyBand = view.band !== null): Unit<Look> {
  const award = awardOf(id);
  const { bands, ...others } = filterOf(award, view);
  const stand = yield* reading.location(award, view);
  const { madeFrom } = stand;
  const filter = everyBand ? { ...others, madeFrom } : { ...others, madeFrom, bands };
  return yield* reading.once(["look", id, view, filter], function* () {
    const tallies = (yield* reading.tallies(award.ground, filter)) as readonly (Counted & Times)[];
    return { award, view, stand, filter, tallies, parts: fill(award, tallies, view) };
  });
}

const earliestOf = (reading: Rollups, { award, view, filter, tallies }: Look): Unit<Map<string, number>> =>
  reading.once(["earliest", award.id, view, filter], () =>
    findFirstContacts(award, reading.userId, tallies, view, filter),
  );

const onEveryBand = (award: Award): Award => ({
  ...award,
  split: { by: "band", combination: "sum" },
  takesBand: () => true,
  takesSatellites: true,
});

export const filterOf = (
  { label, groups, needsTwoWay, filter }: Award,
  { group, station }: AwardView,
): ContactFilter => {
  if (group === null) return { ...filter, station };
  if (groups) return { ...filter, ...groups[group], station };
  if (group === "ssb" || group === "am" || group === "rtty") {
    throw invalidField("group", `${label} has no group ${JSON.stringify(group)}.`);
  }
  return { ...filter, group, twoWay: filter?.twoWay ?? needsTwoWay, station };
};

const slotsIn = (parts: Parts) =>
  [...parts].flatMap(([part, slots]) => [...slots].map(([key, marks]) => ({ part, key, marks })));

const nameOf = (award: Award, part: string, key: SlotKey, view: AwardView): SlotName => ({
  key,
  label: award.nameOf(key),
  band: award.split?.by === "band" ? (part as SlotName["band"]) : view.band,
  group: award.split?.by === "group" ? (part as SlotName["group"]) : view.group,
});

const confirmedBy = (marks: Marks): ByWitness<boolean> => ({
  ...byWitness((witness) => (marks & CONFIRMED_BY[witness]) > 0),
  any: (marks & anyOf(WITNESSES)) > 0,
});

const neverWorked = (award: Award, parts: Parts, view: AwardView): SlotName[] | null => {
  if (!award.universe) return null;
  const { split } = award;
  const asked = split?.by === "group" ? view.group : view.band;
  const names = !split ? [UNDIVIDED] : asked !== null ? [asked] : (split.parts ?? []);
  const order = slotOrder(award);
  return award
    .universe()
    .flatMap((key) => names.filter((part) => !parts.get(part)?.has(key)).map((part) => nameOf(award, part, key, view)))
    .sort(order);
};

const GROUP_ORDER: readonly string[] = MODE_GROUPS;

type Named = Pick<SlotName, "key" | "label"> & Partial<Pick<SlotName, "band" | "group">>;

const slotOrder =
  ({ countsEntities }: Award) =>
  (a: Named, b: Named): number => {
    if (a.key !== b.key) {
      const [x, y] = countsEntities ? [a.label, b.label] : [a.key, b.key];
      return x < y ? -1 : x > y ? 1 : 0;
    }
    if (a.band && b.band && a.band !== b.band) return bandOrder(a.band, b.band);
    return GROUP_ORDER.indexOf(a.group ?? "") - GROUP_ORDER.indexOf(b.group ?? "");
  };

const uncountedIn = (tallies: readonly (Counted & Times)[]): AwardDetail["uncounted"] => {
  const uncounted = { unknownEntity: 0, notValid: 0 };
  for (const { dxcc, awardEntity, contacts } of tallies) {
    if (awardEntity !== null) continue;
    if (dxcc === null || getEntity(dxcc) === null) uncounted.unknownEntity += contacts;
    else uncounted.notValid += contacts;
  }
  return uncounted;
};
