import { DAY } from "../domain/clock.ts";
import { entityOf } from "../domain/entity.ts";
import type { CountryFile, Resolution } from "./country-file.ts";

// What a prefix meant on days when it did not mean what it means now: from the notes and deletions
// of the ARRL's DXCC list. Several prefixes of deleted entities (VK9, HK0, I1, CR8 before Goa's end)
// were shared, and the call alone does not decide those.
export const HISTORIC_PREFIXES: [prefixes: string, dxcc: number, from: string | null, to: string][] = [
  // Germany
  ["DA DB DC DD DE DF DG DH DI DJ DK DL DM", 81, null, "1973-09-16"],
  ["DM Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9", 229, "1973-09-17", "1990-10-02"],
  ["9S4", 210, null, "1957-03-31"],
  // Elsewhere in Europe
  ["OK OL OM", 218, null, "1992-12-31"],
  ["4O", 296, null, "2006-06-27"],
  ["T9", 501, "1991-10-15", "2007-12-31"],
  ["R1MV", 151, null, "2012-02-16"],
  ["UN1", 128, null, "1960-06-30"],
  // Republics of the Soviet Union
  ["UR2 RR2", 52, null, "1991-12-31"],
  ["UP2 RP2", 146, null, "1991-12-31"],
  ["UQ2 RQ2", 145, null, "1991-12-31"],
  ["UC2 RC2", 27, null, "1992-12-31"],
  ["UB5 RB5 UT5 UY5", 288, null, "1992-12-31"],
  ["UO5 RO5", 179, null, "1992-12-31"],
  ["UD6 RD6", 18, null, "1992-12-31"],
  ["UF6 RF6", 75, null, "1992-12-31"],
  ["UG6 RG6", 14, null, "1992-12-31"],
  ["UH8 RH8", 280, null, "1992-12-31"],
  ["UI8 RI8", 292, null, "1992-12-31"],
  ["UJ8 RJ8", 262, null, "1992-12-31"],
  ["UL7 RL7", 130, null, "1992-12-31"],
  ["UM8 RM8", 135, null, "1992-12-31"],
  // Africa
  ["VQ6", 26, null, "1960-06-30"],
  ["I5", 115, null, "1960-06-30"],
  ["FQ8", 57, null, "1960-08-16"],
  ["FF", 59, null, "1960-08-06"],
  ["ZD4", 102, null, "1957-03-05"],
  ["CN2", 264, null, "1960-06-30"],
  ["9U5", 208, "1960-07-01", "1962-06-30"],
  ["VQ1 5H1", 307, null, "1974-05-31"],
  ["FH", 39, null, "1975-07-05"],
  ["ST0", 244, "1972-05-07", "1994-12-31"],
  ["ZS9", 488, "1977-09-01", "1994-02-28"],
  ["ZS0", 493, null, "1994-02-28"],
  ["ZS3", 464, null, "1990-03-20"],
  ["VQ8", 165, null, "1968-03-11"],
  ["VQ9", 379, null, "1976-06-28"],
  ["ZE", 452, null, "1980-04-17"],
  // Asia
  ["FI8", 58, null, "1950-12-20"],
  ["FN8", 67, null, "1954-10-31"],
  ["8Z5 9K3", 68, null, "1969-12-14"],
  ["8Z4", 226, null, "1981-12-25"],
  ["CR8", 101, null, "1961-12-31"],
  ["VS9K", 127, null, "1982-03-10"],
  ["VS9H", 139, null, "1967-11-29"],
  ["VS9A VS9P VS9S 7O", 243, null, "1990-05-21"],
  ["4W", 154, null, "1990-05-21"],
  ["C9", 164, null, "1963-09-15"],
  ["ZC6", 196, null, "1968-06-30"],
  ["KR6 KR8 JR6 KA6", 193, null, "1972-05-14"],
  ["7J1", 194, "1976-05-30", "1980-11-30"],
  ["AC3", 231, null, "1975-04-30"],
  ["AC4", 268, null, "1974-05-30"],
  ["VS2 9M2", 155, null, "1963-09-15"],
  ["VS6", 321, null, "1997-06-30"],
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
  ["KH5K", 134, null, "2016-03-29"],
  ["KG6", 103, null, "1978-12-31"],
  ["KJ6", 123, null, "1978-12-31"],
  ["KM6", 174, null, "1978-12-31"],
  ["KS6", 9, null, "1978-12-31"],
  ["KW6", 297, null, "1978-12-31"],
  ["KX6", 168, null, "1988-12-31"],
  ["VR2", 176, null, "1970-10-09"],
  ["VR6", 172, null, "1997-06-30"],
  // The Americas
  ["VO", 186, null, "1949-03-31"],
  ["KZ5", 28, null, "1979-09-30"],
  ["KS4", 261, null, "1972-08-31"],
  ["KP3", 228, null, "1981-09-16"],
  ["KV4", 285, null, "1978-12-31"],
  ["PJ1 PJ2 PJ4 PJ9", 85, null, "2010-10-09"],
  ["PJ3", 85, null, "1985-12-31"],
  ["PJ5 PJ6 PJ7 PJ8", 255, null, "2010-10-09"],
  ["VP6", 62, null, "1966-11-29"],
];

