import type { Confirmed } from "../origins/origin.ts";
import { SERVICES, type Service } from "../jobs/source.ts";
import type { Fields } from "./adif-record.ts";
import { computeAwardKeys } from "../awards/award-keys.ts";
import type { CallFacts } from "../radio/call-facts.ts";
import { getField, listFieldsWith, type FieldsThat } from "./fields.ts";
import { findGrid } from "../radio/grid-squares.ts";
import type { Layers } from "./layers.ts";
import { limitLayers } from "./lengths.ts";
import { getModeName } from "../radio/mode.ts";
import { readEnd, readMode, readStart, readTuning } from "../radio/on-air.ts";
import { findOwnPlace } from "../radio/own-place.ts";
import { findPlace } from "../radio/place.ts";
import { CALL_THERE } from "../origins/first.ts";
import { getConfirmations, getIds } from "../origins/origins.ts";
import { addCarriedLayers } from "../origins/services.ts";
import type { Derived } from "./qso.ts";
import { readState } from "../radio/us-states.ts";
import { ask, readFirst, getVoices, type Voices } from "./voices.ts";
import { code } from "../../kernel/text.ts";

/** Increase it when the rules below change their results, so that stored rows are derived again. */
export const RULES_VERSION = 5;

/**
 * Derives the columns of a contact from its layers. Priority: typed, file, the more exact of the two services, the
 * first service, the second. Returns null if no origin gives callsign and time.
 */
export const derive = (said: Layers, facts: CallFacts): Derived | null => {
  const layers = addCarriedLayers(limitLayers(said));
  const voices = getVoices(layers);
  const { all } = voices;
  const call = readCall(all, "CALL", facts);
  const start = readStart(voices);
  if (call === null || start === null) return null;
  const { at } = start;
  const isMobile = facts.isMobile(call);
  const plain = readFirstValues(all);
  const { satName } = plain;
  const state = ask(all, readState);
  const place = findPlace(voices, facts, { call, at, isMobile, state });
  const mode = readMode(voices);
  const confirmations = getConfirmations(layers);
  const stationCallsign = readCall(all, "STATION_CALLSIGN", facts) ?? readCall(all, CALL_THERE, facts);
  // The largest part comes first, because the engine copies it as a whole.
  return {
    ...plain,
    call,
    startedAt: at,
    endedAt: readEnd(voices, at),
    ...readTuning(voices),
    mode: mode && (mode.mode ?? getModeName(mode)),
    submode: mode?.submode ?? null,
    modeGroup: mode?.group ?? null,
    stationCallsign,
    operator: readCall(all, "OPERATOR", facts),
    state,
    ...place,
    ...findOwnPlace(voices, facts, { stationCallsign, at }),
    prefix: findPrefix(voices, call, facts),
    gridsquare: findGrid(voices),
    propMode: readFirst(all, "PROP_MODE", code) ?? (satName && "SAT"),
    year: new Date(at).getUTCFullYear(),
    ...getIds(layers),
    ...classifyConfirmation(confirmations),
    cardConfirmed: confirmations.card.confirmed,
    ...computeAwardKeys(layers, voices, { at, isMobile, state, dxcc: place.dxcc, cqZone: place.cqZone }),
  };
};

type ConfirmedByServices = Pick<Derived, `${Service}Confirmed` | `${Service}ConfirmedAt`>;

const classifyConfirmation = (confirmations: Record<Service, Confirmed>): ConfirmedByServices => {
  const fields: Record<string, unknown> = {};
  for (const service of SERVICES) {
    const { confirmed, confirmedAt } = confirmations[service];
    fields[`${service}Confirmed`] = confirmed;
    fields[`${service}ConfirmedAt`] = confirmedAt;
  }
  return fields as unknown as ConfirmedByServices;
};

type Heard = Pick<Derived, FieldsThat<"heard">>;

const HEARD = listFieldsWith("heard").map((name) => {
  const { adif = [], heard } = getField(name);
  return { name, adif: adif[0]!, read: heard! };
});

const NOTHING_HEARD = Object.fromEntries(HEARD.map(({ name }) => [name, null])) as unknown as Heard;

/** Fields for which the first readable value wins. */
const readFirstValues = (voices: readonly Fields[]): Heard => {
  const heard: Record<string, unknown> = { ...NOTHING_HEARD };
  for (let at = 0; at < HEARD.length; at++) {
    const { name, adif, read } = HEARD[at]!;
    heard[name] = readFirst(voices, adif, read);
  }
  return heard as unknown as Heard;
};

const readCall = (voices: readonly Fields[], name: string, facts: CallFacts): string | null => {
  const call = readFirst(voices, name, code);
  return call && facts.normalise(call);
};

/** What the first service says about this call is more reliable than a prefix derived from the text. */
const findPrefix = ({ typed, services }: Voices, call: string, facts: CallFacts): string | null =>
  code(typed?.PFX) ??
  ask(services, ({ CALL, PFX }) => (PFX && CALL && facts.normalise(CALL) === call ? code(PFX) : null)) ??
  facts.prefix(call);
