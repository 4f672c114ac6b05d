/**
 * What the country file leaves out. An entry of the file itself goes before these.
 *
 * VK9L is the prefix of Lord Howe in the ARRL's DXCC list; the file of 13 February 2026 has its stations, and not the
 * prefix. XEFTJW is an example in the rules of CQ's WPX award.
 */
export const MISSING_PREFIXES: readonly (readonly [prefix: string, dxcc: number])[] = [["VK9L", 147]];

export const MISSING_CALLS: readonly (readonly [call: string, dxcc: number])[] = [["XEFTJW", 50]];
