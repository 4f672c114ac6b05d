import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/kernel/errors.ts";
import { parseFilter, parseListing, type QsoParameters } from "../../src/domain/contact/qso-filter.ts";
import { NO_LAYERS } from "../../src/domain/contact/layers.ts";
import type { Derived } from "../../src/domain/contact/qso.ts";
import * as qsoList from "../../src/storage/log/qso-list.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import { aUser, NOON, testWorld, type TestWorld } from "../support/world.ts";

const NOTHING = Object.fromEntries(
  (
    "endedAt band bandRx freqHz mode submode modeGroup stationCallsign operator rstSent rstRcvd dxcc continent cqZone " +
    "ituZone prefix state county gridsquare iota name qth comment propMode satName txPower firstId firstConfirmedAt " +
    "secondId secondConfirmedAt awardEntity awardState awardZone awardGrids firstEntity firstState firstZone " +
    "firstGrids ownEntity ownGrid twoWay credits"
  )
    .split(" ")
    .map((name) => [name, null]),
) as unknown as Derived;

const aSnapshot = (given: Partial<Derived>): qsos.Snapshot => ({
  ...NOTHING,
  ...NO_LAYERS,
  call: "K1ABC",
  startedAt: NOON,
  year: 2026,
  firstConfirmed: false,
  secondConfirmed: false,
  cardConfirmed: false,
  createdAt: NOON,
  updatedAt: NOON,
  rulesVersion: 1,
  ...given,
});

const add = ({ db }: TestWorld, userId: number, contacts: readonly Partial<Derived>[]) =>
  db.write(() => qsos.addMany(userId, contacts.map(aSnapshot)));

const DAY = 86_400_000;

const LOG: Partial<Derived>[] = [
  {
    call: "K1ABC",
    startedAt: NOON,
    band: "20m",
    mode: "SSB",
    submode: "USB",
    modeGroup: "phone",
    dxcc: 291,
    ownEntity: 291,
    ownGrid: "FN42",
  },
  {
    call: "K1AB",
    startedAt: NOON - DAY,
    band: "2m",
    mode: "FT8",
    modeGroup: "digital",
    firstConfirmed: true,
    ownEntity: 291,
    ownGrid: "FN42AA",
  },
  { call: "DL1XYZ/P", startedAt: NOON - 2 * DAY, band: "160m", mode: "MFSK", submode: "FT4", modeGroup: "digital" },
  {
    call: "YU1_X",
    startedAt: NOON - 3 * DAY,
    band: null,
    mode: "DATA",
    modeGroup: "digital",
    dxcc: 296,
    name: "50% Ann",
  },
  { call: "W9TST", startedAt: NOON - 4 * DAY, band: "20m", mode: "SSB", modeGroup: "phone", dxcc: 291, state: "WI" },
  { call: "N0NEW", startedAt: NOON - 5 * DAY, band: "70cm", mode: "CW", modeGroup: "cw", secondConfirmed: true },
  {
    call: "VK2A",
    startedAt: NOON - 6 * DAY,
    band: "10m",
    mode: "CW",
    modeGroup: "cw",
    stationCallsign: "YU1X/P",
    ownEntity: 0,
    ownGrid: "BL11AB",
    firstConfirmed: true,
    secondConfirmed: true,
  },
  {
    call: "G3CRD",
    startedAt: NOON - 7 * DAY,
    band: "80m",
    mode: "AM",
    modeGroup: "phone",
    dxcc: 223,
    cardConfirmed: true,
    firstId: "there",
  },
];

const aLog = async () => {
  const world = await testWorld();
  const { id: userId } = await aUser(world, "bob");
  const { id: eve } = await aUser(world, "eve");
  await add(world, eve, [{ call: "K1ABC" }, { call: "EV3" }]);
  await add(world, userId, LOG);
  const calls = async (parameters: QsoParameters) => {
    const listing = parseListing(parameters);
    const page = await world.db.read(() => qsoList.list(userId, listing));
    expect(await world.db.read(() => qsoList.count(userId, listing.filter))).toBe(page.qsos.length);
    return page.qsos.map(({ call }) => call).join(" ");
  };
  return { world, userId, calls };
};

