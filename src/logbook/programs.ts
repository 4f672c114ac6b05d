import { readAdif } from "../adif/reader.ts";
import { readPagesAfter, readRecordsAfter } from "../contacts/export.ts";
import type { Fields } from "../domain/contact/adif-record.ts";
import { DAY } from "../kernel/clock.ts";
import type { Taken } from "../domain/jobs/feed.ts";
import { formatUtc } from "../kernel/time-text.ts";
import { mapYielding, Yielder } from "../kernel/yield-to-event-loop.ts";
import { toQsoView, type QsoView } from "../domain/contact/qso-view.ts";
import type { Radio, RadioState } from "../domain/radio/radio.ts";
import * as storedRadios from "../storage/jobs/radios.ts";
import * as ownStations from "../storage/log/station-callsigns.ts";
import { countAfterWork } from "../storage/log/large-log.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";
import { feed, type FeedDesk } from "./feeds.ts";
import type { Station } from "./stations.ts";

/** The result of ADIF that a program sent. */
export interface Uploaded {
  taken: Taken[];
  /** What the user should know, one line each; empty if everything is as expected. */
  remarks: string[];
}

interface Upload {
  client: string;
  adif: string;
  station: Station;
  dryRun?: boolean;
}

/** Adds the records of an ADIF text to a log. The station's callsign and square fill what they do not say. */
export const upload = async (deps: FeedDesk, caller: LogCaller, { adif, ...order }: Upload): Promise<Uploaded> =>
  uploadFields(deps, caller, { ...order, records: await parseRecords(deps, adif) });

/** The same for records that the program sent as fields. */
export const uploadFields = async (
  deps: FeedDesk,
  caller: LogCaller,
  { client, records, station, dryRun }: Omit<Upload, "adif"> & { records: readonly Fields[] },
): Promise<Uploaded> => {
  if (records.length === 0) return { taken: [], remarks: [] };
  const told = await mapYielding(deps, records, (fields) => ({
    kind: "contact" as const,
    fields: addStation(station, fields),
  }));
  const { taken } = await feed(deps, caller, { client, told, dryRun });
  return { taken, remarks: taken.flatMap((one) => listRemarks(one, station)) };
};

const BLOCK_BYTES = 65_536;

async function* encodeChunks(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) yield bytes.subarray(at, at + BLOCK_BYTES);
}

const parseRecords = async (time: Pick<World, "ticks" | "turn">, adif: string): Promise<Fields[]> => {
  const yielder = new Yielder(time);
  const found: Fields[] = [];
  for await (const { records } of readAdif(encodeChunks(adif))) {
    found.push(...records.map(({ fields }) => fields));
    await yielder.yieldIfDue();
  }
  return found;
};

/** A record with another callsign was made elsewhere, so nothing of the station is added. */
const addStation = ({ callsign, grid }: Station, fields: Fields): Fields => {
  const said = fields.STATION_CALLSIGN;
  if (said !== undefined && said.trim().toUpperCase() !== callsign) return fields;
  return {
    ...(callsign === "" ? {} : { STATION_CALLSIGN: callsign }),
    ...(grid === null ? {} : { MY_GRIDSQUARE: grid }),
    ...fields,
  };
};

const listRemarks = (taken: Taken, { callsign }: Station): string[] => {
  const { outcome, reason, call, startedAt, stationCallsign } = taken;
  const what = [call ?? "A record", startedAt === null ? "" : formatUtc(startedAt)].filter(Boolean).join(" ");
  if (reason !== null) return [`${what}: ${reason}`];
  if (outcome === "rejected" || stationCallsign === null || callsign === "" || stationCallsign === callsign) return [];
  return [`${what}: logged as ${stationCallsign} instead of ${callsign}`];
};

export const countContacts = ({ db, clock }: Pick<World, "db" | "clock">, { owner: { id } }: LogCaller) => {
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

/** Selects contacts that were added after an id, of one station or all. */
interface WantedAfter {
  afterId: number;
  station: Station | null;
  limit: number;
}

/** The next contacts as ADIF chunks, in order of arrival. No chunks if there are no contacts. */
export const contactsAfter = async (
  world: Pick<World, "db" | "ticks" | "turn">,
  { owner: { id } }: LogCaller,
  { afterId, station, limit }: WantedAfter,
): Promise<{ count: number; lastId: number; pieces: string[] }> => {
  const made = station?.callsign || null;
  const { pieces, count, lastId } = await readRecordsAfter(world, id, { afterId, station: made, limit });
  const head = "ADIF of qsolog\n<ADIF_VER:5>3.1.6\n<PROGRAMID:6>qsolog\n<EOH>\n";
  return { count, lastId, pieces: count === 0 ? [] : [head, ...pieces] };
};

/** With the next page, an answer stays below 8 MB. The views have more fields than are answered. */
const MAX_CHARACTERS = 6_000_000;

/** The same contacts as objects. There can be more when it ends. */
export const listAfter = async (
  world: Pick<World, "db" | "ticks" | "turn">,
  { owner: { id } }: LogCaller,
  { afterId, station, limit }: WantedAfter,
): Promise<QsoView[]> => {
  const made = station?.callsign || null;
  const rows: QsoView[] = [];
  let room = MAX_CHARACTERS;
  for await (const page of readPagesAfter(world, id, { afterId, station: made, limit })) {
    const views = page.map(toQsoView);
    rows.push(...views);
    room -= JSON.stringify(views).length;
    if (room < 0) break;
  }
  return rows;
};

/** How many there are in total. */
export const countAfter = (
  { db }: Pick<World, "db">,
  { owner: { id: userId }, signal }: LogCaller,
  { afterId, station }: WantedAfter,
): Promise<number> =>
  db.inWorker(countAfterWork, { userId, afterId, station: station?.callsign || null }, { userId, signal });

/** The current state of radios. All processes on the database see it. */
export const radios = ({ db }: Pick<World, "db">, { owner: { id } }: LogCaller): Promise<Radio[]> =>
  db.read(() => storedRadios.list(id));

/** Returns whether the radio is new. */
export const tellOfRadio = (
  { db, clock }: Pick<World, "db" | "clock">,
  { owner: { id } }: LogCaller,
  state: RadioState,
): Promise<{ radio: Radio; isNew: boolean }> => db.write(() => storedRadios.update(id, state, clock()));
