import { AppError } from "../domain/errors.ts";
import {
  WITNESSES,
  type AwardDetail,
  type AwardId,
  type AwardMatrix,
  type AwardView,
  type Cell,
  type Needed,
  type Progress,
  type Slot,
  type SlotKey,
  type SlotName,
} from "../domain/award.ts";
import type { Tally } from "../domain/award-tally.ts";
import { entityOf } from "../domain/entity.ts";
import * as storage from "../storage/awards.ts";
import type { ContactFilter } from "../storage/awards.ts";
import type { Unit } from "../storage/unit.ts";
import type { Award, Counted } from "./award.ts";
import { AWARDS, awardOf } from "./catalogue.ts";
import { bandOrder, partsOf, progressOf } from "./progress.ts";
import { accepted, confirmedAt, earlier, fill, isConfirmedBy, partOf, type Filled, type Parts } from "./slots.ts";

/** Every award at a glance. */
export function* overview(userId: number, view: AwardView): Unit<Progress[]> {
  const known = new Map<string, readonly Counted[]>();
  const all: Progress[] = [];
  for (const award of AWARDS) {
    const filter = isWithin(award) ? {} : award.filter;
    const name = JSON.stringify([award.ground, filter]);
    const tallies = known.get(name) ?? (yield* talliesFor(award.ground, userId, { ...filter, station: view.station, flagsOnly: true }));
    known.set(name, tallies);
    all.push(progressOf(award, fill(award, tallies, view), view));
  }
  return all;
}

/** States are among the places that are rolled up for the other awards anyway. */
const isWithin = ({ ground, filter }: Award): boolean => ground === "places" && filter?.from === undefined;

/** One award with its slots, each with the contact that earned it. */
export function* detail(userId: number, id: AwardId, view: AwardView): Unit<AwardDetail> {
  const award = awardOf(id);
  const filter = filterOf(award, view);
  const tallies = yield* talliesFor(award.ground, userId, filter);
  const parts = fill(award, tallies, view);
  const slots = slotsIn(parts);
  const ids = yield* contactsBehind(award, userId, view, filter, slots);
  return {
    ...progressOf(award, parts, view),
    ...view,
    parts: partsOf(award, parts, view),
    slots: slots.map((slot) => shown(award, slot, view, ids.get(slot)!)).sort(slotOrder(award)),
    uncounted: award.countsEntities ? uncountedIn(tallies) : null,
  };
}

/** What is left to work, and what to get confirmed. */
export function* needed(userId: number, id: AwardId, view: AwardView): Unit<Needed> {
  const award = awardOf(id);
  const filter = filterOf(award, view);
  const parts = fill(award, yield* talliesFor(award.ground, userId, filter), view);
  const witnesses = accepted(award, view.by);
  const open = slotsIn(parts).filter((slot) => confirmedAt(slot, witnesses) === null);
  const ids = yield* contactsBehind(award, userId, view, filter, open);
  const notConfirmed = open.map((slot) => ({
    ...nameOf(award, slot, view),
    confirmedElsewhere: WITNESSES.filter((witness) => isConfirmedBy(slot, witness)),
    qsoId: ids.get(slot)!,
  }));
  return {
    id,
    label: award.label,
    ...view,
    neverWorked: neverWorked(award, parts, view),
    notConfirmed: notConfirmed.sort(slotOrder(award)),
  };
}

/** What was worked and confirmed on each band there is, the plain counts of 60 m and satellites among them. */
export function* matrix(userId: number, id: AwardId, view: AwardView): Unit<AwardMatrix> {
  const award = awardOf(id);
  const tallies = yield* talliesFor(award.ground, userId, filterOf(award, { ...view, band: null }));
  const whole: AwardView = { ...view, band: null };
  const undivided = { ...award, split: undefined };
  const mixed = fill(undivided, tallies, whole).get("") ?? new Map<SlotKey, Filled>();
  const onBands = fill(onEveryBand(award), tallies, whole);
  const bands = [...onBands.keys()].sort(bandOrder) as AwardMatrix["bands"];
  const keys = new Set([...onBands.values(), mixed].flatMap((slots) => [...slots.keys()]));
  const witnesses = accepted(award, view.by);
  const cell = (slot: Filled | undefined): Cell | null => {
    if (!slot) return null;
    return confirmedAt(slot, witnesses) === null ? "worked" : "confirmed";
  };
  const rows = [...keys].map((key) => ({
    key,
    label: award.nameOf(key),
    mixed: cell(mixed.get(key)),
    cells: bands.map((band) => cell(onBands.get(band)?.get(key))),
  }));
  const columns = [rows.map((row) => row.mixed), ...bands.map((_, index) => rows.map(({ cells }) => cells[index]!))];
  const totals = columns.map((cells) => ({
    worked: cells.filter((state) => state !== null).length,
    confirmed: cells.filter((state) => state === "confirmed").length,
  }));
  const order = slotOrder(award);
  return { id, label: award.label, ...whole, bands, rows: rows.sort(order), totals };
}

const onEveryBand = (award: Award): Award => ({
  ...award,
  split: { by: "band", combination: "sum" },
  takesBand: () => true,
  takesSatellites: true,
});

