import type { AwardView, SlotKey } from "../domain/awards/award.ts";
import type { Times } from "../domain/awards/award-tally.ts";
import { confirmsElsewhere } from "../domain/contact/confirmed.ts";
import * as storage from "../storage/log/awards.ts";
import type { ContactFilter } from "../storage/log/awards.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { Award, Counted } from "./award.ts";
import { accepted, keysElsewhere, partOf } from "./slots.ts";
import { bySquare } from "./rollups.ts";

type Timed = Counted & Times;

/** When a slot was first confirmed by an accepted witness, first confirmed by anyone, and first worked. */
interface SlotTimes {
  confirmedAt: number | null;
  workedAt: number | null;
}

/** For each slot the earliest contact that confirms it, or else the earliest that worked it. */
export function* findFirstContacts(
  award: Award,
  userId: number,
  tallies: readonly Timed[],
  view: AwardView,
  filter: ContactFilter,
): Unit<Map<string, number>> {
  const sought = timesOf(award, tallies, view);
  const wanted = new Set([...sought.values()].map(({ confirmedAt, workedAt }) => confirmedAt ?? workedAt!));
  const ids = new Map<string, number>();
  for (const contact of yield* storage.listContactsAt(userId, [...wanted], filter)) {
    const alone = award.ground === "squares" ? bySquare(contact) : [contact];
    for (const [slot, { confirmedAt, workedAt }] of timesOf(award, alone, view)) {
      const target = sought.get(slot);
      if (!target || ids.has(slot)) continue;
      const isIt = target.confirmedAt === null ? workedAt === target.workedAt : confirmedAt === target.confirmedAt;
      if (isIt) ids.set(slot, contact.id);
    }
  }
  return ids;
}

export const slotName = (part: string, key: SlotKey): string => `${part} ${key}`;

const timesOf = (award: Award, tallies: readonly Timed[], view: AwardView): Map<string, SlotTimes> => {
  const witnesses = accepted(award, view.by);
  const times = new Map<string, SlotTimes>();
  const note = (slot: string, workedAt: number | null, confirmedAt: number | null) => {
    const known = times.get(slot);
    if (!known) return void times.set(slot, { workedAt, confirmedAt });
    known.workedAt = earlier(known.workedAt, workedAt);
    known.confirmedAt = earlier(known.confirmedAt, confirmedAt);
  };
  for (const tally of tallies) {
    const part = partOf(award, tally, view);
    if (part === null) continue;
    const own = award.keyOf(tally);
    const confirmedAt = witnesses
      .map((witness) => (confirmsElsewhere(tally, witness) ? null : tally[`${witness}At`]))
      .reduce(earlier, null);
    if (own !== null) note(slotName(part, own), tally.workedAt, confirmedAt);
    for (const { key, witness } of keysElsewhere(award, tally)) {
      const at = tally[`${witness}At`];
      note(slotName(part, key), at, witnesses.includes(witness) ? at : null);
    }
  }
  return times;
};

const earlier = (a: number | null, b: number | null): number | null => {
  if (a === null) return b;
  return b === null || a <= b ? a : b;
};
