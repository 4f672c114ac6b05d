import type { Fields } from "../contact/adif-record.ts";
import { isValidOn } from "../radio/entity.ts";
import { squaresIn } from "../radio/grid-squares.ts";
import type { Layers } from "../contact/layers.ts";
import { firstWitness, twoWayIn } from "../origins/first.ts";
import { creditsOf } from "../origins/origins.ts";
import { cqZone, entityNumber } from "../radio/place.ts";
import type { Derived } from "../contact/qso.ts";
import { cqZoneOfState } from "../radio/state-zones.ts";
import { awardState, stateIn } from "../radio/us-states.ts";
import { ask, type Voices } from "../contact/voices.ts";

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

/** What a contact counts for: by all origins together, and by the confirmation of the first service alone. */
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
    twoWay: confirming && twoWayIn(confirming),
    credits: creditsOf(layers),
  };
};

const entityOn = (dxcc: number | null, at: number): number | null =>
  dxcc !== null && isValidOn(dxcc, at) ? dxcc : null;

const NOWHERE = { firstEntity: null, firstState: null, firstZone: null };

/**
 * Where the confirmation places the station. It can omit the entity, but a state or zone is never taken from another
 * origin.
 */
const placeConfirmed = (confirming: Fields, known: number | null, at: number) => {
  const dxcc = entityNumber(confirming.DXCC) ?? known;
  const state = stateIn(confirming);
  return {
    firstEntity: entityOn(dxcc, at),
    firstState: awardState(dxcc, state, at),
    firstZone: cqZone(confirming.CQZ) ?? cqZoneOfState(dxcc, state),
  };
};
