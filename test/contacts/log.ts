import { join } from "node:path";
import { loadCountryFile } from "../../src/callsign/country-file.ts";
import { createCallFacts } from "../../src/callsign/facts.ts";
import type { Fields } from "../../src/domain/contact/adif-record.ts";
import { derive, RULES_VERSION } from "../../src/domain/contact/derive.ts";
import { NO_LAYERS, type Layers } from "../../src/domain/contact/layers.ts";
import type { Qso } from "../../src/domain/contact/qso.ts";
import type { SyncJob } from "../../src/domain/jobs/sync-job.ts";
import { exportLog } from "../../src/contacts/export.ts";
import * as qsoList from "../../src/storage/log/qso-list.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import { readFileFeed } from "../../src/sync/source/file.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { aUser, NOON, type TestWorld } from "../support/world.ts";

export const facts = createCallFacts(await loadCountryFile());

/** Writes a contact with the given layers directly to the database. */
export const aContact = async ({ db }: TestWorld, userId: number, layers: Partial<Layers>): Promise<Qso> => {
  const whole = { ...NO_LAYERS, ...layers };
  const contact = {
    ...derive(whole, facts)!,
    ...whole,
    createdAt: NOON,
    updatedAt: NOON,
    rulesVersion: RULES_VERSION,
  };
  const [id] = await db.write(() => qsos.addMany(userId, [contact]));
  return { ...contact, id: id!, userId };
};

/** A typed contact. */
export const typed = (fields: Fields): Partial<Layers> => ({
  own: {
    typed: { CALL: "K1ABC", QSO_DATE: "20260801", TIME_ON: "1000", BAND: "20m", MODE: "CW", ...fields },
  },
});

export const importLog = async (world: TestWorld, userId: number, bytes: Uint8Array | string): Promise<SyncJob> => {
  const path = join(world.dataDir, `${Bun.randomUUIDv7()}.adi`);
  await Bun.write(path, bytes);
  const runner = new SyncRunner(world, 1);
  const job = await runner.start({ userId, source: "file", trigger: "cli" }, () => ({
    prepare: async () => ({ cursorBefore: null, feed: readFileFeed(SYSTEM_TIME, path) }),
  }));
  const ended = await runner.end(job.id);
  await runner.stop();
  return ended!;
};

/** Imports a log for a user of this name and returns the contacts, oldest first. */
export const aLog = async (world: TestWorld, username: string, bytes: Uint8Array | string) => {
  const { id: userId } = await aUser(world, username);
  const job = await importLog(world, userId, bytes);
  return { userId, job, contacts: await contactsOf(world, userId) };
};

export const contactsOf = async ({ db }: TestWorld, userId: number): Promise<Qso[]> => {
  const sort = { key: "startedAt", descending: false } as const;
  return (await db.read(() => qsoList.list(userId, { filter: {}, sort, limit: 100_000 }))).qsos;
};

export const exported = async (world: TestWorld, userId: number, filter = {}): Promise<string> =>
  (await Array.fromAsync(exportLog(world, userId, filter))).join("");
