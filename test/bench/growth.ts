// Many logs in one database: what one user waits for, on SQLite, on PostgreSQL, and on PostgreSQL with partitions: contacts
// by a hash of the user, change records by month. Takes minutes: bun run bench growth [--quick] [--contacts=N]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { overview } from "../../src/awards/questions.ts";
import { Reading } from "../../src/awards/reading.ts";
import { awardView } from "../../src/domain/award.ts";
import { DAY } from "../../src/domain/clock.ts";
import { parseListing } from "../../src/domain/qso-filter.ts";
import type { Qso } from "../../src/domain/qso.ts";
import type { Database } from "../../src/storage/database.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { openDatabase } from "../../src/storage/open.ts";
import * as pruning from "../../src/storage/pruning.ts";
import * as qsoChanges from "../../src/storage/qso-changes.ts";
import * as qsoList from "../../src/storage/qso-list.ts";
import { SERVICES } from "../../src/domain/source.ts";
import * as qsos from "../../src/storage/qsos.ts";
import { ofUser } from "../../src/storage/statistics.ts";
import { inList, insertMany, many, one, raw, run, script, type Unit } from "../../src/storage/unit.ts";
import { TIME } from "../../src/time.ts";
import { storeLog } from "../support/log-generator.ts";
import { startPostgres } from "../support/postgres.ts";
import { contactsAsked } from "./contacts-asked.ts";
import { addUser } from "./database.ts";
import { middleOf, print } from "./figure.ts";

const IS_QUICK = process.argv.includes("--quick");
const CONTACTS = contactsAsked(IS_QUICK ? 100_000 : 1_000_000);
const USERS = IS_QUICK ? 100 : 1_000;
const OF_EACH = CONTACTS / USERS;
/** Every month each user gets the same share of their log, by a job of its own. */
const MONTHS = 12;
const BEGAN = Date.UTC(2025, 7, 1);
const HASHES = 16;
const HASHES_OF_A_MONTH = 4;
const ASKED = 25;
const BATCH = 500;
const PRUNED_AT_ONCE = 500;

const LAYOUTS = ["SQLite", "PostgreSQL", "PostgreSQL, partitions"] as const;
type Layout = (typeof LAYOUTS)[number];

interface Place {
  layout: Layout;
  db: Database;
  times: Map<string, number[]>;
}

const main = async (): Promise<void> => {
  const postgres = startPostgres();
  if (!postgres) return console.log("PostgreSQL is not installed: nothing to compare");
  const directory = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
  const places: Place[] = [];
  try {
    for (const layout of LAYOUTS) {
      const url = layout === "SQLite" ? join(directory, "qsolog.db") : await anEmptyDatabase(postgres.url, layout);
      places.push({ layout, db: await openDatabase(url, { time: TIME }), times: new Map() });
    }
    for (const place of places) await filled(place);
    await measure(places);
    report(places.map(({ times }) => times));
  } finally {
    for (const { db } of places) await db.close();
    postgres.stop();
    rmSync(directory, { recursive: true });
  }
};

const anEmptyDatabase = async (server: string, layout: Layout): Promise<string> => {
  const url = new URL(server);
  url.pathname = layout === "PostgreSQL" ? "/whole" : "/parted";
  await asked(server, `CREATE DATABASE ${url.pathname.slice(1)}`);
  return url.toString();
};

const report = ([embedded, whole, parted]: readonly Place["times"][]): void => {
  for (const name of embedded!.keys()) {
    const [here, there, apart] = [embedded, whole, parted].map((times) => middleOf(times!.get(name)!)) as [
      number,
      number,
      number,
    ];
    const unit = name.startsWith("size") ? "MB" : "ms";
    print({ name: `${name}, SQLite`, value: here, unit });
    print({ name: "  PostgreSQL", value: there, unit, ratio: there / here });
    print({ name: "  in partitions, beside one table", value: apart, unit, ratio: apart / there });
  }
};

