import { Database as Connection } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import * as qsos from "../../src/storage/qsos.ts";
import { ofUser } from "../../src/storage/statistics.ts";
import { many, render, type Sql, type Unit, type Value } from "../../src/storage/unit.ts";
import { storeLog } from "../support/log-generator.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";

const ME = 2;

const VHF = `band IN ('6m', '5m', '4m', '2m', '1.25m', '70cm', '33cm', '23cm', '13cm', '9cm', '6cm', '3cm', '1.25cm',
  '6mm', '4mm', '2.5mm', '2mm', '1mm', 'submm')`;

interface Question {
  name: string;
  index: string;
  text: string;
  /** False where the rows themselves are wanted. */
  isCovered?: boolean;
  /** True where a few rows, or few groups, are put in order afterwards. */
  mayArrange?: boolean;
}

const CONFIRMED = `max(first_confirmed) AS first, max(second_confirmed) AS second, max(card_confirmed) AS card`;
const PLACES = `dxcc, award_entity, continent, award_zone, award_state, band, mode_group, prop_mode, first_confirmed,
  second_confirmed, card_confirmed, two_way, first_entity, first_zone, first_state, credits`;
const NEWEST_FIRST = "ORDER BY started_at DESC, id DESC LIMIT 50";

/** What the list of contacts and the awards ask, in the form that is answered fastest. */
const QUESTIONS: readonly Question[] = [
  {
    name: "the newest contacts",
    index: "qsos_newest",
    text: `SELECT * FROM qsos WHERE user_id = ${ME} ${NEWEST_FIRST}`,
    isCovered: false,
  },
  {
    name: "the contacts of a year, counted",
    index: "qsos_newest",
    text: `SELECT count(*) FROM qsos WHERE user_id = ${ME} AND started_at BETWEEN 1700000000000 AND 1730000000000`,
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
    index: "qsos_rollup",
    text: `SELECT id FROM qsos WHERE user_id = ${ME} AND mode = 'MFSK' AND submode = 'FT4' ${NEWEST_FIRST}`,
    mayArrange: true,
  },
  {
    name: "the newest contacts with an entity",
    index: "qsos_entity",
    text: `SELECT id FROM qsos WHERE user_id = ${ME} AND dxcc = 291 ${NEWEST_FIRST}`,
    mayArrange: true,
  },
  {
    name: "entities, continents, zones and states for the awards",
    index: "qsos_entity",
    text: `SELECT ${PLACES}, count(*) AS contacts, max(started_at) AS latest FROM qsos WHERE user_id = ${ME}
           GROUP BY ${PLACES}`,
  },
  {
    name: "entities by band, group and satellite, confirmed by the one who must",
    index: "qsos_entity",
    text: `SELECT dxcc, award_entity, band, mode_group, prop_mode, first_entity, ${CONFIRMED} FROM qsos
           WHERE user_id = ${ME}
           GROUP BY dxcc, award_entity, continent, award_zone, award_state, band, mode_group, prop_mode,
                    first_confirmed, second_confirmed, card_confirmed, two_way, first_entity`,
  },
  {
    name: "the states of three entities",
    index: "qsos_entity",
    text: `SELECT award_state, first_state, band, mode_group, two_way, ${CONFIRMED}, max(started_at) FROM qsos
           WHERE user_id = ${ME} AND dxcc IN (291, 6, 110) GROUP BY award_state, first_state, band, mode_group, two_way`,
    mayArrange: true,
  },
  {
    name: "zones",
    index: "qsos_entity",
    text: `SELECT award_zone, first_zone, band, mode_group, ${CONFIRMED} FROM qsos WHERE user_id = ${ME}
           GROUP BY dxcc, award_entity, continent, award_zone, award_state, band, mode_group, prop_mode,
                    first_confirmed, second_confirmed, card_confirmed, two_way, first_entity, first_zone`,
  },
  {
    name: "prefixes by band and group",
    index: "qsos_prefix",
    text: `SELECT prefix, band, mode_group, ${CONFIRMED} FROM qsos WHERE user_id = ${ME}
           GROUP BY prefix, band, mode_group`,
  },
  {
    name: "prefixes under one callsign",
    index: "qsos_prefix",
    text: `SELECT prefix, ${CONFIRMED} FROM qsos WHERE user_id = ${ME} AND station_callsign = 'YU1TEST/P'
           GROUP BY prefix`,
  },
  {
    name: "squares on the bands and satellites that count",
    index: "qsos_squares",
    text: `SELECT band, prop_mode, award_grids, first_grids, ${CONFIRMED} FROM qsos
           WHERE user_id = ${ME} AND (prop_mode = 'SAT' OR ${VHF}) AND started_at >= 410227200000
           GROUP BY band, prop_mode, award_grids, first_grids`,
    mayArrange: true,
  },
  {
    name: "islands by band and group",
    index: "qsos_squares",
    text: `SELECT iota, band, mode_group, ${CONFIRMED} FROM qsos WHERE user_id = ${ME} AND iota IS NOT NULL
           GROUP BY iota, band, mode_group`,
    mayArrange: true,
  },
];

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
    "qsos_first_id",
    "qsos_newest",
    "qsos_prefix",
    "qsos_rollup",
    "qsos_second_id",
    "qsos_squares",
    "qsos_station",
  ]);
});

describe.skipIf(ENGINE !== "sqlite")("on a filled, analysed table", () => {
  test("each question is answered from its index, and the roll-ups never touch the table", async () => {
    const connection = await filledDatabase();

    for (const { name, index, text, isCovered = true, mayArrange = false } of QUESTIONS) {
      const plan = planOf(connection, text);

      expect([name, plan]).toEqual([name, expect.stringContaining(`${isCovered ? "COVERING " : ""}INDEX ${index} (`)]);
      if (!mayArrange) expect([name, plan]).toEqual([name, expect.not.stringContaining("TEMP B-TREE")]);
    }
  });

  test("statistics, of a whole log and of one callsign, come from covering indexes without sorting", async () => {
    const connection = await filledDatabase();

    for (const station of [undefined, "YU1TEST"]) {
      const plans = explained(connection, ofUser(ME, { station }));

      const lines = plans.flatMap((plan) => plan.split("\n")).filter((line) => / qsos /.test(line));
      expect(lines).toHaveLength(6);
      for (const line of lines) expect(line).toContain("USING COVERING INDEX qsos_");
      expect(plans.join("\n")).toContain("INDEX qsos_rollup (user_id=?");
      expect(plans.join("\n")).toContain("INDEX qsos_call (user_id=?");
      expect(plans.join("\n")).not.toContain("TEMP B-TREE");
    }
  });

  test("what a record could mean is found by its ids and by call and time", async () => {
    const connection = await filledDatabase();
    const wanted = { firstIds: ["a", "b"], secondIds: ["1", "2"], calls: ["K1ABC", "DL1ABC"], from: 0, to: 10 };

    const [byFirst, bySecond, byCall] = explained(connection, qsos.findCandidates(ME, wanted));

    expect(byFirst).toContain("INDEX qsos_first_id (user_id=? AND first_id=?)");
    expect(bySecond).toContain("INDEX qsos_second_id (user_id=? AND second_id=?)");
    expect(byCall).toContain("INDEX qsos_call (user_id=? AND call=? AND started_at>? AND started_at<?)");
  });
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

/** The plan of each statement of a unit, which is run to its end on the way. */
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

const renderForSqlite = (piece: Sql) =>
  render(piece, {
    placeholder: () => "?",
    list: (values, placeholder) => [`(SELECT value FROM json_each(${placeholder}))`, JSON.stringify(values)],
  });
