import { BIGCTY } from "@ham2k/lib-country-files";
import { wpxPrefix } from "../../src/callsign/prefix.ts";
import type { AdifRecord, Fields } from "../../src/domain/adif-record.ts";
import type { CallFacts } from "../../src/domain/call-facts.ts";
import { derive, RULES_VERSION } from "../../src/domain/derive.ts";
import { entityOf } from "../../src/domain/entity.ts";
import { adifDate, adifTime } from "../../src/domain/instant.ts";
import type { Layers } from "../../src/domain/layers.ts";
import { NO_LAYERS, withFile, withFirst, withSecond } from "../../src/domain/layers.ts";
import { modeGroupOf, type ModeGroup } from "../../src/domain/mode.ts";
import { US_STATES, USA } from "../../src/domain/us-states.ts";
import type { Database } from "../../src/storage/database.ts";
import * as qsos from "../../src/storage/qsos.ts";

/** One contact of a generated log, before any origin tells it in its own way. */
export interface Contact {
  partner: Partner;
  at: number;
  band: string;
  freqMhz: string;
  mode: string;
  submode: string | null;
  group: ModeGroup;
  satellite: string | null;
  station: string;
  isConfirmedByFirst: boolean;
  isConfirmedBySecond: boolean;
  hasCard: boolean;
  logId: number;
}

