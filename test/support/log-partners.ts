import { BIGCTY } from "@ham2k/lib-country-files";
import { getEntity } from "../../src/domain/radio/entity.ts";
import { US_STATES, USA } from "../../src/domain/radio/us-states.ts";
import { pick, randomOf, weighted, type Weights } from "./chance.ts";

/** A station on the air. */
export interface Partner {
  call: string;
  dxcc: number;
  country: string;
  continent: string;
  cqZone: number;
  ituZone: number;
  state: string | null;
  county: string | null;
  grid: string;
  iota: string | null;
  name: string;
  qth: string;
}

/** Share of a typical log in thousandths. Other entities share the rest unevenly. */
const LARGE_ENTITIES: readonly (readonly [dxcc: number, thousandths: number])[] = [
  [USA, 210],
  [230, 75],
  [54, 65],
  [248, 60],
  [339, 55],
  [288, 35],
  [281, 35],
  [223, 30],
  [227, 28],
  [269, 28],
  [1, 25],
  [503, 18],
  [239, 16],
  [15, 16],
  [209, 14],
  [263, 14],
  [275, 12],
  [497, 12],
  [284, 12],
  [108, 12],
  [150, 10],
  [296, 10],
];
const REST_IS_UNEVEN = 2.2;

const PREFIXES: Record<number, readonly string[]> = {
  [USA]: ["K", "W", "N", "KA", "KB", "KC", "KD", "KE", "WA", "WB", "AA", "AC"],
  230: ["DL", "DK", "DJ", "DF", "DG", "DO"],
  54: ["UA", "RA", "RK", "R", "RW", "RX"],
  339: ["JA", "JH", "JR", "JE", "7K"],
  248: ["IK", "IZ", "I", "IU"],
};

interface Country {
  dxcc: number;
  name: string;
  prefixes: readonly string[];
  lat: number;
  lon: number;
}

const COUNTRIES: readonly Country[] = Object.values(BIGCTY.entities)
  .filter(({ isWAE, entityPrefix }) => !isWAE && /^[A-Z0-9]{1,3}$/.test(entityPrefix))
  .filter(({ dxccCode }) => getEntity(dxccCode) !== null)
  .map(({ dxccCode, name, entityPrefix, lat, lon }) => ({
    dxcc: dxccCode,
    name,
    prefixes: PREFIXES[dxccCode] ?? [entityPrefix],
    lat,
    lon: -lon,
  }))
  .sort((a, b) => a.dxcc - b.dxcc)
  .slice(0, 300);

const COUNTRY_OF: ReadonlyMap<number, Country> = new Map(COUNTRIES.map((country) => [country.dxcc, country]));
const SMALL = COUNTRIES.filter(({ dxcc }) => !LARGE_ENTITIES.some(([large]) => large === dxcc));
const LARGE: Weights = [...LARGE_ENTITIES.map(([dxcc, share]) => [String(dxcc), share] as const), ["", 208]];
const STATES = [...US_STATES.keys()].filter((state) => /^[A-Z]{2}$/.test(state) && !["AK", "HI"].includes(state));
const COUNTIES = ["Pierce", "Lake", "Clay", "Marion", "Jefferson", "Lincoln", "Grant", "Monroe"];
const NAMES = ["Ann", "Bob", "Eve", "Toni", "Hans", "Yuki", "Marko", "Luis", "Pierre", "Olga", "Sven", "Maria"];
const TOWNS = ["Springfield", "Neustadt", "Novi Grad", "Santa Maria", "Villeneuve", "Newport", "Nagano", "Porto"];
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** A station that depends only on the number. */
export const partnerOf = (number: number, seed: number): Partner => {
  const random = randomOf(number * 7_919 + seed);
  const named = weighted(LARGE, random());
  const country = COUNTRY_OF.get(Number(named)) ?? SMALL[Math.floor(SMALL.length * random() ** REST_IS_UNEVEN)]!;
  const entity = getEntity(country.dxcc)!;
  const state = country.dxcc === USA ? pick(STATES, random() ** 1.3) : null;
  const prefix = pick(country.prefixes, random());
  return {
    call: callOf(prefix, number, random),
    dxcc: country.dxcc,
    country: country.name,
    continent: entity.continent,
    cqZone: entity.cqZone,
    ituZone: entity.ituZone,
    state,
    county: state && pick(COUNTIES, random()),
    grid: gridNear(country, random),
    iota: random() < 0.08 ? `${entity.continent}-${String(1 + (country.dxcc % 180)).padStart(3, "0")}` : null,
    name: `${pick(NAMES, random())} ${pick(LETTERS.split(""), random())}`,
    qth: pick(TOWNS, random()),
  };
};

const callOf = (prefix: string, number: number, random: () => number): string => {
  const digit = /\d$/.test(prefix) ? "" : String(Math.floor(random() * 10));
  const letters = [number % 26, Math.floor(number / 26) % 26, Math.floor(number / 676) % 26];
  return `${prefix}${digit}${letters.map((letter) => LETTERS[letter]).join("")}`;
};

const gridNear = ({ lat, lon }: Country, random: () => number): string => {
  const east = (lon + 180 + random() * 12 + 360) % 360;
  const north = Math.min(179.9, Math.max(0, lat + 90 + random() * 6 - 3));
  const field = LETTERS[Math.floor(east / 20)]! + LETTERS[Math.floor(north / 10)]!;
  const square = `${Math.floor((east % 20) / 2)}${Math.floor(north % 10)}`;
  return `${field}${square}${LETTERS[Math.floor(random() * 24)]!}${LETTERS[Math.floor(random() * 24)]!}`;
};
