import { readAdif } from "../adif/reader.ts";
import { recordsAfter } from "../contacts/export.ts";
import type { Fields } from "../domain/adif-record.ts";
import { DAY } from "../domain/clock.ts";
import type { Taken } from "../domain/feed.ts";
import { utc } from "../domain/moments.ts";
import { qsoView, type QsoView } from "../domain/qso-view.ts";
import type { Feeds } from "../sync/feed/feeds.ts";
import * as ownStations from "../storage/own-stations.ts";
import * as qsos from "../storage/qsos.ts";
import type { World } from "../world.ts";
import type { Asker } from "./asker.ts";
import { feed } from "./feeds.ts";
import type { Station } from "./stations.ts";

/** What came of ADIF that a program sent. */
export interface Uploaded {
  taken: Taken[];
  /** What its user should know, a line each; nothing where all is as expected. */
  remarks: string[];
}

interface Upload {
  client: string;
  adif: string;
  station: Station;
  dryRun?: boolean;
}

/** Takes the records of a text into a log, as made at a station where they do not say otherwise. */
export const upload = async (desk: { feeds: Feeds }, asker: Asker, { adif, ...order }: Upload): Promise<Uploaded> =>
  uploadFields(desk, asker, { ...order, records: await recordsIn(adif) });

/** The same of records that a program has spelt out. */
export const uploadFields = async (
  desk: { feeds: Feeds },
  asker: Asker,
  { client, records, station, dryRun }: Omit<Upload, "adif"> & { records: readonly Fields[] },
): Promise<Uploaded> => {
  if (records.length === 0) return { taken: [], remarks: [] };
  const told = records.map((fields) => ({ kind: "contact" as const, fields: madeAt(station, fields) }));
  const { taken } = await feed(desk, asker, { client, told, dryRun });
  return { taken, remarks: taken.flatMap((one) => remarksOn(one, station)) };
};

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const recordsIn = async (adif: string): Promise<Fields[]> => {
  const found: Fields[] = [];
  for await (const { records } of readAdif(bytesOf(adif))) found.push(...records.map(({ fields }) => fields));
  return found;
};

/** A record that names another callsign was made elsewhere: nothing of the station is put into it. */
const madeAt = ({ callsign, grid }: Station, fields: Fields): Fields => {
  const said = fields.STATION_CALLSIGN;
  if (said !== undefined && said.trim().toUpperCase() !== callsign) return fields;
  return {
    ...(callsign === "" ? {} : { STATION_CALLSIGN: callsign }),
    ...(grid === null ? {} : { MY_GRIDSQUARE: grid }),
    ...fields,
  };
};

const remarksOn = (taken: Taken, { callsign }: Station): string[] => {
  const { outcome, reason, call, startedAt, stationCallsign } = taken;
  const what = [call ?? "A record", startedAt === null ? "" : utc(startedAt)].filter(Boolean).join(" ");
  if (reason !== null) return [`${what}: ${reason}`];
  if (outcome === "rejected" || stationCallsign === null || callsign === "" || stationCallsign === callsign) return [];
  return [`${what}: made as ${stationCallsign}, not as ${callsign}; kept as it says`];
};

export interface ContactCounts {
  today: number;
  month: number;
  year: number;
  total: number;
}

export const contactCounts = ({ db, clock }: Pick<World, "db" | "clock">, { id }: Asker): Promise<ContactCounts> => {
  const now = clock();
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return db.read(function* () {
    return {
      today: yield* ownStations.countSince(id, now - (now % DAY)),
      month: yield* ownStations.countSince(id, Date.UTC(year, month)),
      year: yield* ownStations.countSince(id, Date.UTC(year, 0)),
      total: yield* ownStations.countSince(id, -8.64e15),
    };
  });
};

/** Which contacts a program asks for: those that came into the log after one, of one station or of all. */
export interface WantedAfter {
  afterId: number;
  station: Station | null;
  limit: number;
}

/** The next contacts as ADIF, in the order in which they came into the log, and how many there are in all. */
export const contactsAfter = async (
  world: Pick<World, "db">,
  { id }: Asker,
  { afterId, station, limit }: WantedAfter,
): Promise<{ count: number; lastId: number; total: number; adif: string | null }> => {
  const made = station?.callsign || null;
  const { records, lastId } = await recordsAfter(world, id, { afterId, station: made, limit });
  const total = await world.db.read(() => qsos.countAfter(id, afterId, made));
  const head = "ADIF of qsolog\n<ADIF_VER:5>3.1.6\n<PROGRAMID:6>qsolog\n<EOH>\n";
  return { count: records.length, lastId, total, adif: records.length === 0 ? null : head + records.join("") };
};

/** The very same contacts themselves. */
export const listAfter = (
  { db }: Pick<World, "db">,
  { id }: Asker,
  { afterId, station, limit }: WantedAfter,
): Promise<{ rows: QsoView[]; total: number }> =>
  db.read(function* () {
    const made = station?.callsign || null;
    const found = yield* qsos.listAfter(id, afterId, made, limit);
    return { rows: found.map(qsoView), total: yield* qsos.countAfter(id, afterId, made) };
  });
