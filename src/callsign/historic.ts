import { DAY } from "../kernel/clock.ts";
import { getEntity } from "../domain/radio/entity.ts";
import type { CountryFile, Resolution } from "./country-file.ts";

/**
 * What a prefix meant on days when it did not mean what it means now; null if several entities shared it or nobody
 * knows. Two question marks stand for a suffix of exactly two letters. Sources: the notes and deletions in the ARRL's
 * DXCC list, the dates of independence, and the ITU's call sign series before and after.
 */
export const HISTORIC_PREFIXES: [prefixes: string, dxcc: number | null, from: string | null, to: string][] = [
  // Germany
  ["DA DB DC DD DE DF DG DH DI DJ DK DL DM", 81, null, "1973-09-16"],
  ["DM Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9", 229, "1973-09-17", "1990-10-02"],
  ["9S4", 210, null, "1957-03-31"],
  // The British Isles: the Channel Islands shared a prefix, and M and 2 were not England's.
  ["GC", null, null, "1996-03-31"],
  // Special stations anywhere in the United Kingdom. The country file only lists recent ones.
  ["GB", null, null, "1994-12-31"],
  ["M", null, null, "1996-03-31"],
  ["2", null, null, "1990-12-31"],
  // Elsewhere in Europe. SV0 were stations of foreign forces on the mainland and the islands.
  ["SV0", null, null, "1995-12-31"],
  ["OK OL OM", 218, null, "1992-12-31"],
  ["YZ 4N 4O", 296, null, "2006-06-27"],
  // Montenegro kept these until all its stations had 4O.
  ["YU6 YT6 YZ6 4N6", 514, "2006-06-28", "2007-12-31"],
  ["YU2 YT2 YZ2 4N2", 497, "1991-06-26", "1992-12-31"],
  ["YU3 YT3 YZ3 4N3", 499, "1991-06-26", "1992-12-31"],
  ["YU4 YT4 YZ4 4N4", 501, "1991-10-15", "1992-12-31"],
  ["YU5 YT5 YZ5 4N5", 502, "1991-09-08", "1992-12-31"],
  ["T9", 501, "1991-10-15", "2007-12-31"],
  ["9A M1", 278, null, "1983-12-31"],
  ["PX", 203, null, "1969-12-31"],
  ["ZB1", 257, null, "1964-09-20"],
  ["CT2", 149, null, "1984-12-31"],
  ["FC", 214, null, "1984-12-31"],
  ["R1MV", 151, null, "2012-02-16"],
  ["4J1F", 151, null, "1993-12-31"],
  ["UN1", 128, null, "1960-06-30"],
  // Soviet republics: letters after U and R, in the last years with any digit.
  ["UR RR", 52, null, "1991-12-31"],
  ["UP RP", 146, null, "1991-12-31"],
  ["UQ RQ", 145, null, "1991-12-31"],
  ["UC RC", 27, null, "1993-12-31"],
  ["UB RB RT RY", 288, null, "1993-12-31"],
  ["UO RO", 179, null, "1993-12-31"],
  ["UD RD", 18, null, "1993-12-31"],
  ["UF RF", 75, null, "1993-12-31"],
  ["UG RG", 14, null, "1993-12-31"],
  ["UH RH", 280, null, "1993-12-31"],
  ["UI RI", 292, null, "1993-12-31"],
  ["UJ RJ", 262, null, "1993-12-31"],
  ["UL RL", 130, null, "1993-12-31"],
  ["UM RM", 135, null, "1993-12-31"],
  ["UN1", 54, "1960-07-01", "1992-12-31"],
  ["UV1 UV3 UV4 UV6 UW1 UW3 UW4 UW6 UZ1 UZ3 UZ4 UZ6", 54, null, "1992-12-31"],
  ["UV2 UW2 UZ2", 126, null, "1992-12-31"],
  ["UV9 UV0 UW9 UW0 UZ9 UZ0", 15, null, "1992-12-31"],
  ["4K2", 61, null, "1993-12-31"],
  // Bases in Antarctica and the South Shetlands; stations on drifting ice
  ["4K0 4K1", null, null, "1993-12-31"],
  ["UPOL", null, null, "1991-12-31"],
  // Special stations and clubs could be anywhere, and the letters were unused before others had them.
  ["UK UN", null, null, "1992-12-31"],
  ["EK EM EN EO ER ES EU EV EW EX EY EZ 4J 4K 4L", null, null, "1990-12-31"],
  ["UP UQ", null, "1992-01-01", "1994-12-31"],
  ["UB UC UD UF UG UH UI", null, "1994-01-01", "2005-12-31"],
  ["RB RC RD RF RG RH RI RJ RL RM RO RP RQ RR RT RY", null, "1994-01-01", "1994-12-31"],
  // Africa
  ["VQ6", 26, null, "1960-06-30"],
  ["I5", 115, null, "1960-06-30"],
  ["ET2", 51, null, "1962-11-14"],
  ["FQ8", 57, null, "1960-08-16"],
  ["FF", 59, null, "1960-08-06"],
  ["FA", 400, null, "1962-07-02"],
  ["FT4", 474, null, "1956-03-19"],
  ["FD", 483, null, "1960-04-26"],
  ["FE8", 406, null, "1959-12-31"],
  ["FL", 382, null, "1977-06-26"],
  ["FB8", 438, null, "1960-06-25"],
  ["ZD4", 102, null, "1957-03-05"],
  ["ZD1", 458, null, "1961-04-26"],
  ["ZD2", 450, null, "1960-09-30"],
  ["ZD3", 422, null, "1965-02-17"],
  ["ZD5 ZS7", 468, null, "1968-09-05"],
  ["ZD6", 440, null, "1964-07-05"],
  ["CN2", 264, null, "1960-06-30"],
  ["EA9", null, null, "1976-02-27"],
  ["EA0", 49, null, "1968-10-11"],
  ["CR3", 109, null, "1974-09-09"],
  ["CR4", 409, null, "1975-07-04"],
  ["CR6", 401, null, "1975-11-10"],
  ["CR7", 181, null, "1975-06-24"],
  ["OQ", 414, null, "1960-06-29"],
  ["9U5", 208, "1960-07-01", "1962-06-30"],
  ["VQ1 5H1", 307, null, "1974-05-31"],
  ["VQ2", 482, null, "1964-10-23"],
  ["VQ3", 470, null, "1961-12-08"],
  ["VQ4", 430, null, "1963-12-11"],
  ["VQ5", 286, null, "1962-10-08"],
  ["FH", 39, null, "1975-07-05"],
  ["ST0", 244, "1972-05-07", "1994-12-31"],
  ["ZS8", 432, null, "1966-10-03"],
  ["ZS9", 402, null, "1966-09-29"],
  ["ZS9", null, "1966-09-30", "1977-08-31"],
  ["ZS9", 488, "1977-09-01", "1994-02-28"],
  ["ZS0", 493, null, "1994-02-28"],
  ["ZS3", 464, null, "1990-03-20"],
  ["VQ8??", 165, null, "1968-03-11"],
  ["VQ8", null, null, "1968-03-11"],
  ["VQ9", 379, null, "1976-06-28"],
  ["ZE", 452, null, "1980-04-17"],
  // French territories in the south, and prefixes France used for others before using the letters at home
  ["FB8W", 41, null, "1984-12-31"],
  ["FB8X", 131, null, "1984-12-31"],
  ["FB8Y", 13, null, "1984-12-31"],
  ["FB8Z", 10, null, "1984-12-31"],
  ["FB", null, null, "1984-12-31"],
  ["FA FD FE FF FI FL FN FQ", null, "1977-06-27", "1984-12-31"],
  // Asia
  ["FI8", 58, null, "1950-12-20"],
  ["FN8", 67, null, "1954-10-31"],
  ["8Z5 9K3", 68, null, "1969-12-14"],
  ["8Z4", 226, null, "1981-12-25"],
  ["CR8", 101, null, "1961-12-31"],
  ["CR9", 152, null, "1984-12-31"],
  ["CR", null, null, "1989-12-31"],
  ["MP4B", 304, null, "1971-08-14"],
  ["MP4Q", 376, null, "1971-09-02"],
  ["MP4D MP4T", 391, null, "1971-12-01"],
  ["MP4M VS9O", 370, null, "1970-12-31"],
  ["VS9K", 127, null, "1982-03-10"],
  ["VS9H", 139, null, "1967-11-29"],
  ["VS9M", 159, null, "1965-07-25"],
  ["VS9A VS9P VS9S 7O", 243, null, "1990-05-21"],
  ["4W", 154, null, "1990-05-21"],
  ["C9", 164, null, "1963-09-15"],
  ["C9", null, "1963-09-16", "1975-06-24"],
  ["C2 C3 C4 C5 C6 C7 C8", null, null, "1955-12-31"],
  ["ZC4", 215, null, "1960-08-15"],
  ["ZC6", 196, null, "1968-06-30"],
  ["HM", 137, null, "1981-12-31"],
  ["KR6 KR8 JR6 KA6", 193, null, "1972-05-14"],
  ["KA2?? KA3?? KA4?? KA5?? KA7?? KA8?? KA9??", 339, null, "1979-12-31"],
  ["KA0?? KA1??", null, null, "1979-12-31"],
  ["7J1", 194, "1976-05-30", "1980-11-30"],
  ["AC3", 231, null, "1975-04-30"],
  ["AC4", 268, null, "1974-05-30"],
  ["AC5", 306, null, "1972-12-31"],
  ["VS1", 381, null, "1963-09-15"],
  ["VS2 9M2", 155, null, "1963-09-15"],
  ["VS5", 345, null, "1983-12-31"],
  ["VS6", 321, null, "1997-06-30"],
  ["VS7", 315, null, "1948-02-03"],
  // Oceania
  ["ZC5", 25, null, "1963-09-15"],
  ["VS4", 220, null, "1963-09-15"],
  ["PK1 PK2 PK3", 119, null, "1963-04-30"],
  ["PK4", 258, null, "1963-04-30"],
  ["PK5", 183, null, "1963-04-30"],
  ["PK6", 30, null, "1963-04-30"],
  ["JZ0", 184, null, "1963-04-30"],
  ["CR8", 200, "1962-01-01", "1976-09-14"],
  ["CR10", 200, null, "1976-09-14"],
  ["1M", 178, null, "1972-07-15"],
  ["KH5K", 134, null, "2016-03-28"],
  ["KG6", 103, null, "1978-12-31"],
  ["KG6R KG6S KG6T", 166, null, "1978-12-31"],
  ["KG6I", null, null, "1968-06-25"],
  ["KJ6", 123, null, "1978-12-31"],
  ["KM6", 174, null, "1978-12-31"],
  ["KS6", 9, null, "1978-12-31"],
  ["KH7", 138, "1979-01-01", "1995-12-31"],
  ["KW6", 297, null, "1978-12-31"],
  ["KX6", 168, null, "1988-12-31"],
  ["KP6", 197, null, "1978-12-31"],
  ["KB6 KP6K", null, null, "1978-12-31"],
  // East and West Carolines, then West only. Three letters are the United States.
  ["KC6", null, null, "1988-12-31"],
  ["KC6??", 22, "1989-01-01", "1993-12-31"],
  ["FU", 158, null, "1980-07-29"],
  ["VR2", 176, null, "1970-10-09"],
  ["VR3", 48, null, "1979-07-11"],
  ["VR4", 185, null, "1978-07-06"],
  ["VR5", 160, null, "1970-06-03"],
  ["VR6", 172, null, "1997-06-30"],
  ["VR8", 282, "1976-01-01", "1978-09-30"],
  ["VR", null, null, "1990-12-31"],
  ["VK9", null, null, "1975-09-15"],
  ["VK1", null, null, "1955-12-31"],
  ["ZC2", 38, null, "1955-11-22"],
  ["ZC3", 35, null, "1957-12-31"],
  ["ZM6", 190, null, "1961-12-31"],
  ["ZM7", 270, null, "1983-12-31"],
  ["ZK2", 188, null, "2013-12-31"],
  // South and North Cook
  ["ZK1", null, null, "2006-12-31"],
  // Antarctica and the islands off it
  ["VK0", null, null, "1994-12-31"],
  ["VP8", null, null, "1984-12-31"],
  ["KC4", null, null, "1978-12-31"],
  ["KC4AA KC4US", 13, null, "1978-12-31"],
  // The Americas
  ["VO", 186, null, "1949-03-31"],
  ["KG1", 237, null, "1978-12-31"],
  ["KZ5", 28, null, "1979-09-30"],
  ["KS4", 261, null, "1972-08-31"],
  ["KP3", 228, null, "1981-09-16"],
  ["KV4", 285, null, "1978-12-31"],
  ["PJ1 PJ2 PJ4 PJ9", 85, null, "2010-10-09"],
  ["PJ3", 85, null, "1985-12-31"],
  ["PJ5 PJ6 PJ7 PJ8", 255, null, "2010-10-09"],
  ["VP1", 66, null, "1981-09-20"],
  ["VP2A", 94, null, "1981-10-31"],
  ["VP2D", 95, null, "1978-11-02"],
  ["VP2G", 77, null, "1974-02-06"],
  ["VP2K", 249, "1958-05-31", "1983-09-18"],
  ["VP2L", 97, null, "1979-02-21"],
  ["VP2S", 98, null, "1979-10-26"],
  ["VP3", 129, null, "1966-05-25"],
  ["VP4", 90, null, "1962-08-30"],
  ["VP5", null, null, "1962-08-05"],
  ["VP6", 62, null, "1966-11-29"],
  ["VP6", null, "1966-11-30", "1998-03-31"],
  ["VP7", 60, null, "1973-07-09"],
];

