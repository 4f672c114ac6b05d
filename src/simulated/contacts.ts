import { BIGCTY } from "@ham2k/lib-country-files";
import type { CallFacts } from "../domain/radio/call-facts.ts";
import { getEntityName } from "../domain/radio/entity.ts";
import { computeDistanceKm, computeGridCentre, toGrid } from "../domain/radio/maidenhead.ts";
import { USA } from "../domain/radio/us-states.ts";

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
  qth: string | null;
}

/** A contact as it really was, before any record of it. */
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
  /** Its grid square. */
  home: string;
  from: number;
  to: number;
  contacts: number;
  locate: Locate;
  random: Random;
}

const CONTACTS_A_PARTNER = 2.5;
/** Above 1: some partners are met far more often than others. */
const LOYALTY = 1.6;
/** Contacts in order of time, more of them in later years. */
export function* createContacts({ own, home, from, to, contacts, locate, random }: LogWish): Generator<AirContact> {
  const partners: Partner[] = [];
  const known = Math.max(1, Math.round(contacts / CONTACTS_A_PARTNER));
  for (let index = 0; index < contacts; index++) {
    const at = from + Math.floor((Math.sqrt((index + random()) / contacts) * (to - from)) / 1000) * 1000;
    const isOld = partners.length > 0 && random() > known / contacts;
    const partner = isOld
      ? partners[Math.floor(partners.length * random() ** LOYALTY)]!
      : createStation(chooseCountry(random));
    if (!isOld) partners.push(partner);
    yield onAir(partner, at, { own, home }, random);
  }

  function createStation(country: Country): Partner {
    return createPartner(country, partners.length, locate, to, random) ?? createStation(chooseCountry(random));
  }
}

/** The usual range on these bands. */
const REACH_KM: Readonly<Record<string, number>> = { satellite: 5_000, "6m": 9_000, "2m": 1_300, "70cm": 800 };

const onAir = (
  partner: Partner,
  at: number,
  { own, home }: Pick<LogWish, "own" | "home">,
  random: Random,
): AirContact => {
  const away = random() < 0.04 ? `${own}/P` : own;
  const km = computeDistanceKm(computeGridCentre(home)!, computeGridCentre(partner.grid)!);
  const isHeard = (way: string) => km <= (REACH_KM[way] ?? Infinity);
  if (random() < 0.03 && isHeard("satellite")) {
    const satellite = pick(SATELLITES, random());
    return { own: away, partner, at, band: "70cm", freq: 435.25, mode: "FM", satellite };
  }
  const [band, low] = chooseWeighted(
    BANDS.filter(([name]) => isHeard(name)),
    random(),
  );
  const [mode, submode] = chooseMode(at, band, random());
  const freq = Number((low + random() * 0.06).toFixed(3));
  return { own: away, partner, at, band, freq, mode, ...(submode && { submode }) };
};

/** Null if a call of this prefix belongs to no country or to another one. */
const createPartner = (
  { dxcc, prefix, lat, lon }: Country,
  number: number,
  locate: Locate,
  at: number,
  random: Random,
): Partner | null => {
  const area = /\d$/.test(prefix) ? prefix : prefix + pick(listDigits(dxcc), random());
  const call = area + [number, number / 26, number / 676].map((part) => LETTERS[Math.floor(part) % 26]).join("");
  const place = locate(call, at);
  if (place?.dxcc !== dxcc) return null;
  const { continent } = place;
  const home = chooseHome(dxcc, area, random);
  return {
    call,
    prefix: area,
    dxcc,
    country: getEntityName(dxcc),
    continent,
    cqZone: place.cqZone ?? 1,
    ituZone: place.ituZone ?? 1,
    state: home.state,
    grid: home.at
      ? toGrid({ lat: home.at[0] + (random() - 0.5) * 0.4, lon: home.at[1] + (random() - 0.5) * 0.4 })!
      : chooseGrid(lat, lon, random),
    iota: random() < 0.06 ? `${continent}-${String(1 + (dxcc % 120)).padStart(3, "0")}` : null,
    name: pick(NAMES, random()),
    qth: home.town,
  };
};

