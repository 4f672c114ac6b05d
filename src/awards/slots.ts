import type { AwardView, Confirmer, SlotKey, Witness } from "../domain/award.ts";
import { SAT, WITNESSES } from "../domain/award.ts";
import { isSatellite, isVoid } from "../domain/award-tally.ts";
import type { Award, Counted } from "./award.ts";
import { isCredited } from "./credits.ts";

/** What is known of one slot: when it was first worked, and first confirmed by each witness. */
export interface Filled {
  key: SlotKey;
  /** The band or group it is in, or empty where the award is not split. */
  part: string;
  workedAt: number | null;
  firstAt: number | null;
  secondAt: number | null;
  cardAt: number | null;
  credited: boolean;
}

export type Parts = Map<string, Map<SlotKey, Filled>>;

const UNDIVIDED = "";

/** Puts every contact into the slots it counts for. */
export const fill = (award: Award, tallies: readonly Counted[], view: AwardView): Parts => {
  const parts: Parts = new Map();
  for (const tally of tallies) {
    const part = partOf(award, tally, view);
    if (part === null) continue;
    const own = award.worked(tally);
    const seen = tally.firstAt === null ? null : award.first(tally);
    if (own !== null) {
      const slot = slotIn(parts, part, own);
      slot.workedAt = earlier(slot.workedAt, tally.workedAt);
      slot.secondAt = earlier(slot.secondAt, tally.secondAt);
      slot.cardAt = earlier(slot.cardAt, tally.cardAt);
    }
    if (seen !== null) {
      const slot = slotIn(parts, part, seen);
      slot.firstAt = earlier(slot.firstAt, tally.firstAt);
    }
    const granted = seen ?? own;
    if (granted !== null && tally.credits !== null && isCredited(tally.credits, award, view, part)) {
      slotIn(parts, part, granted).credited = true;
    }
  }
  return parts;
};

/** Where a contact counts under this view; null for nowhere. */
export const partOf = ({ split, takesBand, takesSatellites }: Award, tally: Counted, view: AwardView): string | null => {
  if (isVoid(tally)) return null;
  const isUp = isSatellite(tally);
  if (view.band !== null) {
    if (view.band === SAT ? !isUp : isUp || tally.band !== view.band) return null;
  } else if (isUp ? !takesSatellites : !takesBand(tally.band)) return null;
  if (!split) return UNDIVIDED;
  const part = split.by === "group" ? tally.modeGroup : isUp ? SAT : tally.band;
  if (part == null || (view.band === null && split.parts && !split.parts.includes(part as "cw"))) return null;
  return part;
};

const slotIn = (parts: Parts, part: string, key: SlotKey): Filled => {
  let slots = parts.get(part);
  if (!slots) parts.set(part, (slots = new Map()));
  let slot = slots.get(key);
  if (!slot) {
    slot = { key, part, workedAt: null, firstAt: null, secondAt: null, cardAt: null, credited: false };
    slots.set(key, slot);
  }
  return slot;
};

export const earlier = (a: number | null, b: number | null): number | null => {
  if (a === null) return b;
  return b === null || a <= b ? a : b;
};

export const accepted = ({ accepts }: Award, by: Confirmer): readonly Witness[] => {
  if (by === "sponsor") return accepts;
  return by === "any" ? WITNESSES : [by];
};

const TIMES = { first: "firstAt", second: "secondAt", card: "cardAt" } as const;

export const isConfirmedBy = (slot: Pick<Filled, "firstAt" | "secondAt" | "cardAt">, witness: Witness): boolean =>
  slot[TIMES[witness]] !== null;

/** When one of these witnesses' earliest confirmed contact was made; null where none of them confirms. */
export const confirmedAt = (
  slot: Pick<Filled, "firstAt" | "secondAt" | "cardAt">,
  witnesses: readonly Witness[],
): number | null =>
  witnesses.reduce<number | null>((at, witness) => earlier(at, slot[TIMES[witness]]), null);
