import { getEntityName, isBefore } from "../domain/radio/entity.ts";
import { DAY } from "../kernel/clock.ts";
import { formatIsoDate } from "../kernel/instant.ts";
import type { CountryFile, Resolution } from "./country-file.ts";
import { findDatedCall, type DatedCall } from "./dated-calls.ts";
import { AMBIGUOUS_PLACES, AMBIGUOUS_PREFIXES, findEntityPlace, findHistoric, isHistoricPrefix } from "./historic.ts";
import { hasPrefixShape, isStatus, removeSsid, splitCall } from "./parts.ts";
import { SUFFIX_RULES, type SuffixRule } from "./suffixes.ts";

export type { Resolution } from "./country-file.ts";

/** The place of a station, or null if it is in no entity or nobody knows, and the rule that decided. */
interface Found {
  place: Resolution | null;
  rule: string;
}

// K, N, W and AA to AL: wherever the call was issued, /4 means the fourth area of the mainland.
const US_FAMILY = /^([KNW]|A[A-L])/;

// The file contains its own date as if it were a call.
const VERSION_MARK = /^VER(SION|\d{8})$/;
const GUANTANAMO = /^KG4([A-Z]{2})?$/;

const LONG_NUMBER = /^(\d?[A-Z]{1,2})\d\d/;
const RUSSIAN = /^(R[A-Z]?|U[A-I]?)\d/;

/**
 * Where the station with this normalised call was, on the day of the contact if known. Null at sea or in the air, and
 * for calls of no country.
 */
export function resolve(countries: CountryFile, call: string, at: number | null): Resolution | null {
  return resolveWithRule(countries, call, at).place;
}

export function resolveWithRule(countries: CountryFile, call: string, at: number | null): Found {
  const text = removeSsid(call);
  const found = text.includes("/")
    ? (findListed(countries, text, at) ?? locateParts(countries, text, at))
    : locateCall(countries, text, at);
  // The entity that has the prefix today did not exist yet, and nobody knows who had it then.
  if (!found.place || at === null || !isBefore(found.place.dxcc, at)) return found;
  return { place: null, rule: `${found.rule} ${getEntityName(found.place.dxcc)} was no entity yet.` };
}

// The file lists W1ABC and W1ABC/P separately, so suffixes without a location are removed one by one.
function findListed(countries: CountryFile, text: string, at: number | null): Found | undefined {
  for (let call = text; ;) {
    const dated = findDatedCall(countries.dated, call, at);
    if (dated) return findDated(countries, call, dated);
    const place = countries.byCall.get(call);
    if (place) return findListedThen(countries, call, place, at);
    const slash = call.lastIndexOf("/");
    if (slash < 0 || !isStatus(call.slice(slash + 1)) || findSuffixRule(call, at)) return undefined;
    call = call.slice(0, slash);
  }
}

function findDated(countries: CountryFile, call: string, { dxcc, from, until, source }: DatedCall): Found {
  const days = [
    ...(from === -Infinity ? [] : [`from ${formatIsoDate(from)}`]),
    ...(until === Infinity ? [] : [`to ${formatIsoDate(until - 1)}`]),
  ];
  return {
    place: dxcc === null ? null : findEntityPlace(countries, dxcc),
    rule: `${["The table of dated calls lists", call, ...days].join(" ")} (${source}).`,
  };
}

/** The file says where a call was lately, and drops what is over. */
const LATELY_MS = 2 * 365 * DAY;

/**
 * A call that the file places elsewhere than the rest of its prefix can have been in another place before. If a past
 * prefix is ambiguous, only such calls are known.
 */
function findListedThen(countries: CountryFile, call: string, place: Resolution, at: number | null): Found {
  const listed = { place, rule: `The country file lists ${call}.` };
  const historic = findHistoric(countries, call, at);
  if (historic?.place) return explainHistoric(historic);
  const prefix = findLongestPrefix(countries, call);
  const isUsual = prefix !== null && countries.byPrefix.get(prefix)?.dxcc === place.dxcc;
  if (historic) return isUsual ? explainHistoric(historic) : listed;
  const isLongAgo = at !== null && at < countries.releasedAt - LATELY_MS;
  const wasElsewhere = countries.dated.get(call)?.some(({ dxcc }) => dxcc !== place.dxcc) ?? false;
  return isLongAgo && wasElsewhere && !isUsual
    ? { place: null, rule: `${call} was in several entities, and no table says in which on that day.` }
    : listed;
}

function locateParts(countries: CountryFile, text: string, at: number | null): Found {
  const special = findSuffixRule(text, at);
  if (special) return followSuffix(countries, text, special, at);
  const parts = splitCall(text, (part) => isPrefix(countries, part, at));
  if (parts.afloat) return { place: null, rule: "The station was at sea or in the air." };
  if (parts.astray) return { place: null, rule: "No country has the prefix before or after the slash." };
  if (parts.designator) return locatePlace(countries, parts.designator, at);
  if (!parts.area) return locateCall(countries, parts.base, at);
  const moved = replaceArea(parts.base, parts.area);
  return moved === null ? locateCall(countries, parts.base, at) : locate(countries, moved, at);
}

