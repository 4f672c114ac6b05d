/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import { entityName } from "../../src/domain/entity.ts";
import type { Gains, Places } from "../../src/domain/gains.ts";
import { PLACE_WORDS } from "../../src/domain/job-words.ts";
import { counted, listed } from "../words.ts";

const NAMES_SHOWN = 10;

/** What was newly worked or confirmed, kind by kind; nothing where there was nothing. */
export const GainsList = ({ gains }: { gains: readonly Gains[] }) => {
  const lines = (["worked", "confirmed"] as const).flatMap((level) =>
    inWords(gains.map((one) => one[level])).map((words) => `Newly ${level}: ${words}`),
  );
  return lines.length === 0 ? (
    ""
  ) : (
    <ul class="plain">
      {lines.map((line) => (
        <li safe>{line}</li>
      ))}
    </ul>
  );
};

const inWords = (places: readonly Places[]): string[] => {
  const all = <K extends keyof Places>(kind: K) => [
    ...new Set(places.flatMap((one) => one[kind] as (string | number)[])),
  ];
  const kinds = (Object.keys(PLACE_WORDS) as (keyof Places)[]).map((kind) => {
    const name = kind === "entities" ? (number: string | number) => entityName(Number(number)) : String;
    return [...PLACE_WORDS[kind], all(kind).map(name)] as const;
  });
  return kinds
    .filter(([, , names]) => names.length > 0)
    .map(([one, many, names]) => `${counted(names.length, one, many)}: ${shortened(names)}.`);
};

const shortened = (names: readonly string[]): string =>
  names.length > NAMES_SHOWN
    ? `${names.slice(0, NAMES_SHOWN).join(", ")} and ${names.length - NAMES_SHOWN} more`
    : listed(names);
