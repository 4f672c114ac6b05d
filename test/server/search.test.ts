import { describe, expect, test } from "bun:test";
import { parseListing, SORT_KEYS, type QsoListing, type QsoParameters } from "../../src/domain/qso-filter.ts";
import type { Qso } from "../../src/domain/qso.ts";
import { findPage, inStretches } from "../../src/logbook/search.ts";
import * as logYears from "../../src/storage/log-years.ts";
import * as qsoList from "../../src/storage/qso-list.ts";
import { figuresOfLog } from "../../src/storage/statistics.ts";
import { run } from "../../src/storage/unit.ts";
import * as users from "../../src/storage/users.ts";
import { testApp } from "../support/app.ts";
import { storeLog } from "../support/log-generator.ts";
import { testWorld } from "../support/world.ts";

describe("a list found stretch by stretch", () => {
  const questions: QsoParameters[] = [
    ...SORT_KEYS.flatMap((key) => [{ sort: key }, { sort: `-${key}` }]),
    { q: "a" },
    { q: "nobody has this" },
    { q: "1", sort: "startedAt" },
    { q: "e", sort: "-call", band: "20m" },
    { confirmation: "none", from: "2015-01-01", to: "2020-12-31" },
    { call: "*A*", sort: "dxcc" },
  ];

  // Defence: nothing that is asked of a large log holds the others up
  test("is the list that one question gives, page by page, in every order", async () => {
    const app = await testApp();
    await storeLog(app.db, app.bob.id, { contacts: 700, seed: 3 });
    const noon = Date.UTC(2018, 1, 1);
    await app.db.write(() => run`UPDATE qsos SET started_at = ${noon} WHERE id % 5 = 0`);
    for (const words of questions) {
      let cursor: string | undefined;
      let shown: Qso[] = [];
      for (let page = 0; page < 4; page++) {
        const listing = parseListing({ ...words, limit: "60", ...(cursor === undefined ? {} : { cursor }) });
        const asked = { userId: app.bob.id, listing };
        const whole = await app.db.read(() => qsoList.pageWithTotal(asked));

        expect([words, page, await inStretches(app, asked, Infinity, 50)]).toEqual([words, page, whole]);

        if (whole.previousCursor !== null) {
          const back = parseListing({ ...words, limit: "60", before: whole.previousCursor });
          const before = { userId: app.bob.id, listing: back };
          const previous = await app.db.read(() => qsoList.pageWithTotal(before));
          expect([words, page, previous.qsos]).toEqual([words, page, shown]);
          expect([words, page, await inStretches(app, before, Infinity, 50)]).toEqual([words, page, previous]);
        }
        if (whole.nextCursor === null) break;
        cursor = whole.nextCursor;
        shown = whole.qsos;
      }
    }
  });
});

describe("a list found by what an index knows", () => {
  const questions: QsoParameters[] = [
    {},
    { sort: "startedAt", from: "2010-01-01" },
    { band: "20m" },
    { band: "20m,2m", sort: "-band" },
    { station: "YU1TEST" },
    { call: "*A*" },
    { call: "K*", sort: "-call", station: "YU1TEST" },
    { mode: "CW,SSTV" },
    { mode: "SSTV", sort: "mode" },
    { sort: "band" },
    { sort: "-band", mode: "CW", from: "2015-03-01", to: "2019-12-31" },
    { sort: "mode" },
    { sort: "-mode", station: "YU1TEST" },
    { mode: "CW", from: "2015-03-01", to: "2019-06-30" },
    { band: "160m", confirmation: "both,cardOnly" },
    { band: "70cm", mode: "FM", sort: "startedAt" },
    { group: "digital", confirmation: "none", sort: "-mode" },
    { dxcc: "291,none" },
    { dxcc: "291", band: "40m", confirmation: "any", sort: "dxcc" },
    { sort: "-dxcc" },
    { sort: "dxcc", band: "20m" },
    { q: "an" },
    { q: "ann", sort: "call" },
    { q: "ANN", band: "20m" },
    { q: "a", id: "1,5,9,200,201" },
    { q: "n", call: "K1A*,YU1*", sort: "call" },
  ];

  // Defence: nothing that is asked of a large log holds the others up
  test.each([
    ["by columns", figuresOfLog],
    ["by indexes, where no columns are valid", async () => {}],
  ])("is the list that one question gives, page by page, forwards and backwards: %s", async (_, prepare) => {
    const app = await testApp();
    await storeLog(app.db, app.bob.id, { contacts: 900, seed: 4 });
    await prepare(app.db, app.bob.id);
    const pageOf = ({ filter, sort }: Pick<QsoListing, "filter" | "sort">, place: QsoParameters) =>
      ({ filter, sort, limit: 40, ...place }) as QsoListing;
    for (const words of questions) {
      const { filter, sort } = parseListing(words);
      let known: qsoList.VersionedTotal | null = null;
      let place: QsoParameters = {};
      for (let page = 0; page < 4; page++) {
        const asked = { userId: app.bob.id, listing: pageOf({ filter, sort }, place) };
        const whole = await app.db.read(() => qsoList.pageWithTotal(asked));
        const found = await app.db.read(() => qsoList.pageByIndex({ ...asked, known }));
        if (found === null) {
          expect([filter.q, await app.db.read(() => logYears.find(app.bob.id))]).toEqual([expect.any(String), null]);
          break;
        }
        const { version, isWorn: _, ...rest } = found;
        expect([words, page, rest]).toEqual([words, page, whole]);
        known = page === 0 ? null : { version, total: rest.total };
        if (whole.nextCursor === null) break;
        place = page === 2 ? { before: whole.previousCursor! } : { cursor: whole.nextCursor };
      }
    }
  });

  test("counts once while the log stays as it is, and again when it has changed", async () => {
    const app = await testApp();
    await storeLog(app.db, app.bob.id, { contacts: 300, seed: 4 });
    const asked = { userId: app.bob.id, listing: parseListing({ mode: "CW" }) };
    const counted = (await app.db.read(() => qsoList.pageByIndex({ ...asked, known: null })))!;
    const made = { version: counted.version, total: 12_345 };

    expect((await app.db.read(() => qsoList.pageByIndex({ ...asked, known: made })))!.total).toBe(12_345);

    await app.db.write(() => users.raiseLogVersion(app.bob.id));
    expect((await app.db.read(() => qsoList.pageByIndex({ ...asked, known: made })))!.total).toBe(counted.total);
  });
});

