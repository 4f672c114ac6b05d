import { parseAwardView, type AwardId, type SlotKey } from "../domain/awards/award.ts";
import { SQUARE_BANDS } from "../domain/awards/award-tally.ts";
import { encodeConfirmedAs } from "../domain/contact/confirmed.ts";
import type { AwardChange, Difference } from "../domain/jobs/preview-words.ts";
import { getEntityName } from "../domain/radio/entity.ts";
import type { Derived } from "../domain/contact/qso.ts";
import type { ContactFilter } from "../storage/log/awards.ts";
import * as qsos from "../storage/log/qsos.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { Award, Counted } from "./award.ts";
import { AWARDS } from "./catalogue.ts";
import { tallyOf } from "./gains.ts";
import { accepted, anyOf, fill, UNDIVIDED, WORKED, type Marks, type Parts } from "./slots.ts";
import { bySquare, Rollups, talliesFor } from "./rollups.ts";

export interface AwardDifference extends AwardChange {
  id: AwardId;
}

const VIEW = parseAwardView({});

interface Standing {
  award: Award;
  filter: ContactFilter;
  /** The slots of the contacts added so far. */
  parts: Parts;
}

/** Computes what awards would gain and lose if some contacts changed. Only slots are kept in memory. */
export class AwardsAfter {
  readonly #userId: number;
  readonly #standings: readonly Standing[];

  private constructor(userId: number, standings: readonly Standing[]) {
    this.#userId = userId;
    this.#standings = standings;
  }

  static *of(userId: number): Unit<AwardsAfter> {
    const reading = new Rollups(userId);
    const standings: Standing[] = [];
    for (const award of AWARDS) {
      const { madeFrom } = yield* reading.location(award, VIEW);
      standings.push({ award, filter: { ...award.filter, madeFrom, flagsOnly: true }, parts: new Map() });
    }
    return new AwardsAfter(userId, standings);
  }

  /** A contact after the change. */
  add(qso: Derived): void {
    const [anyWay, twoWay] = [false, true].map((isTwoWay) => tallyOf(qso, isTwoWay) as unknown as Counted);
    for (const { award, filter, parts } of this.#standings) {
      if (!meets(award, filter, qso)) continue;
      const tally = filter.twoWay ? twoWay! : anyWay!;
      fill(award, award.ground === "squares" ? bySquare(tally) : [tally], VIEW, parts);
    }
  }

  /**
   * The awards that would change if these contacts were replaced. Awards that count the same contacts are computed
   * together, and their counts are dropped before the next ones.
   */
  *differences(touched: ReadonlySet<number>): Unit<AwardDifference[]> {
    if (touched.size === 0) return [];
    const isAll = (yield* qsos.count(this.#userId)) === touched.size;
    const except = isAll ? null : [...touched];
    const differences = new Map<Award, AwardDifference>();
    const alike = ({ award, filter }: Standing) => JSON.stringify([award.ground, filter]);
    for (const standings of Map.groupBy(this.#standings, alike).values()) {
      const {
        award: { ground },
        filter,
      } = standings[0]!;
      const now = yield* talliesFor(ground, this.#userId, filter);
      const others = except === null ? [] : yield* talliesFor(ground, this.#userId, { ...filter, except });
      for (const { award, parts } of standings)
        differences.set(award, differenceOf(award, fill(award, now, VIEW), fill(award, others, VIEW, parts)));
    }
    return this.#standings
      .map(({ award }) => differences.get(award)!)
      .filter(({ worked, confirmed }) =>
        [worked, confirmed].some(({ gained, lost }) => gained.length + lost.length > 0),
      );
  }
}

/** The same condition as in the SQL of the aggregations, for a contact that is not stored yet. */
const meets = (award: Award, filter: ContactFilter, qso: Derived): boolean => {
  const { from, inStates, bands, madeFrom = [] } = filter;
  if (from != null && qso.startedAt < from) return false;
  if (inStates && qso.awardState === null && encodeConfirmedAs(qso) === null) return false;
  if (bands && !(qso.band !== null && bands.includes(qso.band) && qso.propMode !== "SAT")) return false;
  if (!madeFrom.every((place) => isFrom(place, qso))) return false;
  if (award.ground === "places") return true;
  if (award.ground === "prefixes") return qso.prefix !== null;
  if (award.ground === "islands") return qso.iota !== null;
  return qso.propMode === "SAT" || SQUARE_BANDS.includes(qso.band ?? "");
};

const isFrom = (
  { column, values, orUnknown }: NonNullable<ContactFilter["madeFrom"]>[number],
  qso: Derived,
): boolean => {
  const place = column === "own_entity" ? qso.ownEntity : qso.ownGrid;
  return place === null ? orUnknown : (values as readonly unknown[]).includes(place);
};

const differenceOf = (award: Award, before: Parts, after: Parts): AwardDifference => {
  const confirmed = anyOf(accepted(award, VIEW.by));
  return {
    id: award.id,
    label: award.label,
    worked: between(namesIn(award, before, WORKED), namesIn(award, after, WORKED)),
    confirmed: between(namesIn(award, before, confirmed), namesIn(award, after, confirmed)),
  };
};

const namesIn = (award: Award, parts: Parts, marks: Marks): Set<string> =>
  new Set(
    [...parts].flatMap(([part, slots]) =>
      [...slots].filter(([, known]) => known & marks).map(([key]) => slotInWords(award, part, key)),
    ),
  );

const slotInWords = (award: Award, part: string, key: SlotKey): string => {
  const name = award.countsEntities ? getEntityName(Number(key)) : award.nameOf(key);
  return part === UNDIVIDED ? name : `${name} (${part})`;
};

const between = (before: Set<string>, after: Set<string>): Difference => ({
  gained: [...after].filter((name) => !before.has(name)).sort(),
  lost: [...before].filter((name) => !after.has(name)).sort(),
});
