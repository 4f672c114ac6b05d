import type { AwardView, SlotKey } from "../domain/awards/award.ts";
import { byWitness, SAT } from "../domain/awards/award.ts";
import { isSatellite } from "../domain/awards/award-tally.ts";
import { MODE_GROUPS, type ModeGroup } from "../domain/radio/mode.ts";
import type { AwardNeed, NeedState } from "../domain/awards/need.ts";
import type { Derived } from "../domain/contact/qso.ts";
import { defineWork } from "../storage/engine/database.ts";
import { readLog } from "../storage/log/large-log.ts";
import type { Waiting } from "../storage/engine/reader-threads.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { World } from "../world.ts";
import type { ContactFilter } from "../storage/log/awards.ts";
import type { Award, Counted } from "./award.ts";
import { AWARDS } from "./catalogue.ts";
import { tallyOf } from "./gains.ts";
import { filterOf } from "./questions.ts";
import { accepted, anyOf, fill, partOf, type Parts } from "./slots.ts";
import { bySquare, Rollups } from "./rollups.ts";

/** How contacts are counted: all together, or those of one mode group. */
type Group = ModeGroup | null;

const viewOf = (band: AwardView["band"], group: Group): AwardView => ({
  band,
  group,
  by: "sponsor",
  station: null,
  location: null,
});

/** The slots of each award, by the names of award, band and mode group. */
type NeedIndex = Map<string, Parts>;

const nameOf = ({ id }: Award, { band, group }: AwardView): string => `${id} ${band} ${group}`;

/** Prepares an index that answers for any contact. */
export const needIndex = async (
  { db, cache }: Pick<World, "db" | "cache">,
  userId: number,
  waiting?: Waiting,
): Promise<Ask> => {
  const index = await cache.getOrCompute(userId, "need", (all) => readLog(db, needWork, { userId }, all), waiting);
  return (qso) => {
    const tally = countedOf(qso);
    return AWARDS.flatMap((award) => needOf(index, award, tally));
  };
};

/** Returns what a contact, as it would be derived, adds to awards. */
export type Ask = (qso: Derived) => AwardNeed[];

export const needWork = defineWork("need.index", "read", ({ userId }: { userId: number }) => indexOf(userId));

/** Counts the same contacts as `needed`. Each aggregation is read once, with the mode groups apart. */
function* indexOf(userId: number): Unit<NeedIndex> {
  const reading = new Rollups(userId);
  const index: NeedIndex = new Map();
  for (const award of AWARDS) {
    const { madeFrom } = yield* reading.location(award, viewOf(null, null));
    for (const group of [null, ...MODE_GROUPS]) {
      const all = viewOf(null, group);
      if (group !== null && award.goal(all) === null) continue;
      const filter = { ...aggregationFor(filterOf(award, all)), madeFrom, flagsOnly: true };
      const read = yield* reading.tallies(award.ground, filter);
      const tallies = group === null ? read : read.filter(({ modeGroup = group }) => modeGroup === group);
      index.set(nameOf(award, all), fill(award, tallies, all));
      for (const [band, some] of Map.groupBy(tallies, bandOf)) {
        const view = viewOf(band, group);
        if (band !== null && award.goal(view) !== null) index.set(nameOf(award, view), fill(award, some, view));
      }
    }
  }
  return index;
}

/** A filter that as many awards and groups as possible share. Contacts without a state count for no state anyway. */
const aggregationFor = (filter: ContactFilter): ContactFilter => {
  // Bands that count together have no award of their own, and prefixes have no index by mode group.
  if (filter.bands) return filter;
  const { group: _, inStates, ...shared } = filter;
  return { ...shared, ...(filter.twoWay && { inStates }), byGroup: true };
};

const bandOf = (tally: Counted): AwardView["band"] => (isSatellite(tally) ? SAT : (tally.band as AwardView["band"]));

const needOf = (index: NeedIndex, award: Award, tally: Hypothetical): AwardNeed[] => {
  const tallies = award.ground === "squares" ? bySquare(tally) : [tally];
  return tallies.flatMap((one) => {
    const key = award.keyOf(one);
    return key === null ? [] : (slotOf(index, award, one, key) ?? []);
  });
};

const slotOf = (index: NeedIndex, award: Award, tally: Hypothetical, key: SlotKey): AwardNeed | null => {
  const band = bandOf(tally);
  const group = tally.modeGroup ?? null;
  const stateIn = (band: AwardView["band"], group: Group) => stateOf(index, award, tally, key, viewOf(band, group));
  const state = stateIn(null, null);
  const onBand = band === null ? null : stateIn(band, null);
  const inGroup = group === null ? null : stateIn(null, group);
  const onBandInGroup = band === null || group === null ? null : stateIn(band, group);
  if (state === null && onBand === null && inGroup === null) return null;
  const { id, label } = award;
  return { award: id, label, key, name: award.nameOf(key), state, onBand, inGroup, onBandInGroup };
};

/** Null if there is no such award, or the contact does not count for it. */
const stateOf = (
  index: NeedIndex,
  award: Award,
  tally: Hypothetical,
  key: SlotKey,
  view: AwardView,
): NeedState | null => {
  if ((view.band !== null || view.group !== null) && award.goal(view) === null) return null;
  const { mode, notMode, from } = filterOf(award, view);
  if ((mode != null && mode !== tally.mode) || (notMode != null && notMode === tally.mode)) return null;
  if (from != null && tally.startedAt < from) return null;
  const part = partOf(award, tally, view);
  if (part === null) return null;
  const marks = index.get(nameOf(award, view))?.get(part)?.get(key);
  if (marks === undefined) return "neverWorked";
  return marks & anyOf(accepted(award, "sponsor")) ? "confirmed" : "notConfirmed";
};

type Hypothetical = Counted & { startedAt: number; mode: string | null };

const countedOf = (qso: Derived): Hypothetical =>
  ({ ...tallyOf(qso), credits: null, ...byWitness(() => 0) }) as unknown as Hypothetical;
