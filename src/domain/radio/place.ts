import type { CallFacts } from "./call-facts.ts";
import { CONTINENTS, type Continent } from "./entities.ts";
import { entityOf, NO_ENTITY } from "./entity.ts";
import type { Derived } from "../contact/qso.ts";
import { cqZoneOfState } from "./state-zones.ts";
import { say, type Voices } from "../contact/voices.ts";
import { numberWithin, upperCased } from "../../kernel/text.ts";

export type Place = Pick<Derived, "dxcc" | "continent" | "cqZone" | "ituZone">;

interface Station {
  call: string;
  at: number;
  /** At sea or in the air: in no entity, whatever a service fills in. Only the user can say otherwise. */
  isMobile: boolean;
  state: string | null;
}

/** An explicit entity wins; otherwise the callsign decides. The state is more reliable than services for the zone. */
export const placeOf = (voices: Voices, facts: CallFacts, { call, at, isMobile, state }: Station): Place => {
  const typed = voices.typed ? [voices.typed] : [];
  const tellers = isMobile ? typed : voices.all;
  const said = say(tellers, "DXCC", entityNumber);
  const found = isMobile || said === NO_ENTITY ? null : facts.locate(call, at);
  const dxcc = said === NO_ENTITY ? null : (said ?? found?.dxcc ?? null);
  const usual = found !== null && found.dxcc === dxcc ? found : dxcc === null ? null : entityOf(dxcc);
  return {
    dxcc,
    continent: say(tellers, "CONT", continent) ?? usual?.continent ?? null,
    cqZone:
      say(typed, "CQZ", cqZone) ??
      cqZoneOfState(dxcc, state) ??
      say(voices.all, "CQZ", cqZone) ??
      usual?.cqZone ??
      null,
    ituZone: say(voices.all, "ITUZ", ituZone) ?? usual?.ituZone ?? null,
  };
};

export const entityNumber = (text: string | undefined): number | null => numberWithin(text, NO_ENTITY, 999);
export const cqZone = (text: string | undefined): number | null => numberWithin(text, 1, 40);
const ituZone = (text: string | undefined): number | null => numberWithin(text, 1, 90);

const continent = (text: string | undefined): Continent | null => {
  const name = upperCased(text);
  return CONTINENTS.find((known) => known === name) ?? null;
};