// Only current entities are in the country file. Latitude, and longitude positive east.
const DELETED_PLACES: Record<number, [lat: number, lon: number]> = {
  25: [5.9, 116.1],
  26: [9.6, 44.1],
  28: [9.1, -79.7],
  30: [-5.1, 119.4],
  39: [-12.2, 44.3],
  57: [-4.3, 15.3],
  58: [10.8, 106.7],
  59: [14.7, -17.4],
  67: [11.9, 79.8],
  68: [28.6, 48.3],
  81: [51, 10],
  85: [12.1, -68.9],
  101: [15.5, 73.8],
  102: [6.6, 0.5],
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
  268: [29.7, 91.1],
  307: [-6.2, 39.2],
  488: [-23, 14.5],
  493: [-26.6, 15.2],
};

interface Era {
  dxcc: number;
  from: number;
  until: number;
}

const ERAS = new Map<string, Era[]>();
for (const [prefixes, dxcc, from, to] of HISTORIC_PREFIXES) {
  const era = { dxcc, from: from ? Date.parse(from) : -Infinity, until: Date.parse(to) + DAY };
  for (const prefix of prefixes.split(" ")) ERAS.set(prefix, [...(ERAS.get(prefix) ?? []), era]);
}

const LONGEST = Math.max(...[...ERAS.keys()].map((prefix) => prefix.length));
const ALL_OVER = Math.max(...[...ERAS.values()].flat().map((era) => era.until));

/** The place a call or prefix stood for on a day of the past, where that differs from today. */
export function findHistoric(countries: CountryFile, text: string, at: number | null): Resolution | null {
  if (at === null || at >= ALL_OVER) return null;
  for (let length = Math.min(text.length, LONGEST); length > 1; length--) {
    const era = eraOf(text.slice(0, length), at);
    if (era) return countries.byEntity.get(era.dxcc) ?? deletedPlace(era.dxcc);
  }
  return null;
}

export function isHistoricPrefix(text: string, at: number | null): boolean {
  return at !== null && at < ALL_OVER && eraOf(text, at) !== undefined;
}

function eraOf(prefix: string, at: number): Era | undefined {
  return ERAS.get(prefix)?.find(({ from, until }) => at >= from && at < until);
}

function deletedPlace(dxcc: number): Resolution | null {
  const entity = entityOf(dxcc);
  const place = DELETED_PLACES[dxcc];
  if (!entity || !place) return null;
  const { cqZone, ituZone, continent } = entity;
  return { dxcc, cqZone, ituZone, continent, lat: place[0], lon: place[1] };
}
