import type { Fields } from "../contact/adif-record.ts";
import { isValidOn } from "../radio/entity.ts";
import { readSquares } from "../radio/grid-squares.ts";
import type { Layers } from "../contact/layers.ts";
import { findFirstWitness, readTwoWay } from "../origins/first.ts";
import { collectCredits } from "../origins/origins.ts";
import { parseCqZone, parseEntityNumber } from "../radio/place.ts";
import type { Derived } from "../contact/qso.ts";
import { findCqZone } from "../radio/state-zones.ts";
import { findAwardState, readState } from "../radio/us-states.ts";
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
export const computeAwardKeys = (layers: Layers, voices: Voices, contact: Counted): AwardKeys => {
  const { at, isMobile, dxcc, state } = contact;
  const confirming = findFirstWitness(layers)?.fields ?? null;
  return {
    awardEntity: isMobile ? null : findEntityOn(dxcc, at),
    awardState: isMobile ? null : findAwardState(dxcc, state, at),
    awardZone: isMobile ? null : contact.cqZone,
    awardGrids: ask(voices.all, readSquares),
    ...(confirming === null || isMobile ? NOWHERE : placeConfirmed(confirming, dxcc, at)),
    firstGrids: confirming && readSquares(confirming),
    twoWay: confirming && readTwoWay(confirming),
    credits: collectCredits(layers),
  };
};

const findEntityOn = (dxcc: number | null, at: number): number | null =>
  dxcc !== null && isValidOn(dxcc, at) ? dxcc : null;

const NOWHERE = { firstEntity: null, firstState: null, firstZone: null };

/**
 * Where the confirmation places the station. It can omit the entity, but a state or zone is never taken from another
 * origin.
 */
export const placeConfirmed = (confirming: Fields, known: number | null, at: number) => {
  const dxcc = parseEntityNumber(confirming.DXCC) ?? known;
  const state = readState(confirming);
  return {
    firstEntity: findEntityOn(dxcc, at),
    firstState: findAwardState(dxcc, state, at),
    firstZone: parseCqZone(confirming.CQZ) ?? findCqZone(dxcc, state),
  };
};
