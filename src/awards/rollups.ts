import type { SquareTally, Tally } from "../domain/awards/award-tally.ts";
import { WITNESSES, type AwardView } from "../domain/awards/award.ts";
import { applyConfirmedPlace, replaceGrids } from "../domain/contact/confirmed.ts";
import * as storage from "../storage/log/awards.ts";
import type { ContactFilter } from "../storage/log/awards.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { Award, Counted } from "./award.ts";
import { locationFilterOf, type LocationFilter } from "./location.ts";

/** The aggregations read in one transaction. Questions that are asked together read each of them once. */
export class Rollups {
  readonly userId: number;
  readonly #known = new Map<string, unknown>();

  constructor(userId: number) {
    this.userId = userId;
  }

  *once<T>(name: readonly unknown[], read: () => Unit<T>): Unit<T> {
    const key = JSON.stringify(name);
    if (!this.#known.has(key)) this.#known.set(key, yield* read());
    return this.#known.get(key) as T;
  }

  tallies(ground: Award["ground"], filter: ContactFilter): Unit<readonly Counted[]> {
    return this.once(["tallies", ground, filter], () => talliesFor(ground, this.userId, filter));
  }

  location({ wonFrom }: Pick<Award, "wonFrom">, { station, location }: AwardView): Unit<LocationFilter> {
    return this.once(["location", wonFrom, station, location], () =>
      locationFilterOf({ wonFrom }, this.userId, { station, location }),
    );
  }
}

export function* talliesFor(ground: Award["ground"], userId: number, filter: ContactFilter): Unit<readonly Counted[]> {
  const tallies = (yield* storage[ground](userId, filter)) as readonly Tally[] as readonly Counted[];
  return ground === "squares" ? tallies.flatMap(bySquare) : tallies;
}

/** A contact on a border or corner counts for two squares or four. */
export const bySquare = <T extends SquareTally>(tally: T): T[] => {
  const { awardGrids, confirmedAs = null } = tally;
  if (!awardGrids?.includes(",") && !confirmedAs?.includes(",")) return [tally];
  const places = [tally, ...WITNESSES.map((witness) => applyConfirmedPlace(tally, witness))];
  const most = Math.max(...places.map((place) => place.awardGrids?.split(",").length ?? 1));
  return Array.from({ length: most }, (_, at) => {
    const only = (grids: string | null) => grids?.split(",")[at] ?? null;
    return { ...tally, awardGrids: only(awardGrids), confirmedAs: replaceGrids(confirmedAs, only) };
  });
};
