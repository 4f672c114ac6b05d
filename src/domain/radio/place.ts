import type { CallFacts } from "./call-facts.ts";
import { CONTINENTS, type Continent } from "./entities.ts";
import { getEntity, NO_ENTITY } from "./entity.ts";
import type { Derived } from "../contact/qso.ts";
import { findCqZone } from "./state-zones.ts";
import { readFirst, type Voices } from "../contact/voices.ts";
import { parseNumberWithin, toUpperCased } from "../../kernel/text.ts";

export type Place = Pick<Derived, "dxcc" | "continent" | "cqZone" | "ituZone">;

interface Station {
  call: string;
  at: number;
  /** At sea or in the air: in no entity, whatever a service fills in. Only the user can say otherwise. */
  isMobile: boolean;
  state: string | null;
}

/** An explicit entity wins; otherwise the callsign decides. The state is more reliable than services for the zone. */
export const findPlace = (voices: Voices, facts: CallFacts, { call, at, isMobile, state }: Station): Place => {
  const typed = voices.typed ? [voices.typed] : [];
  const tellers = isMobile ? typed : voices.all;
  const said = readFirst(tellers, "DXCC", parseEntityNumber);
  const found = isMobile || said === NO_ENTITY ? null : facts.locate(call, at);
  const dxcc = said === NO_ENTITY ? null : (said ?? found?.dxcc ?? null);
  const usual = found !== null && found.dxcc === dxcc ? found : dxcc === null ? null : getEntity(dxcc);
  return {
    dxcc,
    continent: readFirst(tellers, "CONT", parseContinent) ?? usual?.continent ?? null,
    cqZone:
      readFirst(typed, "CQZ", parseCqZone) ??
      findCqZone(dxcc, state) ??
      readFirst(voices.all, "CQZ", parseCqZone) ??
      usual?.cqZone ??
      null,
    ituZone: readFirst(voices.all, "ITUZ", parseItuZone) ?? usual?.ituZone ?? null,
  };
};

export const parseEntityNumber = (text: string | undefined): number | null => parseNumberWithin(text, NO_ENTITY, 999);
export const parseCqZone = (text: string | undefined): number | null => parseNumberWithin(text, 1, 40);
const parseItuZone = (text: string | undefined): number | null => parseNumberWithin(text, 1, 90);

const parseContinent = (text: string | undefined): Continent | null => {
  const name = toUpperCased(text);
  return CONTINENTS.find((known) => known === name) ?? null;
};
