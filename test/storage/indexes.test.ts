import { Database as Connection } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { ORIGIN_IDS } from "../../src/domain/origins/bits.ts";
import * as apiTokens from "../../src/storage/people/api-tokens.ts";
import * as awards from "../../src/storage/log/awards.ts";
import { byService } from "../../src/domain/jobs/source.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import { DIALECT } from "../../src/storage/engine/sqlite.ts";
import { computeForUser } from "../../src/storage/log/statistics.ts";
import type { Database } from "../../src/storage/engine/database.ts";
import {
  insertMany,
  many,
  one,
  render,
  run,
  script,
  type Sql,
  type Unit,
  type Value,
} from "../../src/storage/engine/unit.ts";
import { storeLog } from "../support/log-generator.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";

const ME = 2;
const HF = ["160m", "80m", "60m", "40m", "30m", "20m", "17m", "15m", "12m", "10m", "8m", "6m"];

interface Question {
  name: string;
  index: string;
  text: string;
  /** False if the table's rows are needed. */
  isCovered?: boolean;
  /** True if a few rows or groups may be sorted. */
  mayArrange?: boolean;
}

const NEWEST_FIRST = "ORDER BY started_at DESC, id DESC LIMIT 50";

/** The queries of the contact list in their fastest form. */
const QUESTIONS: readonly Question[] = [
  {
    name: "the newest contacts",
    index: "qsos_newest",
    text: `SELECT * FROM qsos WHERE user_id = ${ME} ${NEWEST_FIRST}`,
    isCovered: false,
  },
  ...[
    "state = 'CA'",
    "contest_id = 'CQ-WW-CW'",
    "own_grid = 'KN04FT'",
    "recorded_by & 8 <> 0",
    "mode_group = 'cw' AND started_at BETWEEN 1700000000000 AND 1730000000000",
  ].map((condition) => ({
    name: `the contacts with ${condition}, counted`,
    index: "qsos_newest",
    text: `SELECT count(*) FROM qsos WHERE user_id = ${ME} AND ${condition}`,
  })),
  {
    name: "the contacts made from an entity, in the order of their modes",
    index: "qsos_newest",
    text: `SELECT id FROM qsos WHERE user_id = ${ME} AND own_entity = 296 ORDER BY coalesce(submode, mode), id LIMIT 50`,
    mayArrange: true,
  },
  {
    name: "the contacts that were changed last",
    index: "qsos_updated",
    text: `SELECT id FROM qsos WHERE user_id = ${ME} ORDER BY updated_at DESC, id DESC LIMIT 50`,
  },
  {
    name: "the contacts that hold a text, counted",
    index: "qsos_text",
    text: `SELECT count(*) FROM qsos WHERE user_id = ${ME} AND (call LIKE '%A%' OR name LIKE '%A%' OR qth LIKE '%A%'
             OR comment LIKE '%A%' OR gridsquare LIKE '%A%')`,
  },
  {
    name: "the contacts with a call",
    index: "qsos_call",
    text: `SELECT * FROM qsos WHERE user_id = ${ME} AND call = 'K1ABC' ${NEWEST_FIRST}`,
    isCovered: false,
    mayArrange: true,
  },
  {
    name: "the newest contacts on a band",
    index: "qsos_band",
    text: `SELECT * FROM qsos WHERE user_id = ${ME} AND band = '20m' ${NEWEST_FIRST}`,
    isCovered: false,
  },
  {
    name: "the contacts on a band, counted",
    index: "qsos_band",
    text: `SELECT count(*) FROM qsos WHERE user_id = ${ME} AND band = '20m'`,
  },
  {
    name: "the newest contacts of a station callsign",
    index: "qsos_station",
    text: `SELECT * FROM qsos WHERE user_id = ${ME} AND station_callsign = 'YU1TEST' ${NEWEST_FIRST}`,
    isCovered: false,
  },
  {
    name: "the newest contacts in a mode",
    index: "qsos_newest",
    text: `SELECT id FROM qsos WHERE user_id = ${ME} AND mode = 'MFSK' AND submode = 'FT4' ${NEWEST_FIRST}`,
  },
  {
    name: "the newest contacts with an entity",
    index: "qsos_entity",
    text: `SELECT id FROM qsos WHERE user_id = ${ME} AND dxcc = 291 ${NEWEST_FIRST}`,
    mayArrange: true,
  },
];

