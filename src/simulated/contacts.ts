import { BIGCTY } from "@ham2k/lib-country-files";
import type { CallFacts } from "../domain/call-facts.ts";
import { entityName } from "../domain/entity.ts";
import { gridOf } from "../domain/maidenhead.ts";
import { USA } from "../domain/us-states.ts";

/** A station on the air. */
export interface Partner {
  call: string;
  prefix: string;
  dxcc: number;
  country: string;
  continent: string;
  cqZone: number;
  ituZone: number;
  state: string | null;
  grid: string;
  iota: string | null;
  name: string;
  qth: string;
}

/** A contact as it was on the air, before anybody wrote it down. */
export interface AirContact {
  own: string;
  partner: Partner;
  at: number;
  band: string;
  /** MHz. */
  freq: number;
  mode: string;
  submode?: string;
  satellite?: string;
}

type Locate = CallFacts["locate"];
type Random = () => number;

export interface LogWish {
  own: string;
  from: number;
  to: number;
  contacts: number;
  locate: Locate;
  random: Random;
}

const CONTACTS_A_PARTNER = 2.5;
/** Above one: some partners are met far more often than others. */
const LOYALTY = 1.6;
/** Every so many contacts one with the next entity of the list, so that none is missing. */
const NEXT_ENTITY_EVERY = 12;

/** Contacts in the order of time, more of them in newer years. */
export function* contactsOf({ own, from, to, contacts, locate, random }: LogWish): Generator<AirContact> {
  const partners: Partner[] = [];
  const known = Math.max(1, Math.round(contacts / CONTACTS_A_PARTNER));
  for (let index = 0; index < contacts; index++) {
    const at = from + Math.floor((Math.sqrt((index + random()) / contacts) * (to - from)) / 1000) * 1000;
    const tours = index % NEXT_ENTITY_EVERY === 0;
    const country = tours ? COUNTRIES[(index / NEXT_ENTITY_EVERY) % COUNTRIES.length]! : countryBy(random());
    const isOld = !tours && partners.length > 0 && random() > known / contacts;
    const partner = isOld ? partners[Math.floor(partners.length * random() ** LOYALTY)]! : stationIn(country);
    if (!isOld) partners.push(partner);
    yield onAir(partner, at, own, random);
  }

  function stationIn(country: Country): Partner {
    return partnerIn(country, partners.length, locate, to, random) ?? stationIn(countryBy(random()));
  }
}

const onAir = (partner: Partner, at: number, own: string, random: Random): AirContact => {
  const away = random() < 0.04 ? `${own}/P` : own;
  if (random() < 0.015) {
    const satellite = pick(SATELLITES, random());
    return { own: away, partner, at, band: "70cm", freq: 435.25, mode: "FM", satellite };
  }
  const [band, low] = weighted(BANDS, random());
  const [mode, submode] = modeAt(at, band, random());
  const freq = Number((low + random() * 0.06).toFixed(3));
  return { own: away, partner, at, band, freq, mode, ...(submode && { submode }) };
};

/** Null where a call of this prefix turns out to be of no country. */
const partnerIn = (
  { prefix, lat, lon }: Country,
  number: number,
  locate: Locate,
  at: number,
  random: Random,
): Partner | null => {
  const area = /\d$/.test(prefix) ? prefix : `${prefix}${Math.floor(random() * 10)}`;
  const call = area + [number, number / 26, number / 676].map((part) => LETTERS[Math.floor(part) % 26]).join("");
  const place = locate(call, at);
  if (place === null) return null;
  const { dxcc, continent } = place;
  const home = homeOf(dxcc, area, random);
  return {
    call,
    prefix: area,
    dxcc,
    country: entityName(dxcc),
    continent,
    cqZone: place.cqZone ?? 1,
    ituZone: place.ituZone ?? 1,
    state: home.state,
    grid: home.at
      ? gridOf({ lat: home.at[0] + random() - 0.5, lon: home.at[1] + random() - 0.5 })!
      : gridNear(lat, lon, random),
    iota: random() < 0.06 ? `${continent}-${String(1 + (dxcc % 120)).padStart(3, "0")}` : null,
    name: pick(NAMES, random()),
    qth: home.town ?? entityName(dxcc),
  };
};

interface Home {
  state: string | null;
  town: string | null;
  at: readonly [lat: number, lon: number] | null;
}

/** Where a station of this call area may live: in the states the figure stands for, in a town of its country. */
const homeOf = (dxcc: number, area: string, random: Random): Home => {
  const towns = dxcc === USA ? US_TOWNS.filter(([, , , , areas]) => areas.includes(area.at(-1)!)) : TOWNS[dxcc];
  if (!towns || towns.length === 0) return { state: null, town: null, at: null };
  const [town, lat, lon, state = null] = pick<Town>(towns, random());
  return { state, town, at: [lat, lon] };
};

