import { parseBand, isDecimal } from "../radio/band.ts";
import { CONTINENTS } from "../radio/entities.ts";
import { getEntityStatus, NO_ENTITY } from "../radio/entity.ts";
import { normaliseMode, getModeName, MODE_GROUPS, type ModeGroup } from "../radio/mode.ts";
import { CALLSIGN, canonicalCall } from "../people/user.ts";
import { toUpperCased } from "../../kernel/text.ts";

/** The maximum length of a text column. Longer text stays only in the layer that contains it. */
export const MAX_TEXT_LENGTH = 1_000;

/** Checks typed input. Returns the value as ADIF writes it, or null if it is invalid. */
export interface TypingRule {
  read: (text: string) => string | null;
  /** Completes the sentence "… is not". */
  what: string;
}

export const parseOneLine = (text: string): string | null =>
  text.length > MAX_TEXT_LENGTH || /[\x00-\x1f\x7f]/.test(text) ? null : text;

export const LINE: TypingRule = { read: parseOneLine, what: `a single line of up to ${MAX_TEXT_LENGTH} characters` };

export const upper =
  (shape: RegExp) =>
  (given: string): string | null =>
    shape.test(given.toUpperCase()) ? given.toUpperCase() : null;

export const wholeNumber =
  (from: number, to: number) =>
  (given: string): string | null => {
    const number = Number(given);
    return /^\d+$/.test(given) && number >= from && number <= to ? String(number) : null;
  };

const MAX_CALL_LENGTH = 20;

const readCall = (given: string): string | null =>
  given.length > MAX_CALL_LENGTH ? null : upper(CALLSIGN)(canonicalCall(given));

export const CALL: TypingRule = { read: readCall, what: "a callsign" };

export const BAND: TypingRule = { read: parseBand, what: "a band; use 20m, 70cm or the like" };

export const readContinent = (given: string): string | null =>
  CONTINENTS.find((name) => name === given.toUpperCase()) ?? null;

export const readEntity = (given: string): string | null =>
  /^\d{1,4}$/.test(given) && getEntityStatus(Number(given)) !== "unknown" ? String(Number(given)) : null;

const MAX_POWER = 100_000;

export const readPower = (given: string): string | null => {
  const watts = given.replace(",", ".");
  return isDecimal(watts) && Number(watts) <= MAX_POWER ? String(Number(watts)) : null;
};

/** Field, square and up to three further pairs. */
export const GRID = /^[A-R]{2}(\d{2}([A-X]{2}(\d{2}([A-X]{2})?)?)?)?$/;

export const PROPAGATION = /^(AS|AUE|AUR|BS|ECH|EME|ES|F2|FAI|GWAVE|INTERNET|ION|IRL|LOS|MS|RPT|RS|SAT|TEP|TR)$/;

const IOTA = /^(AF|AN|AS|EU|NA|OC|SA)-?(?!000)(\d{3})$/;

export const parseIota = (text: string | undefined): string | null => {
  const parts = text === undefined ? null : IOTA.exec(toUpperCased(text));
  return parts && `${parts[1]}-${parts[2]}`;
};

const WATTS = /^(\d{1,9}(?:[.,]\d{1,9})?)\s*W?$/;

export const parseWatts = (text: string | undefined): number | null => {
  const number = text === undefined ? null : WATTS.exec(toUpperCased(text));
  return number && Number(number[1]!.replace(",", "."));
};

/** Reads the value of a list filter; undefined if it is invalid. */
export interface FilterRule<T> {
  read: (text: string) => T | undefined;
  /** Completes the sentence "… is not". */
  what: string;
}

export const WANTED_CALL: FilterRule<string> = {
  read: canonicalCall,
  what: "a callsign",
};

export const WANTED_CODE: FilterRule<string> = { read: (text) => text.toUpperCase(), what: "a code" };

export const WANTED_BAND: FilterRule<string> = { read: (text) => parseBand(text) ?? undefined, what: BAND.what };

/** A prefix for an exact match: SSB includes USB, =SSB does not. */
export const ONLY_SO = "=";

/** Logs contain modes that no table has, so any word is allowed. */
export const WANTED_MODE: FilterRule<string> = {
  read: (text) => {
    const isExact = text.startsWith(ONLY_SO);
    const mode = normaliseMode(isExact ? text.slice(ONLY_SO.length) : text);
    return mode ? (isExact ? ONLY_SO : "") + getModeName(mode) : "";
  },
  what: "a mode",
};

export const WANTED_GROUP: FilterRule<ModeGroup> = {
  read: (text) => MODE_GROUPS.find((group) => group === text.toLowerCase()),
  what: `a mode group; use ${MODE_GROUPS.join(", ")}`,
};

/** Part of a text, without regard to case. */
export const WANTED_TEXT: FilterRule<string> = { read: (text) => text.toWellFormed(), what: "a text" };

/** Null selects contacts with unknown entity or with none. */
export const WANTED_ENTITY: FilterRule<number | null> = {
  read: (text) => {
    if (text.toLowerCase() === "none") return null;
    if (!/^\d{1,4}$/.test(text)) return undefined;
    return Number(text) === NO_ENTITY ? null : Number(text);
  },
  what: "an entity; use its DXCC number, or none",
};

/** The filter value that selects contacts without a known value. */
export const UNKNOWN = "unknown";

/** Null selects contacts made from an unknown entity; 0 those made outside any entity. */
export const WANTED_OWN_ENTITY: FilterRule<number | null> = {
  read: (text) => {
    if (text.toLowerCase() === UNKNOWN) return null;
    if (text.toLowerCase() === "none") return NO_ENTITY;
    return /^\d{1,4}$/.test(text) ? Number(text) : undefined;
  },
  what: `an entity; use its DXCC number, none, or ${UNKNOWN}`,
};

/** Null selects contacts made from an unknown square. */
export const WANTED_OWN_GRID: FilterRule<string | null> = {
  read: (text) => {
    if (text.toLowerCase() === UNKNOWN) return null;
    const square = text.toUpperCase();
    return /^[A-R]{2}\d{2}([A-X]{2})?$/.test(square) ? square : undefined;
  },
  what: `a grid square of four or six characters, or ${UNKNOWN}`,
};
