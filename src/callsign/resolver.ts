import { isBefore } from "../domain/radio/entity.ts";
import type { CountryFile, Resolution } from "./country-file.ts";
import { findHistoric, isHistoricPrefix } from "./historic.ts";
import { splitCall, hasPrefixShape, isStatus, removeSsid } from "./parts.ts";

export type { Resolution } from "./country-file.ts";

// K, N, W and AA to AL: wherever the call was issued, /4 means the fourth area of the mainland.
const US_FAMILY = /^([KNW]|A[A-L])/;

// The file contains its own date as if it were a call.
const VERSION_MARK = /^VER(SION|\d{8})$/;
const GUANTANAMO = /^KG4([A-Z]{2})?$/;

/**
 * Where the station with this normalised call was, on the day of the contact if known. Null at sea or in the air, and
 * for calls of no country.
 */
export function resolve(countries: CountryFile, call: string, at: number | null): Resolution | null {
  const text = removeSsid(call);
  const place = text.includes("/")
    ? orElse(findListed(countries, text, at), () => locateParts(countries, text, at))
    : locateCall(countries, text, at);
  // The entity that has the prefix today did not exist yet, and nobody knows who had it then.
  return place && at !== null && isBefore(place.dxcc, at) ? null : place;
}

// The file lists W1ABC and W1ABC/P separately, so suffixes without a location are removed one by one.
function findListed(countries: CountryFile, text: string, at: number | null): Resolution | null | undefined {
  for (let call = text; ;) {
    const place = countries.byCall.get(call);
    if (place) return findListedThen(countries, call, place, at);
    const slash = call.lastIndexOf("/");
    if (slash < 0 || !isStatus(call.slice(slash + 1))) return undefined;
    call = call.slice(0, slash);
  }
}

/** If a past prefix is ambiguous, only stations that the file places elsewhere than the rest are known. */
function findListedThen(countries: CountryFile, call: string, place: Resolution, at: number | null): Resolution | null {
  const historic = findHistoric(countries, call, at);
  if (historic !== null) return historic ?? place;
  const prefix = findLongestPrefix(countries, call);
  return prefix !== null && countries.byPrefix.get(prefix)?.dxcc === place.dxcc ? null : place;
}

function locateParts(countries: CountryFile, text: string, at: number | null): Resolution | null {
  const parts = splitCall(text, (part) => isPrefix(countries, part, at));
  if (parts.afloat || parts.astray) return null;
  if (parts.designator) return locateName(countries, parts.designator, at) ?? locate(countries, parts.designator, at);
  const moved = parts.area ? replaceArea(parts.base, parts.area) : parts.base;
  return moved === parts.base ? locateCall(countries, moved, at) : locate(countries, moved, at);
}

/** Uses the other result if the place is undefined. Null means "nobody knows" and is a result. */
function orElse(place: Resolution | null | undefined, other: () => Resolution | null): Resolution | null {
  return place === undefined ? other() : place;
}

/** Only listed stations have a call without a digit: HELLO is not a Swiss call. */
function locateCall(countries: CountryFile, call: string, at: number | null): Resolution | null {
  return orElse(findListed(countries, call, at), () => (/\d/.test(call) ? locate(countries, call, at) : null));
}

/** VK0M before a call is Macquarie, although stations in Antarctica have such calls. */
function locateName(countries: CountryFile, name: string, at: number | null): Resolution | null {
  return findHistoric(countries, name, at) === undefined ? (countries.byName.get(name) ?? null) : null;
}

function locate(countries: CountryFile, text: string, at: number | null): Resolution | null {
  if (VERSION_MARK.test(text)) return null;
  const historic = findHistoric(countries, text, at);
  if (historic !== undefined) return historic;
  const prefix = findLongestPrefix(countries, text);
  return prefix === null ? null : (countries.byPrefix.get(prefix) ?? null);
}

function findLongestPrefix(countries: CountryFile, text: string): string | null {
  if (text.startsWith("KG4") && !GUANTANAMO.test(text)) return "K";
  for (let length = Math.min(text.length, countries.maxPrefixLength); length > 0; length--) {
    const prefix = text.slice(0, length);
    if (countries.byPrefix.has(prefix)) return prefix;
  }
  return null;
}

/** VE3 is a prefix because VE is one. AA1B is a call although AA is one. */
function isPrefix(countries: CountryFile, part: string, at: number | null): boolean {
  if (isHistoricPrefix(part, at) || countries.byName.has(part)) return true;
  const prefix = findLongestPrefix(countries, part);
  return prefix !== null && (part === prefix || hasPrefixShape(part));
}

function replaceArea(base: string, area: string): string {
  if (US_FAMILY.test(base)) return `K${area}`;
  return base.replace(/^([A-Z0-9]*[A-Z]\d*)\d/, `$1${area}`);
}