const filled = async ({ db, layout, times }: Place): Promise<void> => {
  await migrate(db, BEGAN);
  const began = performance.now();
  await fill(db, layout);
  console.log(`${layout}: filled in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  times.set("size of the database", [(await db.sizeBytes()) / 1_000_000]);
};

/** One log is made; the others are copies of it, a month after the other, as logs grow beside each other. */
const fill = async (db: Database, layout: Layout): Promise<void> => {
  const template = await addUser(db, "template");
  await storeLog(db, template, { contacts: OF_EACH }, { keepsLayers: true });
  const rows = await db.read(() => qsos.listOfAll(0, 1, template));
  const snapshot = qsos.packSnapshot(qsos.snapshotOf(rows[0]!));
  await db.write(() => script("CREATE TABLE template AS SELECT * FROM qsos"));
  for (const service of SERVICES) {
    const layer = raw(`(SELECT layer FROM ${service}_layers WHERE qso_id = template.id)`);
    await db.write(() => run`UPDATE template SET ${raw(service)} = ${layer}`);
  }
  await db.write(() => run`DELETE FROM qsos`);
  for (let user = 1; user <= USERS; user++) await addUser(db, `user${user}`);
  const indexes = await indexesOf(db, layout);
  for (const { name } of indexes) await db.write(() => script(`DROP INDEX ${name}`));
  if (layout === "PostgreSQL, partitions") await db.write(parted);
  for (let month = 0; month < MONTHS; month++) await db.write(() => aMonth(template, month, snapshot, layout));
  const room = layout === "SQLite" ? "" : "SET LOCAL maintenance_work_mem = '512MB';";
  for (const { text } of indexes) await db.write(() => script(`${room} ${text}`));
  await db.write(() => script("DROP TABLE template"));
  await db.write(() => script("ANALYZE"));
  // What the server does by itself in a while.
  if (layout !== "SQLite") await asked(db.location, "VACUUM (ANALYZE)");
};

const asked = async (url: string, statement: string): Promise<void> => {
  const connection = new SQL(url);
  await connection.unsafe(statement);
  await connection.close();
};

interface Index {
  name: string;
  text: string;
}

const indexesOf = (db: Database, layout: Layout): Promise<Index[]> =>
  db.read(() =>
    layout === "SQLite"
      ? many<Index>`SELECT name, sql AS text FROM sqlite_master
                    WHERE type = 'index' AND tbl_name IN ('qsos', 'qso_changes') AND sql IS NOT NULL`
      : many<Index>`SELECT indexname AS name, indexdef AS text FROM pg_indexes
                    WHERE schemaname = current_schema() AND tablename IN ('qsos', 'qso_changes')
                      AND indexname NOT LIKE '%_pkey'`,
  );

/** The same tables in partitions. A primary key must name what they are parted by. */
function* parted(): Unit<void> {
  yield* script(`
    CREATE SEQUENCE qso_ids;
    CREATE SEQUENCE change_ids;
    CREATE TABLE parted_qsos (LIKE qsos INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY HASH (user_id);
    CREATE TABLE parted_changes (LIKE qso_changes INCLUDING DEFAULTS INCLUDING CONSTRAINTS, user_id BIGINT)
      PARTITION BY RANGE (created_at);
    DROP TABLE qsos, qso_changes, first_layers, second_layers;
    CREATE TABLE first_layers (qso_id BIGINT PRIMARY KEY, layer BYTEA NOT NULL);
    CREATE TABLE second_layers (qso_id BIGINT PRIMARY KEY, layer BYTEA NOT NULL);
    ALTER TABLE parted_qsos RENAME TO qsos;
    ALTER TABLE parted_changes RENAME TO qso_changes;
    ALTER TABLE qsos ADD PRIMARY KEY (id, user_id), ALTER id SET DEFAULT nextval('qso_ids'),
      ADD FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;
    ALTER TABLE qso_changes ADD PRIMARY KEY (id, created_at, user_id), ALTER id SET DEFAULT nextval('change_ids'),
      ADD FOREIGN KEY (job_id) REFERENCES sync_jobs (id) ON DELETE CASCADE`);
  for (let hash = 0; hash < HASHES; hash++) {
    yield* script(`CREATE TABLE qsos_${hash} PARTITION OF qsos FOR VALUES WITH (MODULUS ${HASHES}, REMAINDER ${hash})`);
  }
  for (let month = 0; month <= MONTHS; month++) {
    yield* script(`CREATE TABLE qso_changes_${month} PARTITION OF qso_changes
                   FOR VALUES FROM (${monthBegan(month)}) TO (${monthBegan(month + 1)}) PARTITION BY HASH (user_id)`);
    for (let hash = 0; hash < HASHES_OF_A_MONTH; hash++) {
      yield* script(`CREATE TABLE qso_changes_${month}_${hash} PARTITION OF qso_changes_${month}
                     FOR VALUES WITH (MODULUS ${HASHES_OF_A_MONTH}, REMAINDER ${hash})`);
    }
  }
}

const monthBegan = (month: number): number => BEGAN + month * 30 * DAY;

function* aMonth(template: number, month: number, snapshot: Uint8Array, layout: Layout): Unit<void> {
  const at = monthBegan(month);
  const columns = raw(
    (yield* columnsOf(layout)).filter((name) => !["id", "user_id", "created_at"].includes(name)).join(", "),
  );
  const { last } = yield* one<{ last: number }>`SELECT coalesce(max(id), 0) AS last FROM qsos`;
  yield* run`
    INSERT INTO sync_jobs (user_id, source, trigger_kind, status, created_at, finished_at)
    SELECT id, 'first', 'auto', 'completed', ${at}, ${at} FROM users WHERE id <> ${template}`;
  yield* run`
    INSERT INTO qsos (user_id, created_at, ${columns})
    SELECT users.id, CAST(${at} AS BIGINT), ${columns} FROM users CROSS JOIN template
    WHERE users.id <> ${template} AND template.id % ${MONTHS} = ${month} ORDER BY users.id, template.id`;
  yield* run`
    INSERT INTO qso_changes (job_id, qso_id, change_type, after_data, created_at${alsoUser(layout, ", user_id")})
    SELECT j.id, q.id, 'added', ${snapshot}, j.created_at${alsoUser(layout, ", q.user_id")}
    FROM qsos q JOIN sync_jobs j ON j.user_id = q.user_id AND j.created_at = ${at}
    WHERE q.id > ${last} ORDER BY q.id`;
}

/** Only partitions need to know whose change it is. */
const alsoUser = (layout: Layout, words: string) => raw(layout === "PostgreSQL, partitions" ? words : "");

function* columnsOf(layout: Layout): Unit<string[]> {
  const rows =
    layout === "SQLite"
      ? yield* many<{ name: string }>`SELECT name FROM pragma_table_info('template')`
      : yield* many<{ name: string }>`SELECT attname AS name FROM pg_attribute
                                      WHERE attrelid = 'template'::regclass AND attnum > 0`;
  return rows.map(({ name }) => name);
}

const NEWEST = parseListing({});

/** In turn, so that whatever else the machine does meets all of them. */
const measure = async (places: readonly Place[]): Promise<void> => {
  const users = await places[0]!.db.read(
    () => many<{ id: number }>`SELECT id FROM users WHERE username <> 'template' ORDER BY id`,
  );
  for (let at = 0; at < ASKED; at++) {
    const { id } = users[Math.floor(((at + 0.5) * users.length) / ASKED)]!;
    for (const place of places) await askFor(place, id);
  }
  for (const place of places) await pruneAMonth(place);
};

const timed = async ({ times }: Place, name: string, work: () => Promise<unknown>): Promise<void> => {
  const began = performance.now();
  await work();
  times.set(name, [...(times.get(name) ?? []), performance.now() - began]);
};

const askFor = async (place: Place, userId: number): Promise<void> => {
  const { db, layout } = place;
  const { qsos: page } = await db.read(() => qsoList.list(userId, NEWEST));
  const [contact] = page as [Qso];
  const asked = parseListing({ call: contact.call });
  await timed(place, "newest page of a log", () => db.read(() => qsoList.list(userId, NEWEST)));
  await timed(place, "page of one callsign", () => db.read(() => qsoList.list(userId, asked)));
  await timed(place, "history of a contact", () => db.read(() => qsoChanges.historyOf(contact.id)));
  await timed(place, "statistics, counted anew", () => db.read(() => ofUser(userId)));
  await timed(place, "awards, counted anew", () => db.read(() => overview(new Reading(userId), awardView({}))));
  await timed(place, `batch of ${BATCH} records`, () => db.write(() => batch(userId, layout)));
};

const pruneAMonth = async (place: Place): Promise<void> => {
  const { db, layout } = place;
  const jobs = await db.read(
    () => many<{ id: number }>`SELECT id FROM sync_jobs WHERE created_at = ${monthBegan(0)} ORDER BY id`,
  );
  for (const { id } of jobs.slice(0, ASKED)) await timed(place, "pruning one job", () => pruneOne(db, id));
  await timed(place, "pruning the rest of its month", async () => {
    if (layout === "PostgreSQL, partitions") return db.write(() => script("DROP TABLE qso_changes_0"));
    for (const { id } of jobs.slice(ASKED)) await pruneOne(db, id);
  });
};

const pruneOne = async (db: Database, jobId: number): Promise<void> => {
  for (;;) {
    const { rows } = await db.write(() => pruning.removeChanges(jobId, PRUNED_AT_ONCE));
    if (rows < PRUNED_AT_ONCE) return;
  }
};

/** What a batch of a sync does: looks for what its records could mean, adds half of them, and changes as many. */
function* batch(userId: number, layout: Layout): Unit<void> {
  const { qsos: known } = yield* qsoList.list(userId, { ...NEWEST, limit: BATCH / 2 });
  const stretches = known.map(({ call, startedAt }) => ({
    call,
    from: startedAt - 1_800_000,
    to: startedAt + 1_800_000,
  }));
  const found = yield* qsos.findCandidates(userId, { ids: { first: [], second: [] }, stretches });
  const added = yield* qsos.addMany(
    userId,
    known.map((qso) => ({ ...qsos.snapshotOf(qso), startedAt: qso.startedAt + 7_200_000 })),
  );
  yield* confirm(
    userId,
    known.map(({ id }) => id),
  );
  const snapshot = qsos.packSnapshot(qsos.snapshotOf(found[0]!));
  const { id: jobId } = yield* one<{ id: number }>`SELECT min(id) AS id FROM sync_jobs WHERE user_id = ${userId}`;
  const columns = ["job_id", "qso_id", "change_type", "before_data", "after_data", "created_at"];
  const changes = added.map((id) => [jobId, id, "added", null, snapshot, monthBegan(MONTHS)]);
  if (layout !== "PostgreSQL, partitions") yield* insertMany("qso_changes", columns, changes);
  else
    yield* insertMany(
      "qso_changes",
      [...columns, "user_id"],
      changes.map((row) => [...row, userId]),
    );
}

/** Says whose contacts they are, so that it looks into one partition. */
const confirm = (userId: number, ids: readonly number[]): Unit<number> =>
  run`UPDATE qsos SET second_confirmed = 1 - second_confirmed WHERE user_id = ${userId} AND id ${inList(ids)}`;

await main();