describe("a list gives the contacts", () => {
  const filters: [string, QsoParameters, string][] = [
    ["all of this user and nobody else's, newest first", {}, "K1ABC K1AB DL1XYZ/P YU1_X W9TST N0NEW VK2A G3CRD"],
    ["of an exact call, in any case", { call: "k1ab" }, "K1AB"],
    ["of several calls", { call: "K1AB, N0NEW" }, "K1AB N0NEW"],
    ["whose call begins so", { call: "K1A*" }, "K1ABC K1AB"],
    ["whose call contains it", { call: "*1*C" }, "K1ABC"],
    ["of a call or a pattern", { call: "VK2A,k1a*" }, "K1ABC K1AB VK2A"],
    ["of a call with a letter that means something in a pattern", { call: "YU1_*" }, "YU1_X"],
    ["and a pattern does not take it for any letter", { call: "K1_BC*" }, ""],
    ["of bands", { band: "20M,70cm" }, "K1ABC W9TST N0NEW"],
    ["of a main mode with its submodes", { mode: "ssb" }, "K1ABC W9TST"],
    ["of a submode only", { mode: "USB" }, "K1ABC"],
    ["of a mode that is a submode for ADIF", { mode: "FT4,FT8" }, "K1AB DL1XYZ/P"],
    ["of a generic mode only", { mode: "DATA" }, "YU1_X"],
    ["of mode groups", { group: "CW,phone" }, "K1ABC W9TST N0NEW VK2A G3CRD"],
    ["of an entity", { dxcc: "291" }, "K1ABC W9TST"],
    ["without an entity", { dxcc: "none" }, "K1AB DL1XYZ/P N0NEW VK2A"],
    ["of an entity or without one", { dxcc: "296,0" }, "K1AB DL1XYZ/P YU1_X N0NEW VK2A"],
    ["of a state", { state: "wi" }, "W9TST"],
    ["from a day on", { from: "2026-07-31" }, "K1ABC K1AB"],
    ["up to and with a day", { to: "2026-07-27" }, "N0NEW VK2A G3CRD"],
    ["of exactly one millisecond", { from: String(NOON), to: String(NOON) }, "K1ABC"],
    ["that nobody confirmed, not even by a card", { confirmation: "none" }, "K1ABC DL1XYZ/P YU1_X W9TST"],
    ["that a card confirmed", { confirmation: "card" }, "G3CRD"],
    ["that a card alone confirmed, or both services", { confirmation: "cardOnly,both" }, "VK2A G3CRD"],
    ["that a service has", { at: "first" }, "K1AB VK2A G3CRD"],
    ["that one of the services has", { at: "FIRST,second" }, "K1AB N0NEW VK2A G3CRD"],
    ["that a service has not got", { notAt: "first" }, "K1ABC DL1XYZ/P YU1_X W9TST N0NEW"],
    ["that no service has", { notAt: "first,second" }, "K1ABC DL1XYZ/P YU1_X W9TST"],
    ["that one service has and the other has not", { at: "first", notAt: "second" }, "K1AB G3CRD"],
    ["made from an entity", { ownDxcc: "291" }, "K1ABC K1AB"],
    [
      "made from an entity, from none, or nobody knows where",
      { ownDxcc: "110,none,unknown", at: "first" },
      "VK2A G3CRD",
    ],
    ["made from a square of four characters", { ownGrid: "fn42" }, "K1ABC K1AB"],
    ["made from a square of six", { ownGrid: "FN42AA" }, "K1AB"],
    ["made from a square, or nobody knows where", { ownGrid: "BL11AB,unknown", at: "first" }, "VK2A G3CRD"],
    ["that only one service confirmed", { confirmation: "firstOnly,secondOnly" }, "K1AB N0NEW"],
    ["that both confirmed", { confirmation: "both" }, "VK2A"],
    ["that the first confirmed", { confirmation: "first" }, "K1AB VK2A"],
    ["that any confirmed", { confirmation: "ANY" }, "K1AB N0NEW VK2A G3CRD"],
    ["under a station callsign", { station: "yu1x/p" }, "VK2A"],
    ["with a part of the call", { q: "xyz" }, "DL1XYZ/P"],
    ["with a part of the name, whatever its letters mean in a pattern", { q: "% a" }, "YU1_X"],
    ["that fit all filters", { band: "20m", state: "WI", q: "9" }, "W9TST"],
    ["sorted by call", { sort: "call" }, "DL1XYZ/P G3CRD K1AB K1ABC N0NEW VK2A W9TST YU1_X"],
    [
      "sorted by band as wavelengths are, the unknown last",
      { sort: "band" },
      "DL1XYZ/P G3CRD W9TST K1ABC VK2A K1AB N0NEW YU1_X",
    ],
    [
      "sorted down by band, the unknown still last",
      { sort: "-band" },
      "N0NEW K1AB VK2A K1ABC W9TST G3CRD DL1XYZ/P YU1_X",
    ],
    ["sorted by the mode people know", { sort: "mode" }, "G3CRD VK2A N0NEW YU1_X DL1XYZ/P K1AB W9TST K1ABC"],
  ];
  test("of every filter and order", async () => {
    const { calls } = await aLog();

    for (const [name, parameters, expected] of filters) {
      expect(`${name}: ${await calls(parameters)}`).toBe(`${name}: ${expected}`);
    }
  });
});