/**
 * Prefixes that several entities share to this day: only listed calls and longer prefixes tell which. VE0 are ships,
 * HF0 special stations in Poland and its base in the South Shetlands.
 */
export const AMBIGUOUS_PREFIXES: ReadonlySet<string> = new Set([
  ..."3Y GA TO TX TH FT HF0 CE0 CE9 3G0 3G9 XQ0 XQ9 XR0 XR9 VE0".split(" "),
  ..."VK0 AX0 AX9 VH0 VH9 VI0 VI9 VJ0 VJ9 VL0 VL9 VM0 VM9 VN0 VN9 VZ0 VZ9".split(" "),
  ..."PP PQ PR PS PT PU PV PW PX PY ZV ZW ZX ZY ZZ".split(" ").map((letters) => `${letters}0`),
]);

/** These do not tell where a visitor was, although most stations with such a call are in one entity. */
export const AMBIGUOUS_PLACES = /^(4U\d?|KC4|VK9|VP8)$/;

// The country file only has current entities. Latitude, and longitude positive east.
const DELETED_PLACES: Record<number, [lat: number, lon: number]> = {
  2: [14.1, 42.8],
  8: [-9.4, 46.3],
  19: [15.9, -78.6],
  23: [-5.2, 72.5],
  25: [5.9, 116.1],
  26: [9.6, 44.1],
  28: [9.1, -79.7],
  30: [-5.1, 119.4],
  39: [-12.2, 44.3],
  42: [20.4, 72.8],
  44: [-5.7, 53.7],
  55: [-10.2, 51.1],
  57: [-4.3, 15.3],
  58: [10.8, 106.7],
  59: [14.7, -17.4],
  67: [11.9, 79.8],
  68: [28.6, 48.3],
  81: [51, 10],
  85: [12.1, -68.9],
  93: [-12.4, 46.4],
  101: [15.5, 73.8],
  102: [6.6, 0.5],
  113: [29.4, -10.2],
  115: [2, 45.3],
  119: [-6.2, 106.8],
  127: [15.3, 42.6],
  128: [61.8, 34.3],
  134: [6.4, -162.4],
  139: [17.5, 56],
  151: [60.6, 28.6],
  154: [15.4, 44.2],
  155: [3.1, 101.7],
  164: [43.9, 125.3],
  178: [-23.8, -179],
  183: [-3.3, 114.6],
  184: [-2.5, 140.7],
  186: [47.6, -52.7],
  193: [26.3, 127.8],
  194: [20.4, 136.1],
  196: [31.5, 34.5],
  198: [-9.4, 147.1],
  200: [-8.6, 125.6],
  208: [-2.9, 29.8],
  210: [49.2, 7],
  218: [50, 16],
  220: [1.6, 110.3],
  226: [29, 45.5],
  228: [14.3, -80.3],
  229: [52.5, 13.4],
  231: [27.3, 88.6],
  243: [12.8, 45],
  244: [4.9, 31.6],
  255: [18, -63.1],
  258: [3.6, 98.7],
  261: [17.4, -83.9],
  264: [35.8, -5.8],
  267: [-4.2, 152.2],
  268: [29.7, 91.1],
  271: [45.7, 13.8],
  307: [-6.2, 39.2],
  488: [-23, 14.5],
  493: [-26.6, 15.2],
};

