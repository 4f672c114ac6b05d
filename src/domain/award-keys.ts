import type { Fields } from "./adif-record.ts";
import { firstWitness } from "./confirmations.ts";
import { isValidOn } from "./entity.ts";
import { squaresIn } from "./grid-squares.ts";
import type { Layers } from "./layers.ts";
import { cqZone, entityNumber } from "./place.ts";
import type { Derived } from "./qso.ts";
import { cqZoneOfState } from "./state-zones.ts";
import { awardState } from "./us-states.ts";
import { ask, type Voices } from "./voices.ts";
import { told, word } from "./words.ts";

type AwardKeys = Pick<
  Derived,
  | "awardEntity"
  | "awardState"
  | "awardZone"
  | "awardGrids"
  | "firstEntity"
  | "firstState"
  | "firstZone"
  | "firstGrids"
  | "twoWay"
  | "credits"
>;

type Counted = Pick<Derived, "dxcc" | "cqZone" | "state"> & { at: number; isMobile: boolean };

/** What a contact counts for, by all voices together and by the first service's confirmation alone. */
export const awardKeys = (layers: Layers, voices: Voices, contact: Counted): AwardKeys => {
  const { at, isMobile, dxcc, state } = contact;
  const confirming = firstWitness(layers)?.fields ?? null;
  return {
    awardEntity: isMobile ? null : entityOn(dxcc, at),
    awardState: isMobile ? null : awardState(dxcc, state, at),
    awardZone: isMobile ? null : contact.cqZone,
    awardGrids: ask(voices.all, squaresIn),
    ...(confirming === null || isMobile ? NOWHERE : placeConfirmed(confirming, dxcc, at)),
    firstGrids: confirming && squaresIn(confirming),
    twoWay: confirming && twoWay(confirming),
    credits: creditsOf(layers),
  };
};

const entityOn = (dxcc: number | null, at: number): number | null =>
  dxcc !== null && isValidOn(dxcc, at) ? dxcc : null;

const NOWHERE = { firstEntity: null, firstState: null, firstZone: null };

/** Where the confirmation puts the station. It may leave out the entity, but never takes state or zone from others. */
const placeConfirmed = ({ DXCC, STATE, CQZ }: Fields, known: number | null, at: number) => {
  const dxcc = entityNumber(DXCC) ?? known;
  const state = told(STATE);
  return {
    firstEntity: entityOn(dxcc, at),
    firstState: awardState(dxcc, state, at),
    firstZone: cqZone(CQZ) ?? cqZoneOfState(dxcc, state),
  };
};

const twoWay = ({ APP_LOTW_2XQSL }: Fields): boolean | null => {
  const said = word(APP_LOTW_2XQSL);
  return said === "" ? null : said === "Y";
};

/** Whoever brings them: a credit that was granted is not taken back. */
const creditsOf = ({ own, first }: Layers): string | null => {
  const granted = new Set<string>();
  for (const record of [first?.qsl, first?.qso, own?.report]) addCredits(granted, record?.fields);
  for (const fields of [own?.file?.fields, own?.typed]) {
    addCredits(granted, fields);
    if (word(fields?.QSL_RCVD) === "V") addVerified(granted, "CARD");
    if (word(fields?.LOTW_QSL_RCVD) === "V") addVerified(granted, "LOTW");
  }
  return granted.size === 0 ? null : [...granted].sort().join(",");
};

const addCredits = (granted: Set<string>, fields: Fields | undefined): void => {
  for (const list of [fields?.CREDIT_GRANTED, fields?.APP_LOTW_CREDIT_GRANTED]) {
    for (const credit of told(list)?.toUpperCase().split(",") ?? []) {
      if (credit.trim() !== "") granted.add(credit.trim());
    }
  }
};

/** ADIF's old word for a contact that a sponsor of DXCC has verified. */
const addVerified = (granted: Set<string>, medium: string): void => {
  for (const facet of ["DXCC", "DXCC_BAND", "DXCC_MODE"]) granted.add(`${facet}:${medium}`);
};
