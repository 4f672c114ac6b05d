import { BIGCTY } from "@ham2k/lib-country-files";
import type { CallFacts } from "../domain/call-facts.ts";
import { entityName } from "../domain/entity.ts";
import { US_STATES, USA } from "../domain/us-states.ts";

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
  return {
    call,
    prefix: area,
    dxcc,
    country: entityName(dxcc),
    continent,
    cqZone: place.cqZone ?? 1,
    ituZone: place.ituZone ?? 1,
    state: dxcc === USA ? pick(STATES, random()) : null,
    grid: gridNear(lat, lon, random),
    iota: random() < 0.06 ? `${continent}-${String(1 + (dxcc % 120)).padStart(3, "0")}` : null,
    name: pick(NAMES, random()),
    qth: pick(TOWNS, random()),
  };
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
const STATES = [...US_STATES.keys()].filter((state) => state !== "AK" && state !== "HI");
const NAMES = ["Anna", "Hans", "Yuki", "Marko", "Luis", "Pierre", "Olga", "Sven", "Maria", "Tom", "Jan", "Ines"];
const TOWNS = ["Springfield", "Neustadt", "Novi Grad", "Santa Maria", "Villeneuve", "Newport", "Nagano", "Porto"];
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

const pick = <T>(list: ArrayLike<T>, chance: number): T => list[Math.floor(list.length * chance)]!;

/** The last number of a row is its weight. */
const weighted = <Row extends readonly [...unknown[], number]>(rows: readonly Row[], chance: number): Row => {
  const weightOf = (row: Row) => row.at(-1) as number;
  let left = chance * rows.reduce((sum, row) => sum + weightOf(row), 0);
  return rows.find((row) => (left -= weightOf(row)) < 0) ?? rows.at(-1)!;
};