interface Era {
  dxcc: number | null;
  from: number;
  until: number;
}

const ERAS = new Map<string, Era[]>();
for (const [prefixes, dxcc, from, to] of HISTORIC_PREFIXES) {
  const era = { dxcc, from: from ? Date.parse(from) : -Infinity, until: Date.parse(to) + DAY };
  for (const prefix of prefixes.split(" ")) ERAS.set(prefix, [...(ERAS.get(prefix) ?? []), era]);
}

const MAX_PREFIX_LENGTH = Math.max(...[...ERAS.keys()].map((prefix) => prefix.length));
const ALL_OVER = Math.max(...[...ERAS.values()].flat().map((era) => era.until));

/**
 * The prefix that meant something else on a past day, and its place: null if it is ambiguous. Undefined if the text
 * means the same as today.
 */
export function findHistoric(
  countries: CountryFile,
  text: string,
  at: number | null,
): { prefix: string; place: Resolution | null } | undefined {
  if (at === null || at >= ALL_OVER) return undefined;
  for (let length = Math.min(text.length, MAX_PREFIX_LENGTH); length > 0; length--) {
    const prefix = text.slice(0, length);
    const era = (text.length === length + 2 ? findEra(`${prefix}??`, at) : undefined) ?? findEra(prefix, at);
    if (era) return { prefix, place: era.dxcc === null ? null : findEntityPlace(countries, era.dxcc) };
  }
  return undefined;
}

export function isHistoricPrefix(text: string, at: number | null): boolean {
  return at !== null && at < ALL_OVER && findEra(text, at) !== undefined;
}

function findEra(prefix: string, at: number): Era | undefined {
  return ERAS.get(prefix)?.find(({ from, until }) => at >= from && at < until);
}

/** The place of an entity, also of a deleted one. */
export function findEntityPlace(countries: CountryFile, dxcc: number): Resolution | null {
  const current = countries.byEntity.get(dxcc);
  const entity = getEntity(dxcc);
  const place = DELETED_PLACES[dxcc];
  if (current || !entity || !place) return current ?? null;
  const { cqZone, ituZone, continent } = entity;
  return { dxcc, cqZone, ituZone, continent, lat: place[0], lon: place[1] };
}