interface Home {
  state: string | null;
  town: string | null;
  at: readonly [lat: number, lon: number] | null;
}

const FIGURES = "0123456789";

/** The digits that calls of a country can have, from its towns if they are listed. */
const listDigits = (dxcc: number): string[] => {
  const known = (TOWNS[dxcc] ?? []).flatMap(([, , , , areas = FIGURES]) => [...areas]);
  return [...new Set(known.length > 0 ? known : FIGURES)];
};

/** A possible location for a call area: a town in the states or region of its digit. */
const chooseHome = (dxcc: number, area: string, random: Random): Home => {
  const towns = (TOWNS[dxcc] ?? []).filter(([, , , , areas = FIGURES]) => areas.includes(area.at(-1)!));
  if (towns.length === 0) return { state: null, town: null, at: null };
  const [town, lat, lon, state] = pick<Town>(towns, random());
  return { state: state === "" ? null : (state ?? null), town, at: [lat, lon] };
};

/** Most countries are larger than this everywhere. The country file counts longitude positive west. */
const chooseGrid = (lat: number, lon: number, random: Random): string => {
  const east = (180 - lon + random() - 0.5 + 360) % 360;
  const north = Math.min(179.9, Math.max(0, lat + 90 + (random() - 0.5) * 0.6));
  const field = LETTERS[Math.floor(east / 20)]! + LETTERS[Math.floor(north / 10)]!;
  return `${field}${Math.floor((east % 20) / 2)}${Math.floor(north % 10)}${pick("ABCDEFGHIJKLMNOPQRSTUVWX", random())}${pick("ABCDEFGHIJKLMNOPQRSTUVWX", random())}`;
};

const FT8_BEGINS = Date.UTC(2017, 6, 1);
const FT4_BEGINS = Date.UTC(2019, 6, 1);

const chooseMode = (at: number, band: string, chance: number): [mode: string, submode?: string] => {
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

const chooseCountry = (random: Random): Country => {
  const dxcc = chooseWeighted(COMMON, random())[0];
  const named = COUNTRIES.find((country) => country.dxcc === dxcc);
  return named ?? COUNTRIES[Math.floor(COUNTRIES.length * random() ** RARITY)]!;
};

/** Above 1: some of the other entities are met far more often than the rest. */
const RARITY = 1.15;

/** Stations among about two hundred, and the entities that have so many; zero stands for all other entities. */
const STATIONS: readonly (readonly [weight: number, entities: readonly number[]])[] = [
  [38, [USA]],
  [20, [230]],
  [17, [248]],
  [16, [54]],
  [13, [339]],
  [10, [281, 223]],
  [8, [227, 288]],
  [7, [269]],
  [5, [503, 1]],
  [4, [275, 212, 108, 15, 263]],
  [3, [209, 239, 236, 284, 224, 206, 497, 499]],
  [2, [150, 318, 287, 272, 504, 296, 266, 221, 146, 27, 390, 100]],
  [1, [279, 294, 245, 145, 52, 501, 502, 130, 336, 137, 327, 324, 170, 462, 112, 50, 29, 202, 110]],
  [40, [0]],
];

const COMMON = STATIONS.flatMap(([weight, entities]) => entities.map((dxcc) => [dxcc, weight] as const));

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
  ["6m", 50.1, 5],
  ["2m", 144.17, 6],
  ["70cm", 432.17, 2],
];

const SATELLITES = ["AO-91", "SO-50", "RS-44", "IO-117"];
const NAMES = ["Anna", "Hans", "Yuki", "Marko", "Luis", "Pierre", "Olga", "Sven", "Maria", "Tom", "Jan", "Ines"];
type Town = readonly [name: string, lat: number, lon: number, state?: string, areas?: string];

