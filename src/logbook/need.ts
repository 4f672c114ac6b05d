import { NO_LAYERS } from "../domain/contact/layers.ts";
import { needIndex } from "../awards/need.ts";
import { parseBand } from "../domain/radio/band.ts";
import type { CallFacts } from "../domain/radio/call-facts.ts";
import { derive } from "../domain/contact/derive.ts";
import { getEntityName } from "../domain/radio/entity.ts";
import { invalidField } from "../kernel/errors.ts";
import { formatAdifDate, formatAdifTime } from "../kernel/instant.ts";
import { computeBearing, computeDistanceKm, computeGridCentre, type Place } from "../domain/radio/maidenhead.ts";
import { normaliseMode, getModeName, isKnownMode, type Mode } from "../domain/radio/mode.ts";
import type { Need, NeedRequest } from "../domain/awards/need.ts";
import type { Derived } from "../domain/contact/qso.ts";
import { mapYielding } from "../kernel/yield-to-event-loop.ts";
import * as workedCalls from "../storage/log/call-history.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";

type Deps = Pick<World, "db" | "cache" | "clock" | "callFacts" | "ticks" | "turn">;

/** What a callsign is needed for: whether it was worked before, where it is, and its state in each award. */
export const need = async (deps: Deps, caller: LogCaller, request: NeedRequest): Promise<Need> =>
  (await needs(deps, caller, [request]))[0]!;

const MAX_CALLS = 1_000;

/** The same for many callsigns with one read of the log. One invalid request rejects all. */
export const needs = async (deps: Deps, caller: LogCaller, asked: readonly NeedRequest[]): Promise<Need[]> => {
  const { db, clock, callFacts } = deps;
  const { id } = caller.owner;
  if (asked.length > MAX_CALLS)
    throw invalidField("asked", `You can look up at most ${MAX_CALLS} callsigns at the same time.`);
  const facts = await callFacts();
  const now = clock();
  const heard = await mapYielding(deps, asked, (request) => buildHypothesis(request, facts, now));
  const { worked, placed, ownGrid } = await db.read(function* () {
    const calls = [...new Set(heard.map(({ qso }) => qso.call))];
    const worked = yield* workedCalls.listWorked(id, calls);
    const known = [...new Set(worked.map(({ call }) => call))];
    return {
      worked,
      placed: yield* workedCalls.findLastPlaces(id, known),
      ownGrid: yield* workedCalls.findLastOwnGrid(id),
    };
  });
  const byCall = Map.groupBy(worked, ({ call }) => call);
  const places = new Map(placed.map((place) => [place.call, place]));
  // The station is assumed to be where it was before, so its state and square count too.
  const wanted = await mapYielding(deps, heard, (one, at) => {
    const earlier = places.get(one.qso.call) ?? null;
    return { earlier, ...(earlier ? buildHypothesis(asked[at]!, facts, now, earlier) : one) };
  });
  const ask = await needIndex(deps, id, caller);
  const from = computeGridCentre(ownGrid ?? "");
  const entities = indexPlaces(facts);
  return mapYielding(deps, wanted, ({ qso, mode, earlier }) => {
    const known = byCall.get(qso.call) ?? [];
    const place = findPlace(qso, earlier, entities);
    return {
      ...wordsOf(qso, mode),
      ...computeWayTo(from, place),
      place,
      earlier: earlier && { state: earlier.state, gridsquare: earlier.gridsquare },
      ...compareBefore(qso, mode, known),
      awards: ask(qso),
    };
  });
};

interface Hypothesis {
  qso: Derived;
  mode: Mode | null;
}

/** The contact that would be made now. It is derived like any other, so that the same rules apply. */
const buildHypothesis = (
  { call, band, mode }: NeedRequest,
  facts: CallFacts,
  now: number,
  { state, gridsquare }: Pick<workedCalls.LastPlace, "state" | "gridsquare"> = { state: null, gridsquare: null },
): Hypothesis => {
  const said = mode === undefined ? null : normaliseMode(mode);
  if (said !== null && !isKnownMode(said)) throw invalidField("mode", `${JSON.stringify(mode)} is not a mode.`);
  const fields = {
    CALL: call,
    QSO_DATE: formatAdifDate(now),
    TIME_ON: formatAdifTime(now, true),
    ...(band === undefined ? {} : { BAND: parseBandOf(band) }),
    ...(mode === undefined ? {} : { MODE: mode }),
    ...(state === null ? {} : { STATE: state }),
    ...(gridsquare === null ? {} : { GRIDSQUARE: gridsquare }),
  };
  const qso = /[A-Z0-9]/i.test(call) ? derive({ ...NO_LAYERS, own: { typed: fields } }, facts) : null;
  if (qso === null) throw invalidField("call", `${JSON.stringify(call)} is not a callsign.`);
  return { qso, mode: said };
};

const parseBandOf = (text: string): string => {
  const band = parseBand(text);
  if (band === null) throw invalidField("band", `${JSON.stringify(text)} is not a band.`);
  return band;
};

const wordsOf = ({ call, band, modeGroup, dxcc, continent, cqZone, ituZone }: Derived, mode: Mode | null) => ({
  call,
  band,
  mode: mode && (mode.submode ?? getModeName(mode)),
  group: modeGroup,
  entity: dxcc === null ? null : { dxcc, name: getEntityName(dxcc) },
  continent,
  cqZone,
  ituZone,
});

type Known = readonly workedCalls.WorkedCall[];

const compareBefore = ({ band }: Derived, mode: Mode | null, known: Known): Pick<Need, "worked" | "confirmed"> => {
  const isInMode = (one: workedCalls.WorkedCall) =>
    mode !== null && one.mode === getModeName(mode) && (mode.submode === null || one.submode === mode.submode);
  const isOnBand = (one: workedCalls.WorkedCall) => band !== null && one.band === band;
  const isBoth = (one: workedCalls.WorkedCall) => isOnBand(one) && isInMode(one);
  const confirmed = known.filter((one) => one.confirmed > 0);
  return {
    worked: {
      count: known.reduce((sum, { contacts }) => sum + contacts, 0),
      lastAt: known.length === 0 ? null : Math.max(...known.map(({ lastAt }) => lastAt)),
      onBand: known.some(isOnBand),
      inMode: known.some(isInMode),
      onBandInMode: known.some(isBoth),
    },
    confirmed: {
      call: confirmed.length > 0,
      onBand: confirmed.some(isOnBand),
      onBandInMode: confirmed.some(isBoth),
    },
  };
};

const findPlace = (
  { dxcc }: Derived,
  earlier: workedCalls.LastPlace | null,
  entities: ReadonlyMap<number, Place>,
): Place | null =>
  computeGridCentre(earlier?.gridsquare ?? "") ?? (dxcc === null ? null : (entities.get(dxcc) ?? null));

const indexPlaces = (facts: CallFacts): ReadonlyMap<number, Place> =>
  new Map(facts.places().map(({ dxcc, lat, lon }) => [dxcc, { lat, lon }]));

const computeWayTo = (from: Place | null, to: Place | null): Pick<Need, "distanceKm" | "bearing"> =>
  from === null || to === null
    ? { distanceKm: null, bearing: null }
    : { distanceKm: Math.round(computeDistanceKm(from, to)), bearing: Math.round(computeBearing(from, to)) % 360 };
