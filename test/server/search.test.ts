import { describe, expect, test } from "bun:test";
import { parseListing, SORT_KEYS, type QsoParameters } from "../../src/domain/qso-filter.ts";
import type { Qso } from "../../src/domain/qso.ts";
import { findPage, inStretches } from "../../src/logbook/search.ts";
import * as qsoList from "../../src/storage/qso-list.ts";
import { run } from "../../src/storage/unit.ts";
import { testApp } from "../support/app.ts";
import { storeLog } from "../support/log-generator.ts";

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

// Defence: nothing that is asked of a large log holds the others up
describe("in a log of more than twenty thousand contacts", () => {
  const aLargeLog = async () => {
    const app = await testApp({ thread: true });
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

    const found = await bob.get("/api/qsos?q=k3abc&sort=call&limit=2");
    expect([found.status, found.body.total, found.body.qsos.length]).toEqual([200, 6_000, 2]);
    expect((await bob.get("/api/qsos?limit=1")).body.total).toBe(60_300);
    expect((await bob.get("/api/qsos?q=a&cursor=abc")).body.error.fields[0].path).toBe("cursor");

    let now = 0;
    const slow = { ...app, ticks: () => (now += 1_000) };
    const refused = await findPage(slow, app.bob.id, parseListing({ q: "k3abc" })).catch((error) => error);
    expect([refused.code, refused.rule]).toEqual(["unavailable", "search_too_long"]);
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