interface Partner {
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

export interface LogWish {
  contacts: number;
  seed?: number;
  station?: string;
  /** A second callsign, as some contacts were made away from home. */
  away?: string;
}

const HOME = { call: "YU1TEST", dxcc: 296, country: "SERBIA", grid: "KN04FT", cqZone: 15, ituZone: 28 };
const FROM = Date.UTC(1995, 0, 1);
const TO = Date.UTC(2026, 6, 1);
const CONTACTS_A_PARTNER = 2.5;
/** Above one: some partners are met far more often than others. */
const LOYALTY = 1.7;

/** The same log for the same wish, in the order of time. */
export function* aLog({ contacts, seed = 1, station = HOME.call, away = `${station}/P` }: LogWish): Generator<Contact> {
  const random = randomOf(seed);
  const partners = Math.max(1, Math.round(contacts / CONTACTS_A_PARTNER));
  for (let index = 0; index < contacts; index++) {
    // Newer years are busier than older ones, as logs are.
    const share = Math.sqrt((index + random()) / contacts);
    const at = Math.floor((FROM + share * (TO - FROM)) / 1000) * 1000;
    const partner = partnerOf(Math.floor(partners * random() ** LOYALTY), seed);
    const satellite = random() < 0.01 ? pick(["AO-91", "SO-50", "RS-44", "IO-117"], random()) : null;
    const band = satellite ? "70cm" : weighted(BANDS, random());
    const [mode, submode] = modeOf(at, band, random());
    const group = modeGroupOf(mode, submode);
    const replies = random();
    yield {
      partner,
      at,
      band,
      freqMhz: (FREQUENCIES[band]! + Math.floor(random() * 60) / 1000).toFixed(5),
      mode,
      submode,
      group,
      satellite,
      station: random() < 0.04 ? away : station,
      isConfirmedByFirst: replies < 0.42,
      isConfirmedBySecond: replies > 0.3 && replies < 0.62,
      hasCard: random() < 0.07,
      logId: 1_000_000 + index * 3,
    };
  }
}

/** The contact as a logging program writes it. */
export const asFile = (contact: Contact): AdifRecord => {
  const { partner, at, band, freqMhz, mode, submode, station, satellite, hasCard } = contact;
  const fields: Fields = {
    CALL: partner.call,
    QSO_DATE: adifDate(at),
    TIME_ON: adifTime(at, true),
    TIME_OFF: adifTime(at + 60_000, true),
    BAND: band,
    FREQ: freqMhz,
    MODE: mode,
    RST_SENT: reportOf(contact),
    RST_RCVD: reportOf(contact),
    STATION_CALLSIGN: station,
    DXCC: String(partner.dxcc),
    GRIDSQUARE: partner.grid,
    NAME: partner.name,
    QTH: partner.qth,
  };
  return {
    fields: given({
      ...fields,
      SUBMODE: submode,
      STATE: partner.state,
      IOTA: partner.iota,
      ...flight(satellite),
      QSL_RCVD: hasCard ? "Y" : null,
    }),
  };
};

/** The contact as the first service reports it: whole when confirmed, short when not. */
export const asFirst = (contact: Contact): AdifRecord => {
  const { partner, at, band, freqMhz, mode, submode, group, station, satellite, isConfirmedByFirst } = contact;
  const heard = stamp(at + 3_600_000);
  const own = {
    APP_LOTW_OWNCALL: station,
    STATION_CALLSIGN: station,
    MY_DXCC: String(HOME.dxcc),
    MY_COUNTRY: HOME.country,
    APP_LOTW_MY_DXCC_ENTITY_STATUS: "Current",
    MY_GRIDSQUARE: HOME.grid,
    MY_CQ_ZONE: String(HOME.cqZone),
    MY_ITU_ZONE: String(HOME.ituZone),
  };
  const contactFields = {
    CALL: partner.call,
    BAND: band.toUpperCase(),
    FREQ: freqMhz,
    MODE: submode === "FT4" || submode === null ? mode : submode === "USB" || submode === "LSB" ? "SSB" : mode,
    SUBMODE: submode === "USB" || submode === "LSB" ? null : submode,
    APP_LOTW_MODEGROUP: { cw: "CW", phone: "PHONE", digital: "DATA", image: "IMAGE" }[group],
    QSO_DATE: adifDate(at),
    APP_LOTW_RXQSO: heard,
    TIME_ON: adifTime(at, true),
    APP_LOTW_QSO_TIMESTAMP: `${new Date(at).toISOString().slice(0, 19)}Z`,
    ...flight(satellite),
  };
  if (!isConfirmedByFirst) return { fields: given({ ...own, ...contactFields, QSL_RCVD: "N" }) };
  const confirmation = {
    QSL_RCVD: "Y",
    QSLRDATE: adifDate(at + 86_400_000),
    APP_LOTW_RXQSL: stamp(at + 86_400_000),
    DXCC: String(partner.dxcc),
    COUNTRY: partner.country.toUpperCase(),
    APP_LOTW_DXCC_ENTITY_STATUS: "Current",
    PFX: wpxPrefix(partner.call),
    APP_LOTW_2XQSL: "Y",
    GRIDSQUARE: partner.grid.toUpperCase(),
    STATE: partner.state,
    CNTY: partner.state && `${partner.state},${partner.county!.toUpperCase()}`,
    CQZ: String(partner.cqZone).padStart(2, "0"),
    ITUZ: String(partner.ituZone).padStart(2, "0"),
  };
  return { fields: given({ ...own, ...contactFields, ...confirmation }) };
};

/** The contact as the second service keeps it. */
export const asSecond = (contact: Contact): AdifRecord => {
  const { partner, at, band, freqMhz, mode, submode, station, satellite, logId } = contact;
  const { isConfirmedByFirst, isConfirmedBySecond } = contact;
  const minute = adifTime(at, false);
  const shortFreq = String(Number(freqMhz));
  const fields = {
    APP_QRZLOG_LOGID: String(1_240_000_000 + logId),
    APP_QRZLOG_QSLDATE: isConfirmedBySecond ? adifDate(at + 86_400_000) : null,
    APP_QRZLOG_STATUS: isConfirmedBySecond ? "C" : "N",
    BAND: band,
    BAND_RX: band,
    CALL: partner.call,
    CNTY: partner.state && `${partner.state},${partner.county}`,
    CONT: partner.continent,
    COUNTRY: partner.country,
    CQZ: String(partner.cqZone),
    DISTANCE: String(100 + (logId % 15_000)),
    DXCC: String(partner.dxcc),
    EMAIL: `${partner.call.toLowerCase()}@example.org`,
    EQSL_QSL_RCVD: "N",
    EQSL_QSL_SENT: "N",
    FREQ: shortFreq,
    FREQ_RX: shortFreq,
    GRIDSQUARE: partner.grid,
    IOTA: partner.iota ?? "none",
    ITUZ: String(partner.ituZone),
    LAT: `N0${10 + (logId % 60)} ${10 + (logId % 49)}.${100 + (logId % 899)}`,
    LON: `W0${10 + (logId % 79)} ${10 + (logId % 47)}.${100 + (logId % 887)}`,
    LOTW_QSL_RCVD: isConfirmedByFirst ? "Y" : "N",
    LOTW_QSL_SENT: "Y",
    LOTW_QSLRDATE: isConfirmedByFirst ? adifDate(at + 86_400_000) : "00000000",
    MODE: submode ?? mode,
    MY_COUNTRY: "Serbia",
    MY_GRIDSQUARE: HOME.grid,
    NAME: partner.name.toUpperCase(),
    QRZCOM_QSO_DOWNLOAD_STATUS: "N",
    QRZCOM_QSO_UPLOAD_DATE: adifDate(at + 7_200_000),
    QRZCOM_QSO_UPLOAD_STATUS: "Y",
    QSL_RCVD: "N",
    QSL_SENT: "N",
    QSO_DATE: adifDate(at),
    QSO_DATE_OFF: adifDate(at),
    QTH: partner.qth,
    RST_RCVD: reportOf(contact),
    RST_SENT: reportOf(contact),
    STATE: partner.state,
    STATION_CALLSIGN: station,
    TIME_OFF: minute,
    TIME_ON: minute,
    TX_PWR: "100",
    ...flight(satellite),
  };
  return { fields: given(fields) };
};

/** What all three origins say of the contact. */
export const layersFrom = (contact: Contact): Layers => {
  const first = asFirst(contact);
  const withQso = withFirst(withFile(NO_LAYERS, asFile(contact)), first, contact.isConfirmedByFirst ? "qsl" : "qso");
  return withSecond(withQso, asSecond(contact));
};

/** Derivation without the country file: a generated record names its entity. */
export const CHEAP_FACTS: CallFacts = {
  normalise: (call) => call.toUpperCase(),
  prefix: wpxPrefix,
  isMobile: () => false,
  locate: () => null,
};

/** The contact as it is kept, with or without what each origin said. */
export const asRow = (contact: Contact, { keepsLayers = true } = {}): qsos.Snapshot => {
  const layers = layersFrom(contact);
  const { at } = contact;
  const kept = keepsLayers ? layers : NO_LAYERS;
  return { createdAt: at, updatedAt: at, rulesVersion: RULES_VERSION, ...kept, ...derive(layers, CHEAP_FACTS)! };
};

const ROWS_A_PAGE = 2_000;

/** Puts a log straight into storage. */
export const storeLog = async (
  db: Database,
  userId: number,
  wish: LogWish,
  { keepsLayers = false } = {},
): Promise<void> => {
  let page: qsos.Snapshot[] = [];
  const flush = async () => {
    const rows = page;
    page = [];
    await db.write(() => qsos.addMany(userId, rows));
  };
  for (const contact of aLog(wish)) {
    page.push(asRow(contact, { keepsLayers }));
    if (page.length === ROWS_A_PAGE) await flush();
  }
  if (page.length > 0) await flush();
};

type Weights = readonly (readonly [name: string, weight: number])[];

const BANDS: Weights = [
  ["160m", 3],
  ["80m", 9],
  ["60m", 1],
  ["40m", 19],
  ["30m", 9],
  ["20m", 26],
  ["17m", 9],
  ["15m", 11],
  ["12m", 4],
  ["10m", 6],
  ["6m", 2.2],
  ["2m", 0.6],
  ["70cm", 0.2],
];

const FREQUENCIES: Record<string, number> = {
  "160m": 1.81,
  "80m": 3.51,
  "60m": 5.357,
  "40m": 7.01,
  "30m": 10.1,
  "20m": 14.01,
  "17m": 18.068,
  "15m": 21.01,
  "12m": 24.89,
  "10m": 28.01,
  "6m": 50.1,
  "2m": 144.1,
  "70cm": 432.1,
};

/** Share of a typical log, in thousandths; the other entities share what is left, unevenly. */
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
  .filter(({ dxccCode }) => entityOf(dxccCode) !== null)
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

/** A station on the air: always the same for the same number. */
const partnerOf = (number: number, seed: number): Partner => {
  const random = randomOf(number * 7_919 + seed);
  const named = weighted(LARGE, random());
  const country = COUNTRY_OF.get(Number(named)) ?? SMALL[Math.floor(SMALL.length * random() ** REST_IS_UNEVEN)]!;
  const entity = entityOf(country.dxcc)!;
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

const FT8_BEGINS = Date.UTC(2017, 6, 1);
const FT4_BEGINS = Date.UTC(2019, 6, 1);

const modeOf = (at: number, band: string, chance: number): [mode: string, submode: string | null] => {
  const sideband = ["160m", "80m", "40m"].includes(band) ? "LSB" : "USB";
  if (band === "30m" && chance > 0.5) return at > FT8_BEGINS ? ["FT8", null] : ["PSK", "PSK31"];
  if (at > FT4_BEGINS && chance > 0.93) return ["MFSK", "FT4"];
  if (at > FT8_BEGINS && chance > 0.5) return ["FT8", null];
  if (chance < 0.42) return ["CW", null];
  if (chance < 0.62) return ["SSB", sideband];
  if (chance < 0.8) return ["SSB", null];
  if (chance < 0.88) return ["RTTY", null];
  if (chance < 0.95) return ["PSK", "PSK31"];
  if (chance < 0.985) return ["FM", null];
  return chance < 0.995 ? ["JT65", null] : ["SSTV", null];
};

const reportOf = ({ group, logId }: Contact): string => {
  if (group === "phone") return "59";
  if (group === "cw") return "599";
  return `-${String(logId % 24).padStart(2, "0")}`;
};

const flight = (satellite: string | null) => ({ PROP_MODE: satellite && "SAT", SAT_NAME: satellite });

const stamp = (at: number): string => new Date(at).toISOString().slice(0, 19).replace("T", " ");

const given = (fields: Record<string, string | null>): Fields => {
  const kept: Fields = {};
  for (const name in fields) if (fields[name] !== null) kept[name] = fields[name]!;
  return kept;
};

const pick = <T>(list: readonly T[], chance: number): T => list[Math.floor(list.length * chance)]!;

const weighted = (weights: Weights, chance: number): string => {
  let left = chance * weights.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of weights) if ((left -= weight) < 0) return name;
  return weights.at(-1)![0];
};

/** Numbers from 0 up to 1 that are the same for the same seed. */
const randomOf = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};