// Invariant: contacts have ten indexes, and each question uses its own
test("the contacts have exactly ten indexes", async () => {
  const { db } = await testWorld();

  const found = await db.read(() =>
    ENGINE === "sqlite"
      ? many<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'qsos'`
      : many<{ name: string }>`SELECT indexname AS name FROM pg_indexes
                               WHERE schemaname = current_schema() AND tablename = 'qsos' AND indexname <> 'qsos_pkey'`,
  );

  expect(found.map(({ name }) => name).sort()).toEqual([
    "qsos_band",
    "qsos_call",
    "qsos_entity",
    ...(ENGINE === "postgres" ? ["qsos_mode"] : []),
    "qsos_newest",
    "qsos_prefix",
    "qsos_rollup",
    "qsos_squares",
    "qsos_station",
    ...(ENGINE === "sqlite" ? ["qsos_text"] : []),
    "qsos_updated",
  ]);
});

describe.skipIf(ENGINE !== "sqlite")("on a filled, analysed table", () => {
  // Invariant: contacts have ten indexes, and each question uses its own
  test("each query uses its index, and roll-ups never read the table", async () => {
    const connection = await filledDatabase();

    for (const { name, index, text, isCovered = true, mayArrange = false } of QUESTIONS) {
      const plan = planOf(connection, text);

      expect([name, plan]).toEqual([name, expect.stringContaining(`${isCovered ? "COVERING " : ""}INDEX ${index} (`)]);
      if (!mayArrange) expect([name, plan]).toEqual([name, expect.not.stringContaining("TEMP B-TREE")]);
    }
  });

  test("statistics of a log and of one callsign use covering indexes without sorting", async () => {
    const connection = await filledDatabase();

    for (const station of [undefined, "YU1TEST"]) {
      const plans = explained(connection, computeForUser(ME, { stations: station === undefined ? null : [station] }));

      const lines = plans.flatMap((plan) => plan.split("\n")).filter((line) => / qsos /.test(line));
      expect(lines).toHaveLength(6);
      for (const line of lines) expect(line).toContain("USING COVERING INDEX qsos_");
      expect(plans.join("\n")).toContain("INDEX qsos_rollup (user_id=?");
      expect(plans.join("\n")).toContain("INDEX qsos_call (user_id=?");
      expect(plans.join("\n")).not.toContain("TEMP B-TREE");
    }
  });

  test("awards of a log, a callsign and a mode use covering indexes in their own order", async () => {
    const connection = await filledDatabase();
    const views: awards.ContactFilter[] = [
      {},
      { flagsOnly: true },
      { station: "YU1TEST" },
      { group: "cw", twoWay: true },
      { mode: "RTTY" },
      { group: "digital", notMode: "RTTY", from: 946_684_800_000 },
    ];
    const states = { inStates: true, from: 1_230_768_000_000, twoWay: true, byGroup: true };

    const asked = [
      ...views.flatMap((view) => [
        ["qsos_entity", explained(connection, awards.places(ME, view))] as const,
        ...(view.mode || view.notMode
          ? []
          : [
              ["qsos_prefix", explained(connection, awards.prefixes(ME, { ...view, twoWay: false }))] as const,
              [
                "qsos_prefix",
                explained(connection, awards.prefixes(ME, { ...view, twoWay: false, bands: HF })),
              ] as const,
              ["qsos_squares", explained(connection, awards.islands(ME, { ...view, twoWay: false }))] as const,
              [
                "qsos_squares",
                explained(connection, awards.squares(ME, { ...view, twoWay: false, from: 410_227_200_000 })),
              ] as const,
            ]),
      ]),
      ["qsos_entity", explained(connection, awards.places(ME, states))] as const,
      ["qsos_entity", explained(connection, awards.places(ME, { ...states, dxccs: [291, 6] }))] as const,
    ];

    for (const [index, [plan]] of asked) {
      expect(plan).toContain(`COVERING INDEX ${index} (user_id=?`);
      expect(plan).not.toContain("TEMP B-TREE");
    }
  });

  test("own locations are counted with a covering index, and each of several with the index of its aggregation", async () => {
    const connection = await filledDatabase();
    const madeFrom = [{ column: "own_entity" as const, values: [296], orUnknown: true }];
    const circle = [...madeFrom, { column: "own_grid" as const, values: ["KN04FT"], orUnknown: false }];

    const [entities] = explained(connection, awards.listOwnEntities(ME));
    const [grids] = explained(connection, awards.listOwnGrids(ME, { station: "YU1TEST" }));
    const [places] = explained(connection, awards.places(ME, { madeFrom }));
    const [prefixes] = explained(connection, awards.prefixes(ME, { madeFrom, bands: HF }));
    const [islands] = explained(connection, awards.islands(ME, { madeFrom }));
    const [squares] = explained(connection, awards.squares(ME, { madeFrom: circle }));

    expect(entities).toContain("USING COVERING INDEX");
    expect(grids).toContain("COVERING INDEX qsos_squares (user_id=?");
    for (const [plan, index] of [
      [places, "qsos_entity"],
      [prefixes, "qsos_prefix"],
      [islands, "qsos_squares"],
      [squares, "qsos_squares"],
    ]) {
      expect(plan).toContain(`COVERING INDEX ${index} (user_id=?`);
      expect(plan).not.toContain("TEMP B-TREE");
    }
  });

  test("contacts at certain times are found by time", async () => {
    const connection = await filledDatabase();

    const [plan] = explained(connection, awards.listContactsAt(ME, [1, 2, 3]));

    expect(plan).toMatch(/INDEX qsos_(newest|text) \(user_id=\? AND started_at=\?\)/);
  });

  test("candidates of a record are found by ids and by call and time", async () => {
    const connection = await filledDatabase();
    const timeRanges = ["K1ABC", "DL1ABC"].map((call) => ({ call, from: 0, to: 10 }));
    const wanted = { ids: byService((service) => [service, "1", "2"]), timeRanges };

    const [byId, ...others] = explained(connection, qsos.findCandidates(ME, wanted));

    expect(byId).toContain("sqlite_autoindex_qso_service_ids_1 (user_id=? AND origin=? AND external_id=?)");
    expect(others.join("\n")).toContain("INDEX qsos_call (user_id=? AND call=? AND started_at>? AND started_at<?)");
  });
});

/** A thousand runs in the best of some rounds, so that other load counts as little as possible. */
const processorOf = (work: () => void): number => {
  const rounds = Array.from({ length: 7 }, () => {
    const began = process.cpuUsage();
    for (let n = 0; n < 1_000; n++) work();
    const { user, system } = process.cpuUsage(began);
    return user + system;
  });
  return Math.min(...rounds);
};

test.skipIf(ENGINE !== "sqlite")("parameters do not cause statements to be planned again", async () => {
  const connection = await filledDatabase();
  const step = apiTokens.findWithUser("0".repeat(64)).next();
  if (step.done || step.value.kind !== "rows") throw new Error("it asks nothing");
  const { text, values } = renderForSqlite(step.value.sql);
  const statement = connection.prepare(text);
  statement.all(...(values as never[]));

  const [asBound, boundAnew] = [
    processorOf(() => statement.all()),
    processorOf(() => statement.all(...(values as never[]))),
  ];

  // Planning takes four to eight times as long as running it.
  expect(boundAnew).toBeLessThan(2.5 * asBound);
});

const filledDatabase = async (): Promise<Connection> => {
  const world = await testWorld();
  for (const name of ["ann", "bob", "eve"]) {
    const user = await aUser(world, name);
    await storeLog(world.db, user.id, { contacts: 1_000, seed: user.id });
  }
  await world.db.analyze();
  return new Connection(world.db.location, { readonly: true });
};

const planOf = (connection: Connection, text: string, values: readonly Value[] = []): string => {
  const steps = connection.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...(values as never[])) as { detail: string }[];
  return steps.map(({ detail }) => detail).join("\n");
};

/** The query plan of each statement of a unit, which is run to its end. */
const explained = (connection: Connection, unit: Unit<unknown>): string[] => {
  const plans: string[] = [];
  let step = unit.next();
  while (!step.done) {
    if (step.value.kind !== "rows") throw new Error(`this unit does more than read: ${step.value.kind}`);
    const { text, values } = renderForSqlite(step.value.sql);
    plans.push(planOf(connection, text, values));
    step = unit.next(connection.prepare(text).all(...(values as never[])));
  }
  return plans;
};

const renderForSqlite = (piece: Sql) => render(piece, DIALECT);

/** Returns the result of a unit, and how many rows the server read in each step of its plans. */
function* counted<T>(unit: Unit<T>, looked: number[]): Unit<T> {
  let step = unit.next();
  while (!step.done) {
    const { sql } = step.value as { sql: Sql };
    const strings = [`EXPLAIN (ANALYZE, FORMAT JSON) ${sql.strings[0]!}`, ...sql.strings.slice(1)];
    const plan = JSON.stringify(yield { kind: "rows", sql: { strings, values: sql.values } });
    looked.push(
      ...[...plan.matchAll(/"(?:Actual Rows|Rows Removed by [A-Za-z ]+)": *(\d+)/g)].map(([, n]) => Number(n)),
    );
    step = unit.next(yield step.value);
  }
  return step.value;
}

test.skipIf(ENGINE !== "postgres")(
  "candidates of a batch use the indexes even for a user without statistics",
  async () => {
    const world = await testWorld();
    const [ann, bob] = [await aUser(world, "ann"), await aUser(world, "bob")];
    await storeLog(world.db, ann.id, { contacts: 4_000 });
    await world.db.analyze();
    await storeLog(world.db, bob.id, { contacts: 4_000 });
    const known = await world.db.read(
      () => many<{ id: number; call: string; startedAt: number; firstId: string | null }>`
        SELECT q.id, call, started_at AS "startedAt", external_id AS "firstId" FROM qsos q
        JOIN qso_service_ids ON qso_id = q.id AND origin = ${ORIGIN_IDS.first} WHERE q.user_id = ${bob.id}
        ORDER BY q.id LIMIT 100`,
    );
    const wanted = {
      ids: byService((service) => (service === "first" ? known.map(({ firstId }) => firstId!) : [])),
      timeRanges: known.map(({ call, startedAt }) => ({ call, from: startedAt - 1, to: startedAt + 1 })),
    };
    const looked: number[] = [];

    const found = await world.db.read(() => counted(qsos.findCandidates(bob.id, wanted), looked));

    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(known.map(({ id }) => id)));
    expect(looked.length).toBeGreaterThan(0);
    expect(Math.max(...looked)).toBeLessThan(1_000);
  },
);

test.skipIf(ENGINE !== "postgres")("service ids use the index even in the middle of the first sync", async () => {
  const { db, ...world } = await testWorld();
  const bob = await aUser({ db, ...world }, "bob");
  await storeLog(db, bob.id, { contacts: 4_000 });
  await db.write(() => run`DELETE FROM qso_service_ids WHERE origin = ${ORIGIN_IDS.second}`);
  await db.analyze();
  await db.write(
    () => run`INSERT INTO qso_service_ids (user_id, origin, external_id, qso_id)
                SELECT user_id, ${ORIGIN_IDS.second}, 'number ' || id, id FROM qsos`,
  );
  const known = await db.read(
    () => many<{ secondId: string }>`
        SELECT external_id AS "secondId" FROM qso_service_ids WHERE origin = ${ORIGIN_IDS.second} LIMIT 100`,
  );
  const ids = { first: [], second: known.map(({ secondId }) => secondId) };
  const looked: number[] = [];

  const found = await db.read(() => counted(qsos.findCandidates(bob.id, { ids, timeRanges: [] }), looked));

  expect(found).toHaveLength(100);
  expect(Math.max(...looked)).toBeLessThan(1_000);
});

test.skipIf(ENGINE !== "postgres")("on PostgreSQL a list in the order of modes walks an index", async () => {
  const { db, ...world } = await testWorld();
  const bob = await aUser({ db, ...world }, "bob");
  await storeLog(db, bob.id, { contacts: 4_000 });
  await db.analyze();

  const plan = await db.read(
    () => many<Record<string, string>>`
      EXPLAIN SELECT id FROM qsos WHERE user_id = ${bob.id}
      ORDER BY coalesce(submode, mode) ASC NULLS LAST, started_at ASC, id ASC LIMIT 50`,
  );

  expect(JSON.stringify(plan)).toContain("using qsos_mode");
});

/** How many service ids were read sequentially. */
const readInTurn = async (db: Database): Promise<number> => {
  await db.read(() => many`SELECT 1 AS n FROM pg_stat_force_next_flush()`).catch(() => Bun.sleep(1_100));
  const { n } = await db.read(
    () => one<{ n: number }>`SELECT CAST(sum(seq_tup_read) AS BIGINT) AS n FROM pg_stat_user_tables
                             WHERE relname = 'records'`,
  );
  return n;
};

test.skipIf(ENGINE !== "postgres")(
  "records of services use the index even if there were none when the plan was made",
  async () => {
    const { db, ...world } = await testWorld();
    const [bob, eve] = [await aUser({ db, ...world }, "bob"), await aUser({ db, ...world }, "eve")];
    for (const { id } of [eve, bob]) await storeLog(db, id, { contacts: id === bob.id ? 500 : 4_000 });
    await db.write(() => script("ANALYZE records"));
    const known = await db.read(
      () => many<{ call: string; startedAt: number }>`
        SELECT call, started_at AS "startedAt" FROM qsos WHERE user_id = ${bob.id}`,
    );
    const timeRanges = known.map(({ call, startedAt }) => ({ call, from: startedAt - 1, to: startedAt + 1 }));
    const look = () =>
      db.read(() => qsos.findCandidates(bob.id, { ids: { first: [], second: [] }, timeRanges: timeRanges }));
    for (let n = 0; n < 10; n++) await look();
    const others = await db.read(() => many<{ id: number }>`SELECT id FROM qsos WHERE user_id = ${eve.id}`);
    const record = { origin: ORIGIN_IDS.second, recordKey: "record 1", receivedAt: 1, record: '{"fields":{}}' };
    const rows = others.map(({ id }) => ({ userId: eve.id, qsoId: id, placedAs: id, ...record }));
    await db.write(() => insertMany("records", rows));
    const before = await readInTurn(db);

    expect(await look()).toHaveLength(known.length);

    expect((await readInTurn(db)) - before).toBeLessThan(20_000);
  },
);