/** The country file counts degrees of longitude to the west. */
const gridNear = (lat: number, lon: number, random: Random): string => {
  const east = (180 - lon + random() * 6 + 360) % 360;
  const north = Math.min(179.9, Math.max(0, lat + 90 + random() * 4 - 2));
  const field = LETTERS[Math.floor(east / 20)]! + LETTERS[Math.floor(north / 10)]!;
  return `${field}${Math.floor((east % 20) / 2)}${Math.floor(north % 10)}${pick("ABCDEFGHIJKLMNOPQRSTUVWX", random())}${pick("ABCDEFGHIJKLMNOPQRSTUVWX", random())}`;
};

const FT8_BEGINS = Date.UTC(2017, 6, 1);
const FT4_BEGINS = Date.UTC(2019, 6, 1);

const modeAt = (at: number, band: string, chance: number): [mode: string, submode?: string] => {
  if (band === "2m" || band === "70cm") return chance < 0.5 ? ["SSB"] : at > FT8_BEGINS ? ["FT8"] : ["CW"];
  if (at > FT4_BEGINS && chance > 0.92) return ["MFSK", "FT4"];
  if (at > FT8_BEGINS && chance > 0.48) return ["FT8"];
  if (chance < 0.45) return ["CW"];
  if (chance < 0.8 && band !== "30m") return ["SSB"];
  if (chance < 0.9) return ["RTTY"];
  return chance < 0.99 || band === "30m" ? ["PSK", "PSK31"] : ["SSTV"];
};

interface Country {
  dxcc: number;
  prefix: string;
  lat: number;
  lon: number;
}

const COUNTRIES: readonly Country[] = Object.values(BIGCTY.entities)
  .filter(({ isWAE, entityPrefix }) => !isWAE && /^[A-Z0-9]{1,3}$/.test(entityPrefix))
  .map(({ dxccCode, entityPrefix, lat, lon }) => ({ dxcc: dxccCode, prefix: entityPrefix, lat, lon }))
  .sort((a, b) => a.dxcc - b.dxcc);

const countryBy = (chance: number): Country => {
  const dxcc = weighted(COMMON, chance)[0];
  return COUNTRIES.find((country) => country.dxcc === dxcc) ?? COUNTRIES[Math.floor(chance * COUNTRIES.length)]!;
};

/** How many of a hundred or so contacts an entity has; zero stands for all the others. */
const COMMON: readonly (readonly [dxcc: number, weight: number])[] = [
  [USA, 24],
  [230, 9],
  [54, 8],
  [248, 7],
  [339, 7],
  [288, 4],
  [281, 4],
  [223, 4],
  [227, 3],
  [269, 3],
  [1, 3],
  [503, 2],
  [284, 1],
  [108, 2],
  [150, 1],
  [0, 18],
];

const BANDS: readonly (readonly [band: string, low: number, weight: number])[] = [
  ["160m", 1.81, 3],
  ["80m", 3.51, 9],
  ["60m", 5.354, 1],
  ["40m", 7.01, 19],
  ["30m", 10.1, 8],
  ["20m", 14.01, 26],
  ["17m", 18.07, 9],
  ["15m", 21.01, 11],
  ["12m", 24.9, 4],
  ["10m", 28.01, 6],
  ["6m", 50.1, 4],
  ["2m", 144.17, 2],
  ["70cm", 432.17, 0.5],
];

const SATELLITES = ["AO-91", "SO-50", "RS-44", "IO-117"];
const NAMES = ["Anna", "Hans", "Yuki", "Marko", "Luis", "Pierre", "Olga", "Sven", "Maria", "Tom", "Jan", "Ines"];
type Town = readonly [name: string, lat: number, lon: number, state?: string, areas?: string];

