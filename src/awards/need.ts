import type { AwardId, AwardView, SlotKey } from "../domain/awards/award.ts";
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
import type { Award, Counted } from "./award.ts";
import { AWARDS } from "./catalogue.ts";
import { tallyOf } from "./gains.ts";
import { filterOf, talliesFor } from "./questions.ts";
import { accepted, anyOf, fill, partOf, type Parts } from "./slots.ts";
import { bySquare } from "./squares.ts";
import { locationFilterOf } from "./location.ts";

/** How contacts are looked at: together, or those of one group of modes by themselves. */
type Group = ModeGroup | null;

const viewOf = (band: AwardView["band"], group: Group): AwardView => ({
  band,
  group,
  by: "sponsor",
  station: null,
  location: null,
});

/** What the roll-ups of one look at a log gave: each award has the place of its own in `grounds`. */
interface Look {
  grounds: readonly (readonly Counted[])[];
  groundOf: Partial<Record<AwardId, number>>;
}

/** One look at a log for each group of modes, and what was worked out from them. */
class NeedIndex {
  readonly looks: ReadonlyMap<Group, Look>;
  readonly #parts = new Map<string, Parts>();
  readonly #answers = new Map<AwardId, Map<string, AwardNeed | null>>();

  constructor(looks: ReadonlyMap<Group, Look>) {
    this.looks = looks;
  }

  /** The slots of an award in a view; null where the award is not counted so. */
  partsOf(award: Award, band: AwardView["band"], group: Group): Parts | null {
    const name = `${award.id} ${band} ${group}`;
    const known = this.#parts.get(name);
    if (known) return known;
    const look = this.looks.get(group);
    const ground = look?.groundOf[award.id];
    if (!look || ground === undefined) return null;
    const parts = fill(award, look.grounds[ground]!, viewOf(band, group));
    this.#parts.set(name, parts);
    return parts;
  }

  /** Few slots are asked for by many calls. */
  answerTo({ id }: Award, question: string, find: () => AwardNeed | null): AwardNeed | null {
    let answers = this.#answers.get(id);
    if (!answers) this.#answers.set(id, (answers = new Map()));
    let answer = answers.get(question);
    if (answer === undefined) answers.set(question, (answer = find()));
    return answer;
  }
}

/** Ready to answer for any contact. */
export const needIndex = async (
  { db, cache }: Pick<World, "db" | "cache">,
  userId: number,
  waiting?: Waiting,
): Promise<Ask> => {
  const sheet = await cache.getOrCompute(
    userId,
    "need",
    async (all) => new NeedIndex(await readLog(db, needWork, { userId }, all)),
    waiting,
  );
  return (qso) => {
    const tally = countedOf(qso);
    const { band, propMode, mode, modeGroup } = qso;
    const where = `${band} ${propMode} ${mode} ${modeGroup}`;
    return AWARDS.flatMap((award) => needOf(sheet, award, tally, where));
  };
};

/** What a contact, as it would be derived, would be worth. */
export type Ask = (qso: Derived) => AwardNeed[];

/** The same contacts that `needed` looks at; awards that look at the same ones share a roll-up. */
function* look(userId: number, group: Group): Unit<Look> {
  const view = viewOf(null, group);
  const stands = {
    entity: yield* locationFilterOf({ wonFrom: "entity" }, userId, view),
    circle: yield* locationFilterOf({ wonFrom: "circle" }, userId, view),
  };
  const places = new Map<string, number>();
  const grounds: (readonly Counted[])[] = [];
  const groundOf: Look["groundOf"] = {};
  for (const award of AWARDS) {
    const { bands: _, ...others } = filterOf(award, view);
    const filter = { ...others, madeFrom: stands[award.wonFrom].madeFrom, flagsOnly: true };
    const name = JSON.stringify([award.ground, filter]);
    let place = places.get(name);
    if (place === undefined) {
      place = grounds.push(yield* talliesFor(award.ground, userId, filter)) - 1;
      places.set(name, place);
    }
    groundOf[award.id] = place;
  }
  return { grounds, groundOf };
}

export const needWork = defineWork("need.looks", "read", function* ({ userId }: { userId: number }): Unit<
  Map<Group, Look>
> {
  const looks = new Map<Group, Look>();
  for (const group of [null, ...MODE_GROUPS]) looks.set(group, yield* look(userId, group));
  return looks;
});

const needOf = (sheet: NeedIndex, award: Award, tally: Hypothetical, where: string): AwardNeed[] => {
  const tallies = award.ground === "squares" ? bySquare(tally) : [tally];
  return tallies.flatMap((one) => {
    const key = award.keyOf(one);
    if (key === null) return [];
    const known = sheet.answerTo(award, `${key} ${where}`, () => slotOf(sheet, award, one, key));
    return known === null ? [] : [known];
  });
};

const slotOf = (sheet: NeedIndex, award: Award, tally: Hypothetical, key: SlotKey): AwardNeed | null => {
  const band = isSatellite(tally) ? SAT : (tally.band as AwardView["band"]);
  const group = tally.modeGroup ?? null;
  const asked = { sheet, award, tally, key };
  const state = stateIn(asked, null, null);
  const onBand = band === null ? null : stateIn(asked, band, null);
  const inGroup = group === null ? null : stateIn(asked, null, group);
  const onBandInGroup = band === null || group === null ? null : stateIn(asked, band, group);
  if (state === null && onBand === null && inGroup === null) return null;
  const { id, label } = award;
  return { award: id, label, key, name: award.nameOf(key), state, onBand, inGroup, onBandInGroup };
};

interface Asked {
  sheet: NeedIndex;
  award: Award;
  tally: Hypothetical;
  key: SlotKey;
}

/** Null where there is no such award, or the contact does not count for it. */
const stateIn = ({ sheet, award, tally, key }: Asked, band: AwardView["band"], group: Group): NeedState | null => {
  const view = viewOf(band, group);
  if ((band !== null || group !== null) && award.goal(view) === null) return null;
  const { mode, notMode, from } = filterOf(award, view);
  if ((mode != null && mode !== tally.mode) || (notMode != null && notMode === tally.mode)) return null;
  if (from != null && tally.startedAt < from) return null;
  const part = partOf(award, tally, view);
  const slots = part === null ? null : sheet.partsOf(award, band, group);
  if (part === null || slots === null) return null;
  const marks = slots.get(part)?.get(key);
  if (marks === undefined) return "neverWorked";
  return marks & anyOf(accepted(award, "sponsor")) ? "confirmed" : "notConfirmed";
};

type Hypothetical = Counted & { startedAt: number; mode: string | null };

const countedOf = (qso: Derived): Hypothetical =>
  ({ ...tallyOf(qso), credits: null, ...byWitness(() => 0) }) as unknown as Hypothetical;
