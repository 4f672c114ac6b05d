import { expect, test } from "bun:test";
import { run } from "../../src/storage/engine/unit.ts";
import { testApp } from "../support/app.ts";
import { storeLog } from "../support/log-generator.ts";

// Defence: requests about a large log do not delay other users
test("lists of more than twenty thousand contacts are read in a thread while other requests continue", async () => {
  const app = await testApp({ thread: true });
  await storeLog(app.db, app.bob.id, { contacts: 300, seed: 3 });
  await app.db.write(
    () => run`INSERT INTO qsos (user_id, created_at, updated_at, call, started_at, year, recorded_by, confirmed_by)
              WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
              SELECT CAST(${app.bob.id} AS BIGINT), 0, 0, 'K' || (i % 10) || 'ABC', i * 1000, 1970, 0, 0 FROM n`,
  );
  const bob = await app.as(app.bob);

  const found = await bob.get("/api/qsos?q=k3abc&sort=call&limit=2");
  expect([found.status, found.body.total, found.body.qsos.length]).toEqual([200, 6_000, 2]);
  const next = await bob.get(`/api/qsos?q=k3abc&sort=call&limit=2&cursor=${found.body.nextCursor}`);
  expect([next.body.total, next.body.qsos.length]).toEqual([6_000, 2]);
  expect((await bob.get("/api/qsos?limit=1")).body.total).toBe(60_300);
  expect((await bob.get("/api/qsos?contest=none-such")).body.total).toBe(0);
  expect((await bob.get("/api/qsos?q=a&cursor=abc")).body.error.fields[0].path).toBe("cursor");

  let beats = 0;
  const heart = setInterval(() => (beats += 1), 1);
  await Promise.all(["a", "1", "zz"].map((q) => bob.get(`/api/qsos?q=${q}&sort=-updatedAt`)));
  clearInterval(heart);
  expect(beats).toBeGreaterThan(5);
}, 30_000);
