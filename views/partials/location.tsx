/** @jsxImportSource @kitajs/html */
import type { OwnLocation } from "../../src/domain/radio/own-place.ts";
import { Choice } from "../form.tsx";
import { grouped } from "../words.ts";
import { AWARD_TEXTS } from "../texts/awards.ts";

const WORDS = AWARD_TEXTS.location;

interface Props {
  locations: readonly OwnLocation[];
}

/** Selects one of the places from which contacts were made. */
export const Location = ({ locations, asked }: Props & { asked: string }) => {
  if (locations.length < 2 && asked === "") return "";
  const known = locations.map(
    ({ location, label, contacts }) => [location, `${label} (${grouped(contacts)})`] as const,
  );
  const other = asked === "" || locations.some(({ location }) => location === asked) ? [] : [[asked, asked] as const];
  return (
    <Choice
      form="view"
      name="location"
      label={WORDS.madeFrom}
      options={[["", WORDS.usual], ...known, ...other]}
      value={asked}
    />
  );
};

/** Shows the place of the figures, if there are several. */
export const From = ({ from, locations }: Props & { from: OwnLocation | null }) =>
  from === null || locations.length < 2 ? (
    ""
  ) : (
    <p class="muted" safe>
      {WORDS.basedOn(from.contacts, from.label)}
    </p>
  );
