import type { AwardDetail, AwardView } from "../domain/awards/award.ts";
import { type AppError, invalidField } from "../kernel/errors.ts";
import { UNKNOWN } from "../domain/contact/field-texts.ts";
import { FIELDS } from "../domain/contact/fields.ts";
import { formatNumber } from "../kernel/number-text.ts";
import { listCircles, listEntities, isWithin, type OwnLocation } from "../domain/radio/own-place.ts";
import * as storage from "../storage/log/awards.ts";
import type { MadeFrom } from "../storage/log/awards.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { Award } from "./award.ts";

/** The location an award is counted from: which contacts, the name of the place, and the other places. */
export interface LocationFilter {
  madeFrom: readonly MadeFrom[];
  from: OwnLocation | null;
  locations: readonly OwnLocation[];
}

type Asked = Pick<AwardView, "station" | "location">;

export const locationFilterOf = (award: Pick<Award, "wonFrom">, userId: number, asked: Asked): Unit<LocationFilter> =>
  award.wonFrom === "circle" ? circleOf(userId, asked) : entityOf(userId, asked);

/** The chosen entity, or that of the chosen square, or the most frequent one. */
export function* entityOf(userId: number, { station, location }: Asked): Unit<LocationFilter> {
  const places = listEntities(yield* storage.listOwnEntities(userId, { station }));
  const locations = places.map(({ entity: _, ...place }) => place);
  const wanted = location === null || isNumber(location) ? location : yield* entityOfSquare(userId, station, location);
  const at = wanted === null && location === null ? 0 : places.findIndex((place) => place.location === wanted);
  const chosen = places[at];
  if (!chosen && location !== null) throw notFrom(location, locations);
  if (!chosen) return { madeFrom: [], from: null, locations };
  const madeFrom: MadeFrom = { column: "own_entity", values: [chosen.entity], orUnknown: at === 0 };
  return { madeFrom: places.length > 1 ? [madeFrom] : [], from: locations[at]!, locations };
}

/** The circle around the chosen square, or around the most frequent one of the log or entity. */
function* circleOf(userId: number, { station, location }: Asked): Unit<LocationFilter> {
  const within =
    location !== null && isNumber(location) ? (yield* entityOf(userId, { station, location })).madeFrom : [];
  const square = location === null || isNumber(location) ? null : location;
  const circles = listCircles(yield* storage.listOwnGrids(userId, { station, madeFrom: within }));
  const locations = circles.map(({ grids: _, ...place }) => place);
  const at = square === null ? 0 : circles.findIndex(({ grids }) => grids.some((grid) => isWithin(grid, square)));
  const chosen = circles[at];
  if (!chosen && square === null) return { madeFrom: within, from: null, locations };
  const place = chosen ? locations[at]! : { location: square!, label: square!, contacts: 0 };
  const values = chosen?.grids ?? [square!];
  const madeFrom: MadeFrom = { column: "own_grid", values, orUnknown: at === 0 };
  const isAll = circles.length === 1 && at === 0;
  return { madeFrom: isAll ? within : [...within, madeFrom], from: place, locations };
}

function* entityOfSquare(userId: number, station: string | null, square: string): Unit<string | null> {
  const [most] = listEntities(yield* storage.listOwnEntities(userId, { station }, square));
  return most?.location ?? null;
}

/** The filter of the log for the same places. */
export const logFilterOf = ({ madeFrom }: LocationFilter): AwardDetail["madeFrom"] =>
  Object.fromEntries(
    madeFrom.map(({ column, values, orUnknown }) => [
      FIELDS[column === "own_entity" ? "ownEntity" : "ownGrid"].filter.name,
      [...values, ...(orUnknown ? [UNKNOWN] : [])].join(","),
    ]),
  );

const isNumber = (location: string): boolean => /^\d+$/.test(location);

const notFrom = (location: string, places: readonly OwnLocation[]): AppError => {
  const known = places.map(({ location: word, label, contacts }) => `${word} (${label}, ${formatNumber(contacts)})`);
  const advice =
    known.length === 0 ? "Your contacts do not say where you were." : `Choose one of: ${known.join(", ")}.`;
  return invalidField("location", `You made no contacts from ${JSON.stringify(location)}. ${advice}`);
};
