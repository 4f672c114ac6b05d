/**
 * Prefixes that the country file lacks; an entry of the file has priority. VK9L is the prefix of Lord Howe in the
 * ARRL's DXCC list, but the file of 13 February 2026 only has its stations. XEFTJW is an example in the rules of CQ's
 * WPX award.
 */
export const MISSING_PREFIXES: readonly (readonly [prefix: string, dxcc: number])[] = [["VK9L", 147]];

export const MISSING_CALLS: readonly (readonly [call: string, dxcc: number])[] = [["XEFTJW", 50]];