/** For the most common countries, with the digits of their calls if those depend on the region. */
const TOWNS: Readonly<Record<number, readonly Town[]>> = {
  [USA]: [
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
  ],
  1: [
    ["Halifax", 44.6, -63.6, "", "1"],
    ["Montreal", 45.5, -73.6, "", "2"],
    ["Toronto", 43.7, -79.4, "", "3"],
    ["Ottawa", 45.3, -75.7, "", "3"],
    ["Winnipeg", 49.9, -97.1, "", "4"],
    ["Regina", 50.5, -104.6, "", "5"],
    ["Calgary", 51, -114.1, "", "6"],
    ["Vancouver", 49.2, -122.9, "", "7"],
    ["Yellowknife", 62.5, -114.4, "", "8"],
    ["Moncton", 46.1, -64.8, "", "9"],
  ],
  15: [
    ["Yekaterinburg", 56.8, 60.6, "", "8"],
    ["Novosibirsk", 55, 82.9, "", "9"],
    ["Irkutsk", 52.3, 104.3, "", "0"],
  ],
  54: [
    ["Saint Petersburg", 59.9, 30.3, "", "1"],
    ["Moscow", 55.8, 37.6, "", "3"],
    ["Samara", 53.2, 50.2, "", "4"],
    ["Voronezh", 51.7, 39.2, "", "5"],
    ["Krasnodar", 45, 39, "", "67"],
  ],
  108: [
    ["Petropolis", -22.5, -43.2, "", "1"],
    ["Campinas", -22.9, -47.1, "", "2"],
    ["Porto Alegre", -30, -51.2, "", "3"],
    ["Belo Horizonte", -19.9, -43.9, "", "4"],
    ["Curitiba", -25.4, -49.3, "", "5"],
    ["Feira de Santana", -12.3, -38.9, "", "6"],
    ["Recife", -8.1, -35.2, "", "7"],
    ["Belem", -1.5, -48.4, "", "8"],
    ["Cuiaba", -15.6, -56.1, "", "9"],
  ],
  150: [
    ["Canberra", -35.3, 149.1, "", "1"],
    ["Sydney", -33.8, 150.9, "", "2"],
    ["Melbourne", -37.8, 145.1, "", "3"],
    ["Darwin", -12.4, 130.9, "", "8"],
    ["Brisbane", -27.5, 152.9, "", "4"],
    ["Adelaide", -34.9, 138.7, "", "5"],
    ["Perth", -31.9, 116.1, "", "6"],
    ["Hobart", -42.8, 147.2, "", "7"],
  ],
  206: [
    ["Salzburg", 47.7, 13.1, "", "2"],
    ["Linz", 48.3, 14.3, "", "5"],
    ["Graz", 47.1, 15.4, "", "6"],
  ],
  209: [
    ["Gent", 51, 3.8],
    ["Namur", 50.4, 4.9],
  ],
  212: [
    ["Plovdiv", 42.1, 24.7],
    ["Pleven", 43.4, 24.6],
  ],
  223: [
    ["Leeds", 53.8, -1.5],
    ["Norwich", 52.6, 1.1],
    ["Exeter", 50.8, -3.5],
  ],
  224: [
    ["Tampere", 61.5, 23.8, "", "3"],
    ["Kuopio", 62.9, 27.7, "", "7"],
    ["Oulu", 65, 25.7, "", "8"],
  ],
  227: [
    ["Lyon", 45.8, 4.8],
    ["Rennes", 48.1, -1.7],
    ["Toulouse", 43.6, 1.4],
  ],
  230: [
    ["Kassel", 51.3, 9.5],
    ["Leipzig", 51.3, 12.4],
    ["Ulm", 48.4, 10],
    ["Bremen", 53.1, 8.8],
  ],
  236: [
    ["Larissa", 39.6, 22.4, "", "4"],
    ["Ioannina", 39.7, 20.9, "", "6"],
  ],
  239: [
    ["Szeged", 46.4, 20.1, "", "8"],
    ["Debrecen", 47.5, 21.5, "", "0"],
  ],
  248: [
    ["Torino", 45.1, 7.7, "", "1"],
    ["Bergamo", 45.7, 9.7, "", "2"],
    ["Padova", 45.4, 11.9, "", "3"],
    ["Bologna", 44.5, 11.3, "", "4"],
    ["Firenze", 43.8, 11.2, "", "5"],
    ["Pescara", 42.3, 14, "", "6"],
    ["Bari", 40.9, 16.8, "", "7"],
    ["Avellino", 40.9, 14.8, "", "8"],
    ["Viterbo", 42.4, 12.1, "", "0"],
  ],
  263: [
    ["Utrecht", 52.1, 5.2],
    ["Zwolle", 52.5, 6.1],
  ],
  269: [
    ["Szczecin", 53.3, 14.8, "", "1"],
    ["Bydgoszcz", 53.1, 18, "", "2"],
    ["Poznan", 52.4, 16.9, "", "3"],
    ["Bialystok", 53.1, 23, "", "4"],
    ["Warszawa", 52.2, 21, "", "5"],
    ["Wroclaw", 51.1, 17, "", "6"],
    ["Kielce", 50.9, 20.6, "", "7"],
    ["Lublin", 51.2, 22.5, "", "8"],
    ["Krakow", 50.1, 20, "", "9"],
  ],
  275: [
    ["Bucuresti", 44.5, 26.1, "", "3"],
    ["Cluj", 46.8, 23.6, "", "5"],
    ["Iasi", 47.1, 27.3, "", "8"],
  ],
  281: [
    ["Leon", 42.6, -5.6, "", "1"],
    ["Zaragoza", 41.7, -0.9, "", "2"],
    ["Lleida", 41.6, 0.7, "", "3"],
    ["Madrid", 40.4, -3.7, "", "4"],
    ["Albacete", 39, -1.9, "", "5"],
    ["Sevilla", 37.4, -5.9, "", "7"],
  ],
  284: [
    ["Uppsala", 59.8, 17.5, "", "5"],
    ["Jonkoping", 57.8, 14.2, "", "7"],
  ],
  287: [
    ["Bern", 46.9, 7.4, "", "9"],
    ["Zurich", 47.4, 8.5, "", "9"],
  ],
  288: [
    ["Kharkiv", 50, 36.2],
    ["Lviv", 49.8, 24],
    ["Poltava", 49.6, 34.5],
  ],
  339: [
    ["Saitama", 35.9, 139.5, "", "1"],
    ["Nagoya", 35.2, 137.1, "", "2"],
    ["Osaka", 34.7, 135.6, "", "3"],
    ["Hiroshima", 34.5, 132.6, "", "4"],
    ["Tokushima", 34, 134.3, "", "5"],
    ["Kumamoto", 32.8, 130.8, "", "6"],
    ["Sendai", 38.3, 140.7, "", "7"],
    ["Sapporo", 43.1, 141.5, "", "8"],
    ["Kanazawa", 36.5, 136.7, "", "9"],
    ["Nagano", 36.6, 138.2, "", "0"],
  ],
  497: [
    ["Zagreb", 45.8, 16],
    ["Osijek", 45.5, 18.6],
  ],
  503: [
    ["Plzen", 49.7, 13.4],
    ["Brno", 49.2, 16.6],
    ["Ostrava", 49.7, 18.2],
  ],
};

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

const pick = <T>(list: ArrayLike<T>, chance: number): T => list[Math.floor(list.length * chance)]!;

/** The last element of a row is its weight. */
const chooseWeighted = <Row extends readonly [...unknown[], number]>(rows: readonly Row[], chance: number): Row => {
  const weightOf = (row: Row) => row.at(-1) as number;
  let left = chance * rows.reduce((sum, row) => sum + weightOf(row), 0);
  return rows.find((row) => (left -= weightOf(row)) < 0) ?? rows.at(-1)!;
};
