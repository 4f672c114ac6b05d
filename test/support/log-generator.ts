import { derive, RULES_VERSION } from "../../src/domain/contact/derive.ts";
import { NO_LAYERS } from "../../src/domain/contact/layers.ts";
import { normaliseMode, type ModeGroup } from "../../src/domain/radio/mode.ts";
import type { Database } from "../../src/storage/engine/database.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import { pick, randomOf, weighted, type Weights } from "./chance.ts";
import { partnerOf, type Partner } from "./log-partners.ts";
import { CHEAP_FACTS, HOME, layersFrom } from "./log-records.ts";

/** A contact of a generated log, before any origin describes it. */
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

export interface LogWish {
  contacts: number;
  seed?: number;
  station?: string;
  /** A second own callsign, because some contacts were made away from home. */
  away?: string;
}

const FROM = Date.UTC(1995, 0, 1);
const TO = Date.UTC(2026, 6, 1);
const CONTACTS_A_PARTNER = 2.5;
/** Above 1: some partners are met far more often than others. */
const LOYALTY = 1.7;

/** Generates the same log for the same request, in order of time. */
export function* aLog({ contacts, seed = 1, station = HOME.call, away = `${station}/P` }: LogWish): Generator<Contact> {
  const random = randomOf(seed);
  const partners = Math.max(1, Math.round(contacts / CONTACTS_A_PARTNER));
  for (let index = 0; index < contacts; index++) {
    // Later years have more contacts, as in real logs.
    const share = Math.sqrt((index + random()) / contacts);
    const at = Math.floor((FROM + share * (TO - FROM)) / 1000) * 1000;
    const partner = partnerOf(Math.floor(partners * random() ** LOYALTY), seed);
    const satellite = random() < 0.01 ? pick(["AO-91", "SO-50", "RS-44", "IO-117"], random()) : null;
    const band = satellite ? "70cm" : weighted(BANDS, random());
    const [mode, submode] = modeOf(at, band, random());
    const group = normaliseMode(mode, submode ?? undefined)!.group;
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

/** The contact as a row, with or without its layers. */
export const asRow = (contact: Contact, { keepsLayers = true } = {}): qsos.Snapshot => {
  const layers = layersFrom(contact);
  const { at } = contact;
  const kept = keepsLayers ? layers : NO_LAYERS;
  return { createdAt: at, updatedAt: at, rulesVersion: RULES_VERSION, ...kept, ...derive(layers, CHEAP_FACTS)! };
};

const ROWS_A_PAGE = 2_000;

/** Writes a log directly to the database, for one user or the same one for several. */
export const storeLog = async (
  db: Database,
  userIds: number | readonly number[],
  wish: LogWish,
  { keepsLayers = false } = {},
): Promise<void> => {
  let page: qsos.Snapshot[] = [];
  const flush = async () => {
    const rows = page;
    page = [];
    for (const userId of [userIds].flat()) await db.write(() => qsos.addMany(userId, rows));
  };
  for (const contact of aLog(wish)) {
    const row = asRow(contact, { keepsLayers });
    // Contacts of one time are written together, which takes a third of the time.
    const { createdAt } = page[0] ?? row;
    page.push({ ...row, createdAt, updatedAt: createdAt });
    if (page.length === ROWS_A_PAGE) await flush();
  }
  if (page.length > 0) await flush();
};

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
