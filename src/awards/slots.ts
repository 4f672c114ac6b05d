import {
  SAT,
  WITNESSES,
  type AwardView,
  type Confirmer,
  type SlotKey,
  type Witness,
  byWitness,
} from "../domain/awards/award.ts";
import { isSatellite, isVoid } from "../domain/awards/award-tally.ts";
import { applyConfirmedPlace, confirmsElsewhere } from "../domain/contact/confirmed.ts";
import { MODE_WITNESS } from "../domain/origins/origins.ts";
import type { ContactFilter } from "../storage/log/awards.ts";
import type { Award, Counted } from "./award.ts";
import { isCredited } from "./credits.ts";

/** The state of a slot, as bits: worked, confirmed by each witness, credited. */
export type Marks = number;

export const WORKED = 1;
export const CONFIRMED_BY: Record<Witness, Marks> = byWitness((witness) => 2 << WITNESSES.indexOf(witness));
export const CREDITED = 16;

/** The slots of each band or group. An award that is not split has one part without a name. */
export type Parts = Map<string, Map<SlotKey, Marks>>;

export const UNDIVIDED = "";

/** Adds every contact to the slots that it counts for. */
export const fill = (award: Award, tallies: readonly Counted[], view: AwardView, parts: Parts = new Map()): Parts => {
  for (const tally of tallies) {
    const own = award.keyOf(tally);
    const elsewhere = keysElsewhere(award, tally);
    if (own === null && elsewhere.length === 0) continue;
    const name = partOf(award, tally, view);
    if (name === null) continue;
    let slots = parts.get(name);
    if (!slots) parts.set(name, (slots = new Map()));
    if (own !== null) mark(slots, own, ownMarks(tally));
    for (const { key, witness } of elsewhere) mark(slots, key, CONFIRMED_BY[witness]);
    const granted = elsewhere[0]?.key ?? own;
    if (granted !== null && tally.credits !== null && isCredited(tally.credits, award, view, name)) {
      mark(slots, granted, CREDITED);
    }
  }
  return parts;
};

/** What counts for the place that the user entered. */
const ownMarks = (tally: Counted): Marks =>
  WORKED | anyOf(WITNESSES.filter((witness) => tally[witness] && !confirmsElsewhere(tally, witness)));

interface KeyElsewhere {
  key: SlotKey;
  witness: Witness;
}

const NONE: readonly KeyElsewhere[] = [];

/** The slots that contacts count for because a witness confirmed another place. */
export const keysElsewhere = (award: Award, tally: Counted): readonly KeyElsewhere[] =>
  tally.confirmedAs == null
    ? NONE
    : WITNESSES.flatMap((witness) => {
        if (!tally[witness] || !confirmsElsewhere(tally, witness)) return [];
        const key = award.keyOf(applyConfirmedPlace(tally, witness));
        return key === null ? [] : [{ key, witness }];
      });

const mark = (slots: Map<SlotKey, Marks>, key: SlotKey, marks: Marks): void => {
  const known = slots.get(key);
  if (known === undefined || (known & marks) !== marks) slots.set(key, (known ?? 0) | marks);
};

/**
 * How many contacts would count as confirmed if both sides' modes were known; null if the award does not ask for them.
 */
export const modeUnknownIn = (
  award: Award,
  { twoWay }: ContactFilter,
  tallies: readonly Counted[],
  view: AwardView,
): number | null => {
  if (!twoWay) return null;
  const counting = tallies.filter(
    (tally) => partOf(award, tally, view) !== null && award.keyOf(applyConfirmedPlace(tally, MODE_WITNESS)) !== null,
  );
  return counting.reduce((sum, { modeUnknown = 0 }) => sum + modeUnknown, 0);
};

/** The band or group under which a contact counts in this view, or null. */
export const partOf = (
  { split, takesBand, takesSatellites }: Award,
  tally: Counted,
  view: AwardView,
): string | null => {
  if (tally.propMode !== null && isVoid(tally)) return null;
  const isUp = isSatellite(tally);
  if (view.band !== null) {
    if (view.band === SAT ? !isUp : isUp || tally.band !== view.band) return null;
  } else if (isUp ? !takesSatellites : !takesBand(tally.band)) return null;
  if (!split) return UNDIVIDED;
  const part = split.by === "group" ? tally.modeGroup : isUp ? SAT : tally.band;
  if (part == null || (split.by === "group" && !split.parts!.includes(part as "cw"))) return null;
  return part;
};

export const accepted = ({ accepts }: Award, by: Confirmer): readonly Witness[] => {
  if (by === "sponsor") return accepts;
  return by === "any" ? WITNESSES : [by];
};

/** The marks of these witnesses; one is enough. */
export const anyOf = (witnesses: readonly Witness[]): Marks =>
  witnesses.reduce((marks, witness) => marks | CONFIRMED_BY[witness], 0);
