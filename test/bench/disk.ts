/** What contacts take on disk with their layers, and with the records of how each download changed them. */
import { Database as Connection } from "bun:sqlite";
import { derive, RULES_VERSION } from "../../src/domain/derive.ts";
import { NO_LAYERS, type Layers } from "../../src/domain/layers.ts";
import { firstOrigin } from "../../src/domain/origins/first.ts";
import { secondOrigin } from "../../src/domain/origins/second.ts";
import type { Database } from "../../src/storage/database.ts";
import * as qsoChanges from "../../src/storage/qso-changes.ts";
import * as qsos from "../../src/storage/qsos.ts";
import * as syncJobs from "../../src/storage/sync-jobs.ts";
import { aLog, type Contact } from "../support/log-generator.ts";
import { asFirst, asSecond, CHEAP_FACTS } from "../support/log-records.ts";
import { addUser, withDatabase } from "./database.ts";
import { print } from "./figure.ts";

const CONTACTS = process.argv.includes("--quick") ? 10_000 : 100_000;
const PAGE = 500;
const NOW = Date.UTC(2026, 7, 1);
const MB = 1e6;
const LIMIT_MB = 150;

type Kept = { contact: Contact; id: number; row: qsos.Snapshot };

await withDatabase(async (db, file) => {
  const userId = await addUser(db, "ann");
  const kept = await downloadFirst(db, userId);
  report(file, "after a download of the first service", LIMIT_MB);
  await downloadSecond(db, userId, kept);
  report(file, "after one of the second service too");
  parts(file);
});

async function downloadFirst(db: Database, userId: number): Promise<Kept[]> {
  const job = await db.write(() => syncJobs.create({ userId, source: "first", trigger: "manual" }, NOW));
  const kept: Kept[] = [];
  for (const page of pagesOf([...aLog({ contacts: CONTACTS })])) {
    const rows = page.map((contact) =>
      rowOf(firstOrigin.hear(NO_LAYERS, asFirst(contact), contact.isConfirmedByFirst ? "qsl" : "qso")),
    );
    const ids = await db.write(function* () {
      const added = yield* qsos.addMany(userId, rows);
      const changes = added.map((qsoId, index) => ({ qsoId, before: null, after: qsos.packSnapshot(rows[index]!) }));
      yield* qsoChanges.addMany(job.id, changes, NOW);
      return added;
    });
    for (const [index, id] of ids.entries()) kept.push({ contact: page[index]!, id, row: rows[index]! });
  }
  return kept;
}

async function downloadSecond(db: Database, userId: number, kept: readonly Kept[]): Promise<void> {
  const job = await db.write(() => syncJobs.create({ userId, source: "second", trigger: "manual" }, NOW));
  for (const page of pagesOf(kept)) {
    const heard = page.map(({ contact, id, row }) => ({
      qsoId: id,
      before: row,
      after: rowOf(secondOrigin.hear(row, asSecond(contact))),
    }));
    const { packSnapshot } = qsos;
    const changes = heard.map(({ qsoId, before, after }) => ({
      qsoId,
      before: packSnapshot(before),
      after: packSnapshot(after),
    }));
    await db.write(function* () {
      yield* qsos.replaceMany(heard.map(({ qsoId, after }) => ({ id: qsoId, after, before: null })));
      yield* qsoChanges.addMany(job.id, changes, NOW);
    });
  }
}

function rowOf(said: Layers): qsos.Snapshot {
  const layers = qsos.layersOf(said);
  return { createdAt: NOW, updatedAt: NOW, rulesVersion: RULES_VERSION, ...layers, ...derive(layers, CHEAP_FACTS)! };
}

function* pagesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += PAGE) yield all.slice(start, start + PAGE);
}

function report(file: string, name: string, limit?: number): void {
  const connection = new Connection(file);
  connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
  connection.close();
  print({ name, value: scaled(Bun.file(file).size), unit: "MB", limit });
}

/** Megabytes, as they would be for 100,000 contacts. */
function scaled(bytes: number): number {
  return (bytes / MB) * (100_000 / CONTACTS);
}

function parts(file: string): void {
  const connection = new Connection(file, { readonly: true });
  const sizes = connection
    .query(
      `SELECT CASE WHEN s.type = 'index' THEN 'indexes of ' || s.tbl_name ELSE s.tbl_name END AS part,
              sum(d.pgsize) AS bytes
       FROM dbstat d JOIN sqlite_master s ON s.name = d.name WHERE s.tbl_name IN ('qsos', 'qso_changes')
       GROUP BY part ORDER BY part`,
    )
    .all() as { part: string; bytes: number }[];
  connection.close();
  for (const { part, bytes } of sizes) print({ name: `  of that ${part}`, value: scaled(bytes), unit: "MB" });
}