const filterOf = ({ label, groups, needsTwoWay, filter }: Award, { group, station }: AwardView): ContactFilter => {
  if (group === null) return { ...filter, station };
  if (groups) return { ...filter, ...groups[group], station };
  if (group === "ssb" || group === "am" || group === "rtty") {
    const message = `${label} knows no group ${JSON.stringify(group)}`;
    throw new AppError("invalid", `group: ${message}.`, { fields: [{ path: "group", message }] });
  }
  return { ...filter, group, twoWay: filter?.twoWay ?? needsTwoWay, station };
};

function* talliesFor(ground: Award["ground"], userId: number, filter: ContactFilter): Unit<readonly Counted[]> {
  const tallies = (yield* storage[ground](userId, filter)) as readonly Tally[] as readonly Counted[];
  return ground === "squares" ? tallies.flatMap(bySquare) : tallies;
}

/** A contact on a line or a corner counts for two squares or four. */
const bySquare = (tally: Counted): Counted[] => {
  if (!tally.awardGrids?.includes(",") && !tally.firstGrids?.includes(",")) return [tally];
  const own = tally.awardGrids?.split(",") ?? [];
  const seen = tally.firstGrids?.split(",") ?? [];
  return Array.from({ length: Math.max(own.length, seen.length) }, (_, index) => ({
    ...tally,
    awardGrids: own[index] ?? null,
    firstGrids: seen[index] ?? null,
  }));
};

const slotsIn = (parts: Parts): Filled[] => [...parts.values()].flatMap((slots) => [...slots.values()]);

/** For each slot the earliest contact that confirms it, else the earliest that worked it. */
function* contactsBehind(
  award: Award,
  userId: number,
  view: AwardView,
  filter: ContactFilter,
  slots: readonly Filled[],
): Unit<Map<Filled, number>> {
  const witnesses = accepted(award, view.by);
  const wanted = new Map<string, { slot: Filled; at: number; isConfirmed: boolean }>();
  for (const slot of slots) {
    const at = confirmedAt(slot, witnesses);
    wanted.set(`${slot.part} ${slot.key}`, { slot, at: at ?? earliest(slot), isConfirmed: at !== null });
  }
  const ids = new Map<Filled, number>();
  const times = [...new Set([...wanted.values()].map(({ at }) => at))];
  const contacts = yield* storage.contactsAt(userId, times, filter);
  for (const contact of contacts.flatMap((each) => (award.ground === "squares" ? bySquare(each) : [each as Counted]))) {
    const part = partOf(award, contact, view);
    if (part === null) continue;
    const { id, workedAt } = contact as Counted & { id: number };
    const claim = (key: SlotKey | null, own: Pick<Filled, "firstAt" | "secondAt" | "cardAt">) => {
      const sought = key === null ? undefined : wanted.get(`${part} ${key}`);
      if (!sought || sought.at !== workedAt || ids.has(sought.slot)) return;
      if (!sought.isConfirmed || confirmedAt(own, witnesses) !== null) ids.set(sought.slot, id);
    };
    claim(award.worked(contact), { ...contact, firstAt: null });
    if (contact.firstAt !== null) claim(award.first(contact), { firstAt: contact.firstAt, secondAt: null, cardAt: null });
  }
  return ids;
}

/** Somebody worked or confirmed it, or it would be no slot. */
const earliest = (slot: Filled): number => earlier(slot.workedAt, confirmedAt(slot, WITNESSES))!;

const nameOf = ({ nameOf: named, split }: Award, { key, part }: Pick<Filled, "key" | "part">, view: AwardView): SlotName => ({
  key,
  label: named(key),
  band: split?.by === "band" ? (part as SlotName["band"]) : view.band,
  group: split?.by === "group" ? (part as SlotName["group"]) : view.group,
});

const shown = (award: Award, slot: Filled, view: AwardView, qsoId: number): Slot => ({
  ...nameOf(award, slot, view),
  worked: slot.workedAt !== null,
  confirmed: confirmedAt(slot, accepted(award, view.by)) !== null,
  confirmedBy: {
    first: isConfirmedBy(slot, "first"),
    second: isConfirmedBy(slot, "second"),
    card: isConfirmedBy(slot, "card"),
    any: confirmedAt(slot, WITNESSES) !== null,
  },
  credited: slot.credited,
  qsoId,
});

const neverWorked = (award: Award, parts: Parts, view: AwardView): SlotName[] | null => {
  if (!award.universe) return null;
  const { split } = award;
  const asked = split?.by === "group" ? view.group : view.band;
  const names = !split ? [""] : asked !== null ? [asked] : (split.parts ?? []);
  const order = slotOrder(award);
  return award
    .universe()
    .flatMap((key) =>
      names.filter((part) => !parts.get(part)?.has(key)).map((part) => nameOf(award, { key, part }, view)),
    )
    .sort(order);
};

const GROUP_ORDER = ["cw", "phone", "digital", "image"];

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

const uncountedIn = (tallies: readonly Counted[]): AwardDetail["uncounted"] => {
  const uncounted = { unknownEntity: 0, notValid: 0 };
  for (const { dxcc, awardEntity, contacts } of tallies) {
    if (awardEntity !== null) continue;
    if (dxcc === null || entityOf(dxcc) === null) uncounted.unknownEntity += contacts;
    else uncounted.notValid += contacts;
  }
  return uncounted;
};
