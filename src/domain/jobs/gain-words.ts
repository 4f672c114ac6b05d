import { getEntityName } from "../radio/entity.ts";
import { formatCount } from "../../kernel/number-text.ts";
import type { Places } from "./gains.ts";
import { PLACE_WORDS } from "./job-words.ts";

const NAMES_SHOWN = 10;

const KINDS = Object.keys(PLACE_WORDS) as (keyof Places)[];

/** Joins words to a list: one, two and three. */
export const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** The names of the places, one line for each kind. */
export const describePlaces = (places: readonly Places[]): string[] =>
  KINDS.map((kind) => [kind, listNames(kind, places)] as const)
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${formatCount(names.length, ...PLACE_WORDS[kind])}: ${shortenNames(names)}.`);

/** The number of places: "2 entities, 1 band". Empty if there are none. */
export const describePlaceCounts = (places: Places): string =>
  KINDS.filter((kind) => places[kind].length > 0)
    .map((kind) => formatCount(places[kind].length, ...PLACE_WORDS[kind]))
    .join(", ");

const listNames = (kind: keyof Places, places: readonly Places[]): string[] => {
  const all = [...new Set(places.flatMap((one) => one[kind] as (string | number)[]))];
  return all.map((key) => (kind === "entities" ? getEntityName(Number(key)) : String(key)));
};

const shortenNames = (names: readonly string[]): string =>
  names.length > NAMES_SHOWN
    ? `${names.slice(0, NAMES_SHOWN).join(", ")} and ${names.length - NAMES_SHOWN} more`
    : joinWords(names);