interface Suffix extends SuffixRule {
  part: string;
  base: string;
}

function findSuffixRule(text: string, at: number | null): Suffix | undefined {
  const [base = "", ...rest] = text.split("/");
  for (const part of rest) {
    const rule = SUFFIX_RULES.find(
      ({ home, suffix, until }) =>
        suffix.test(part) && home.test(base) && (until === undefined || (at !== null && at < until)),
    );
    if (rule) return { ...rule, part, base };
  }
  return undefined;
}

function followSuffix(countries: CountryFile, text: string, { meaning, part, base }: Suffix, at: number | null): Found {
  const rule = `After a call that begins with ${base.slice(0, 3)}, /${part} is a part of that country.`;
  if (typeof meaning === "number") return { place: findEntityPlace(countries, meaning), rule };
  if (meaning === "unknown") return { place: null, rule: `After ${base}, /${part} stands for several entities.` };
  const own = resolveWithRule(countries, text.replace(`/${part}`, ""), at);
  if (meaning === "own") return { ...own, rule };
  const abroad = locatePlace(countries, part, at).place;
  return abroad === null || abroad.dxcc === own.place?.dxcc
    ? { ...own, rule }
    : { place: null, rule: `After ${base}, /${part} is a state as well as a country.` };
}

function locatePlace(countries: CountryFile, designator: string, at: number | null): Found {
  if (AMBIGUOUS_PLACES.test(designator)) return explainAmbiguous(designator);
  return locateName(countries, designator, at) ?? locate(countries, designator, at);
}

/** Only listed stations have a call without a digit: HELLO is not a Swiss call. */
function locateCall(countries: CountryFile, call: string, at: number | null): Found {
  const listed = findListed(countries, call, at);
  if (listed) return listed;
  return /\d/.test(call) ? locate(countries, call, at) : { place: null, rule: `${call} is not a callsign.` };
}

/** VK0M before a call is Macquarie, although stations in Antarctica have such calls. */
function locateName(countries: CountryFile, name: string, at: number | null): Found | null {
  const place = countries.byName.get(name);
  if (!place || AMBIGUOUS_PREFIXES.has(name) || findHistoric(countries, name, at)) return null;
  return { place, rule: `The country file has the prefix ${name}.` };
}

function locate(countries: CountryFile, text: string, at: number | null): Found {
  if (VERSION_MARK.test(text)) return { place: null, rule: `${text} is not a callsign.` };
  const historic = findHistoric(countries, text, at);
  if (historic) return explainHistoric(historic);
  const prefix = findLongestPrefix(countries, text);
  if (prefix === null) return { place: null, rule: `No country has the prefix of ${text}.` };
  if (AMBIGUOUS_PREFIXES.has(prefix)) return explainAmbiguous(prefix);
  const place = countries.byPrefix.get(prefix) ?? null;
  return isAreaUnknown(countries, text, place)
    ? { place: null, rule: `The number in ${text} is no call area.` }
    : { place, rule: `The country file has the prefix ${prefix}.` };
}

const explainHistoric = ({ prefix, place }: { prefix: string; place: Resolution | null }): Found => ({
  place,
  rule: `The table of historic prefixes says what ${prefix} meant on that day${place ? "" : ": several entities"}.`,
});

const explainAmbiguous = (prefix: string): Found => ({
  place: null,
  rule: `Several entities share the prefix ${prefix}, and no table lists this call.`,
});

/** The first of several digits is no call area: EH92A is not in Ceuta, nor R90DOSAAF in Asia. */
function isAreaUnknown(countries: CountryFile, text: string, place: Resolution | null): boolean {
  const [, letters] = LONG_NUMBER.exec(text) ?? [];
  const prefix = letters === undefined ? null : findLongestPrefix(countries, letters);
  const country = prefix === null ? undefined : countries.byPrefix.get(prefix);
  return country !== undefined && country.dxcc !== place?.dxcc;
}

function findLongestPrefix(countries: CountryFile, text: string): string | null {
  if (text.startsWith("KG4") && !GUANTANAMO.test(text)) return "K";
  for (let length = Math.min(text.length, countries.maxPrefixLength); length > 0; length--) {
    const prefix = text.slice(0, length);
    if (countries.byPrefix.has(prefix) || AMBIGUOUS_PREFIXES.has(prefix)) return prefix;
  }
  return null;
}

/** VE3 is a prefix because VE is one. AA1B is a call although AA is one. */
function isPrefix(countries: CountryFile, part: string, at: number | null): boolean {
  if (isHistoricPrefix(part, at) || countries.byName.has(part)) return true;
  const prefix = findLongestPrefix(countries, part);
  return prefix !== null && (part === prefix || hasPrefixShape(part));
}

/** The prefix with another area digit, or null if the call has none. The letters after it belong to the old area. */
function replaceArea(base: string, area: string): string | null {
  if (US_FAMILY.test(base)) return `K${area}`;
  if (RUSSIAN.test(base)) return `UA${area}`;
  const [, letters] = /^(\d?[A-Z]{1,2})\d/.exec(base) ?? [];
  return letters === undefined ? null : `${letters}${area}`;
}