// Defence: nothing that is asked of a large log holds the others up
describe("in a log of more than twenty thousand contacts", () => {
  const aLargeLog = async () => {
    const world = { ...(await testWorld({ thread: true })), ticks: () => 0 };
    const app = await testApp({ world });
    await storeLog(app.db, app.bob.id, { contacts: 300, seed: 3 });
    await app.db.write(
      () => run`INSERT INTO qsos (user_id, created_at, updated_at, call, started_at, year)
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
                SELECT ${app.bob.id}, 0, 0, 'K' || (i % 10) || 'ABC', i * 1000, 1970 FROM n`,
    );
    return app;
  };

  test("a search is answered from the second thread, or refused in words when its time is up", async () => {
    const app = await aLargeLog();
    const bob = await app.as(app.bob);
    let now = 0;
    const { columns: _, ...bare } = app;
    const slow = { ...bare, ticks: () => (now += 1_000) };
    const refused = await findPage(slow, app.bob.id, parseListing({ q: "k4abc" })).catch((error) => error);
    expect([refused.code, refused.rule]).toEqual(["unavailable", "search_too_long"]);
    const counted = await findPage(slow, app.bob.id, parseListing({ contest: "none-such" })).catch((error) => error);
    expect(counted.rule).toBe("search_too_long");
    const patient = { ...bare, ticks: () => 0 };
    expect((await findPage(patient, app.bob.id, parseListing({ contest: "none-such" }))).total).toBe(0);

    const found = await bob.get("/api/qsos?q=k3abc&sort=call&limit=2");
    expect([found.status, found.body.total, found.body.qsos.length]).toEqual([200, 6_000, 2]);
    expect((await bob.get("/api/qsos?limit=1")).body.total).toBe(60_300);
    expect((await bob.get("/api/qsos?q=a&cursor=abc")).body.error.fields[0].path).toBe("cursor");
  });

  test("the columns that a list found unpacked are packed behind the server, and answer the next at once", async () => {
    const app = await aLargeLog();
    const bob = await app.as(app.bob);
    const packed = async () => (await app.db.read(() => logYears.find(app.bob.id))) !== null;
    expect(await packed()).toBe(false);

    await bob.get("/api/qsos?contest=none-such");
    while (!(await packed())) await Bun.sleep(20);

    let now = 0;
    const slow = { ...app, ticks: () => (now += 1_000) };
    expect((await findPage(slow, app.bob.id, parseListing({ contest: "none-such" }))).total).toBe(0);
    expect((await bob.get("/api/qsos?call=*3ABC&limit=1")).body.total).toBe(6_000);
  });

  test("one user's searches stand in a line of their own, and the line ends", async () => {
    const app = await aLargeLog();
    const bob = await app.as(app.bob);

    const answers = await Promise.all(Array.from({ length: 6 }, () => bob.get("/api/qsos?q=nobody")));

    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 503, 503, 503, 503]);
    expect(answers.find(({ status }) => status === 503)!.headers.get("retry-after")).toBe("5");
  });
});
