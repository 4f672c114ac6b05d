import { getEntityName } from "../radio/entity.ts";
import { formatCount } from "../../kernel/number-text.ts";
import { joinSome } from "../../kernel/text.ts";
import { PLACE_KINDS, type Places } from "./gains.ts";
import { PLACE_WORDS } from "./job-words.ts";

const NAMES_SHOWN = 10;

/** The names of the places, one line for each kind. */
export const describePlaces = (places: readonly Places[]): string[] =>
  PLACE_KINDS.map((kind) => [kind, listNames(kind, places)] as const)
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${formatCount(names.length, ...PLACE_WORDS[kind])}: ${joinSome(names, NAMES_SHOWN)}.`);

/** The number of places: "2 entities, 1 band". Empty if there are none. */
export const describePlaceCounts = (places: Places): string =>
  PLACE_KINDS.filter((kind) => places[kind].length > 0)
    .map((kind) => formatCount(places[kind].length, ...PLACE_WORDS[kind]))
    .join(", ");

const listNames = (kind: keyof Places, places: readonly Places[]): string[] => {
  const all = [...new Set(places.flatMap((one) => one[kind] as (string | number)[]))];
  return all.map((key) => (kind === "entities" ? getEntityName(Number(key)) : String(key)));
};
