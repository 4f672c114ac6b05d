import { normaliseCall, splitCall } from "./parts.ts";

// KH6ABC/4 is on the mainland; KH4 would be Midway.
const US_OVERSEAS = /^([KNW][HLP]|A[HL])\d/;
const LETTERS_AND_NUMBER = /^(.*?)(?<!\d)(\d+)$/;

/** The prefix that a call counts for in CQ's WPX award, or null if it has none. */
export function findWpxPrefix(call: string): string | null {
  const { base, designator, area } = splitCall(normaliseCall(call));
  if (designator) return buildPlacePrefix(designator);
  const prefix = buildCallPrefix(base);
  return prefix && area ? replaceArea(prefix, area) : prefix;
}

// The leading digit of a prefix such as 9A or 3DA is not its number.
function buildPlacePrefix(designator: string): string {
  const numbered = /^..*\d/.exec(designator);
  return numbered ? numbered[0] : `${designator}0`;
}

function buildCallPrefix(base: string): string | null {
  const numbered = /^\d*[A-Z][A-Z0-9]*\d/.exec(base);
  if (numbered) return numbered[0];
  return /^[A-Z]{2}/.test(base) ? `${base.slice(0, 2)}0` : null;
}

// In A45 the 4 belongs to the country; in LY1000 all four digits are the number.
function replaceArea(prefix: string, area: string): string {
  if (US_OVERSEAS.test(prefix)) return `K${area}`;
  const [, letters, number] = LETTERS_AND_NUMBER.exec(prefix) ?? [];
  if (letters === undefined || number === undefined) return prefix;
  const kept = letters.length === 1 && number.length === 2 ? number[0] : "";
  return `${letters}${kept}${area}`;
}