/** With the figures of the calls that are given out there. */
const US_TOWNS: readonly (readonly [name: string, lat: number, lon: number, state: string, areas: string])[] = [
  ["Boston", 42.4, -71.1, "MA", "1"],
  ["Hartford", 41.8, -72.7, "CT", "1"],
  ["Portland", 43.7, -70.3, "ME", "1"],
  ["Concord", 43.2, -71.5, "NH", "1"],
  ["Burlington", 44.5, -73.2, "VT", "1"],
  ["Providence", 41.8, -71.4, "RI", "1"],
  ["Albany", 42.7, -73.8, "NY", "2"],
  ["Trenton", 40.2, -74.8, "NJ", "2"],
  ["Harrisburg", 40.3, -76.9, "PA", "3"],
  ["Baltimore", 39.3, -76.6, "MD", "3"],
  ["Dover", 39.2, -75.5, "DE", "3"],
  ["Atlanta", 33.7, -84.4, "GA", "4"],
  ["Orlando", 28.5, -81.4, "FL", "4"],
  ["Raleigh", 35.8, -78.6, "NC", "4"],
  ["Columbia", 34, -81, "SC", "4"],
  ["Richmond", 37.5, -77.4, "VA", "4"],
  ["Nashville", 36.2, -86.8, "TN", "4"],
  ["Louisville", 38.3, -85.8, "KY", "4"],
  ["Huntsville", 34.7, -86.6, "AL", "4"],
  ["Dallas", 32.8, -96.8, "TX", "5"],
  ["Tulsa", 36.2, -95.9, "OK", "5"],
  ["Little Rock", 34.7, -92.3, "AR", "5"],
  ["Baton Rouge", 30.5, -91.2, "LA", "5"],
  ["Jackson", 32.3, -90.2, "MS", "5"],
  ["Santa Fe", 35.7, -105.9, "NM", "5"],
  ["San Jose", 37.3, -121.9, "CA", "6"],
  ["Seattle", 47.6, -122.3, "WA", "7"],
  ["Portland", 45.5, -122.7, "OR", "7"],
  ["Phoenix", 33.4, -112.1, "AZ", "7"],
  ["Boise", 43.6, -116.2, "ID", "7"],
  ["Helena", 46.6, -112, "MT", "7"],
  ["Reno", 39.5, -119.8, "NV", "7"],
  ["Salt Lake City", 40.8, -111.9, "UT", "7"],
  ["Cheyenne", 41.1, -104.8, "WY", "7"],
  ["Dayton", 39.8, -84.2, "OH", "8"],
  ["Lansing", 42.7, -84.6, "MI", "8"],
  ["Charleston", 38.3, -81.6, "WV", "8"],
  ["Milwaukee", 43, -87.9, "WI", "9"],
  ["Peoria", 40.7, -89.6, "IL", "9"],
  ["Indianapolis", 39.8, -86.2, "IN", "9"],
  ["Denver", 39.7, -105, "CO", "0"],
  ["Des Moines", 41.6, -93.6, "IA", "0"],
  ["Wichita", 37.7, -97.3, "KS", "0"],
  ["Minneapolis", 45, -93.3, "MN", "0"],
  ["Saint Louis", 38.6, -90.2, "MO", "0"],
  ["Omaha", 41.3, -96, "NE", "0"],
  ["Fargo", 46.9, -96.8, "ND", "0"],
  ["Sioux Falls", 43.5, -96.7, "SD", "0"],
];

/** Of the countries that are met most; elsewhere the country is all that is said. */
const TOWNS: Readonly<Record<number, readonly Town[]>> = {
  1: [
    ["Toronto", 43.7, -79.4],
    ["Winnipeg", 49.9, -97.1],
    ["Halifax", 44.6, -63.6],
  ],
  54: [
    ["Moscow", 55.8, 37.6],
    ["Kazan", 55.8, 49.1],
    ["Samara", 53.2, 50.2],
  ],
  108: [
    ["Curitiba", -25.4, -49.3],
    ["Recife", -8.1, -34.9],
  ],
  150: [
    ["Perth", -31.9, 115.9],
    ["Brisbane", -27.5, 153],
  ],
  223: [
    ["Leeds", 53.8, -1.5],
    ["Norwich", 52.6, 1.3],
    ["Exeter", 50.7, -3.5],
  ],
  227: [
    ["Lyon", 45.8, 4.8],
    ["Rennes", 48.1, -1.7],
  ],
  230: [
    ["Kassel", 51.3, 9.5],
    ["Leipzig", 51.3, 12.4],
    ["Ulm", 48.4, 10],
  ],
  248: [
    ["Bologna", 44.5, 11.3],
    ["Bari", 41.1, 16.9],
    ["Torino", 45.1, 7.7],
  ],
  269: [
    ["Poznan", 52.4, 16.9],
    ["Lublin", 51.2, 22.6],
  ],
  281: [
    ["Zaragoza", 41.7, -0.9],
    ["Sevilla", 37.4, -6],
  ],
  284: [["Plovdiv", 42.1, 24.7]],
  288: [
    ["Kharkiv", 50, 36.2],
    ["Lviv", 49.8, 24],
  ],
  339: [
    ["Nagano", 36.6, 138.2],
    ["Sapporo", 43.1, 141.4],
    ["Hiroshima", 34.4, 132.5],
  ],
  503: [
    ["Brno", 49.2, 16.6],
    ["Ostrava", 49.8, 18.3],
  ],
};

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

const pick = <T>(list: ArrayLike<T>, chance: number): T => list[Math.floor(list.length * chance)]!;

/** The last number of a row is its weight. */
const weighted = <Row extends readonly [...unknown[], number]>(rows: readonly Row[], chance: number): Row => {
  const weightOf = (row: Row) => row.at(-1) as number;
  let left = chance * rows.reduce((sum, row) => sum + weightOf(row), 0);
  return rows.find((row) => (left -= weightOf(row)) < 0) ?? rows.at(-1)!;
};