const SORTS = ["startedAt", "call", "band", "mode", "dxcc", "updatedAt"].flatMap((key) => [key, `-${key}`]);

describe("pages", () => {
  const page = async ({ db }: TestWorld, userId: number, parameters: QsoParameters) => {
    const listing = parseListing(parameters);
    return db.read(() => qsoList.list(userId, listing));
  };

  // Invariant: pages of a list neither skip nor repeat a contact
  test("follow each other without gap or repeat in every order, while contacts are added", async () => {
    const world = await testWorld();
    const { id: userId } = await aUser(world, "bob");
    const pick = <T>(list: readonly T[], index: number) => list[index % list.length]!;
    const contacts = Array.from({ length: 40 }, (_, index) => ({
      call: pick(["K1A", "K1B", "K1C"], index),
      startedAt: NOON - pick([0, 1, 2], index) * DAY,
      band: pick(["20m", null, "160m", "2m"], index),
      mode: pick(["CW", "SSB", null], index),
      dxcc: pick([291, null, 1], index),
    }));
    const ids = await add(world, userId, contacts);

    for (const sort of SORTS) {
      const seen: number[] = [];
      for (let cursor: string | undefined; ;) {
        const { qsos: found, nextCursor } = await page(world, userId, {
          sort,
          limit: "7",
          ...(cursor ? { cursor } : {}),
        });
        seen.push(...found.map(({ id }) => id));
        if (nextCursor === null) break;
        cursor = nextCursor;
        await add(world, userId, [{ call: "K1B", startedAt: NOON - DAY, mode: "CW" }]);
      }
      const old = seen.filter((id) => ids.includes(id));
      expect(new Set(seen).size).toBe(seen.length);
      expect({ sort, old: old.toSorted((a, b) => a - b) }).toEqual({ sort, old: ids });
    }
  });

  test("a cursor of another list, or an invented one, is refused", async () => {
    const { world, userId } = await aLog();
    const { nextCursor } = await page(world, userId, { band: "20m", limit: "1" });
    const forged = Buffer.from(JSON.stringify(["x", "y", 1])).toString("base64url");
    const wrong = [
      { cursor: nextCursor! },
      { band: "2m", cursor: nextCursor! },
      { band: "20m", sort: "call", cursor: nextCursor! },
      { band: "20m", cursor: forged },
      { band: "20m", cursor: "%%%" },
    ];

    expect((await page(world, userId, { band: "20m", limit: "1", cursor: nextCursor! })).qsos).toHaveLength(1);
    for (const parameters of wrong) {
      const refusal = await page(world, userId, parameters).catch((error) => error);
      expect(refusal).toBeInstanceOf(AppError);
      expect(refusal).toMatchObject({ code: "invalid", fields: [{ path: "cursor" }] });
    }
  });
});

describe("parameters", () => {
  const problemsOf = (parameters: Record<string, string>) => {
    try {
      parseListing(parameters);
      return [];
    } catch (error) {
      return (error as AppError).fields!.map(({ path }) => path);
    }
  };

  test("are refused with all problems at once", () => {
    const wrong = {
      call: "K1ABC,,N0NEW",
      band: "21m",
      group: "voice",
      dxcc: "Germany",
      from: "2026-02-30",
      to: "yesterday",
      confirmation: "maybe",
      q: " ",
      sort: "name",
      limit: "501",
      colour: "red",
    };

    expect(problemsOf(wrong).sort()).toEqual(Object.keys(wrong).sort());
  });

  test.each(["0", "501", "1.5", "-1", "x", ""])("a limit of %j is refused", (limit) => {
    expect(problemsOf({ limit })).toEqual(["limit"]);
  });

  test("for requests without pages exclude sort, limit and cursor", () => {
    expect(parseFilter({ band: "20M", to: "2026-08-01" })).toEqual({ band: ["20m"], to: NOON + DAY / 2 });
    expect(() => parseFilter({ limit: "5" } as never)).toThrow("no parameter");
  });

  test("that no engine could store are refused", () => {
    expect(problemsOf({ q: "a\0b" })).toEqual(["q"]);
    expect(problemsOf({ call: "*,".repeat(600).slice(0, -1) })).toEqual(["call"]);
    expect(problemsOf({ q: "x".repeat(5_000) })).toEqual(["q"]);
  });

  test("for a text of more than 100 letters are refused", () => {
    expect(problemsOf({ q: "x".repeat(101) })).toEqual(["q"]);
    expect(parseFilter({ q: "x".repeat(100) })).toEqual({ q: "x".repeat(100) });
  });
});
