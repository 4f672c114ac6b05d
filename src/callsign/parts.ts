import { canonicalCall } from "../domain/people/user.ts";

/** A callsign split at its slashes. */
interface CallParts {
  base: string;
  /** The prefix of the station's location, given before or after the call. */
  designator: string | null;
  /** The digit of `/digit`, which stands for the call area. */
  area: string | null;
  /** At sea or in the air: in no entity. */
  afloat: boolean;
  /** Another part names a location that nobody knows. */
  astray: boolean;
}

type IsPrefix = (part: string) => boolean;

// Suffixes that say how a station operates, not where, although most are also prefixes.
const STATUSES = new Set(["AE", "AG", "FD", "FF", "HQ", "KT", "LH", "LS", "LT", "PM"]);

// The only single letters that are prefixes after a call. /M, /P, /A, /B, /R and so on are statuses.
const PLACE_LETTERS = new Set(["F", "G", "I", "K", "N", "W"]);

const AFLOAT = /^(MM|AM)\d?$/;
const SSID = /-\d{1,2}(?=\/|$)/;
const ALL_LETTERS = /^[A-Z]+$/;
const ONE_DIGIT = /^\d$/;
const ALL_DIGITS = /^\d+$/;
const PREFIX_SHAPE = /^([A-Z]{1,2}\d{0,2}|\d[A-Z]{1,2}\d?|(CE0|FT\d|HK0|KH[578]|PY0|VK[09]|VP[28])[A-Z])$/;

/** Looks like a short call, but can also be a place such as C6A or UA2F. */
const PLACE_AND_LETTER = /^(?=.*\d)([A-Z]{1,2}|\d[A-Z]|[A-Z]\d)\d?[A-Z]$/;

// In Argentina a letter after the call is the province.
const ARGENTINE = /^(L[O-W]|A[YZ]|L\d)/;

export function splitCall(call: string, isPrefix: IsPrefix = hasPrefixShape): CallParts {
  const parts = removeSsid(call).split("/").filter(Boolean);
  if (parts.length < 2) return { base: parts[0] ?? "", designator: null, area: null, afloat: false, astray: false };

  const afloat = parts.some((part, index) => index > 0 && AFLOAT.test(part));
  const area = parts.find((part, index) => index > 0 && ONE_DIGIT.test(part)) ?? null;
  const places = parts.filter((part, index) => index === 0 || canBePlace(part));
  const [base, designator] = chooseBase(places, isPrefix);
  if (designator?.length === 1 && ARGENTINE.test(base)) {
    return { base, designator: null, area, afloat, astray: false };
  }
  const astray = designator === null && places.some((part) => part !== base && saysPlace(part, part === places[0]));
  return { base, designator, area: designator ? null : area, afloat, astray };
}

export function removeSsid(call: string): string {
  return call.includes("-") ? call.replace(SSID, "") : call;
}

/** A suffix without a location: /P, /QRP, a word such as POTA, a year. */
export function isStatus(suffix: string): boolean {
  if (STATUSES.has(suffix)) return true;
  if (suffix.length === 1) return /[A-Z]/.test(suffix) && !PLACE_LETTERS.has(suffix);
  return ALL_DIGITS.test(suffix) || (suffix.length > 2 && ALL_LETTERS.test(suffix));
}

function canBePlace(suffix: string): boolean {
  return !isStatus(suffix) && !AFLOAT.test(suffix) && !ONE_DIGIT.test(suffix);
}

/** After a call two letters can mean anything; before it they are a location. */
function saysPlace(part: string, isFirst: boolean): boolean {
  return /\d/.test(part) || (isFirst && !isStatus(part));
}

// The shorter part is the designator. Of PJ4 and K4M it is the one that ends in its digit, because a call continues
// after the digit.
function chooseBase(places: string[], isPrefix: IsPrefix): [base: string, designator: string | null] {
  const candidates = places.filter(isPrefix).sort((a, b) => rank(a) - rank(b));
  const designator = candidates[0] ?? findPlaceWithLetter(places, isPrefix);
  if (places.length < 2 || designator === undefined) return [findLongest(places), null];
  const rest = [...places];
  rest.splice(rest.indexOf(designator), 1);
  return [findLongest(rest), designator];
}

/** Of C6A and W1AW the shorter is the location, if the part before its letter is a prefix. */
function findPlaceWithLetter(places: string[], isPrefix: IsPrefix): string | undefined {
  return places.find(
    (part) => part.length < findLongest(places).length && PLACE_AND_LETTER.test(part) && isPrefix(part.slice(0, -1)),
  );
}

function rank(part: string): number {
  return part.length * 2 + (/\d[A-Z]+$/.test(part) ? 1 : 0);
}

function findLongest(parts: string[]): string {
  return parts.reduce((best, part) => (part.length > best.length ? part : best), "");
}

export function hasPrefixShape(part: string): boolean {
  return PREFIX_SHAPE.test(part);
}

/** The one spelling of a callsign that is stored and looked up. */
export function normaliseCall(text: string): string {
  return canonicalCall(text).replaceAll("_", "/");
}
