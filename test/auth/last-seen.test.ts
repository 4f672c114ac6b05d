import { Database as Connection } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { MINUTE } from "../../src/kernel/clock.ts";
import * as users from "../../src/storage/people/users.ts";
import { testApp, type TestApp } from "../support/app.ts";
import { ENGINE, testTime, testWorld } from "../support/world.ts";

const storedFor = async ({ db }: TestApp, id: number) => (await db.read(() => users.get(id))).lastSeen;

test("it is empty until the first request of an account and written soon after", async () => {
  const app = await testApp();
  const bob = await app.as(app.bob);
  expect(await storedFor(app, app.bob.id)).toBeNull();

  await bob.get("/api/jobs");
  expect(await storedFor(app, app.bob.id)).toBeNull();
  while ((await storedFor(app, app.bob.id)) === null) await Bun.sleep(10);

  expect(await storedFor(app, app.bob.id)).toBe(app.clock());
  expect(await storedFor(app, app.eve.id)).toBeNull();
});

test("it is written 0.8 seconds after the first request, whatever arrives in between", async () => {
  const time = testTime();
  const app = await testApp({ world: await testWorld({ time }) });
  const bob = await app.as(app.bob);
  await bob.get("/api/jobs");
  time.pass(500);
  await bob.get("/api/jobs");

  time.pass(299);
  expect(await storedFor(app, app.bob.id)).toBeNull();
  time.pass(1);

  // A PostgreSQL server needs a moment.
  while ((await storedFor(app, app.bob.id)) === null) await Bun.sleep(1);
  expect(await storedFor(app, app.bob.id)).toBe(app.clock());
});

test("visitors and ended sessions do not count; refused requests do", async () => {
  const app = await testApp();
  const bob = await app.as(app.bob);
  await app.visitor.get("/api/jobs");
  await app.withBearer("nonsense").get("/api/jobs");
  await app.lastSeen.flush();
  expect(await storedFor(app, app.bob.id)).toBeNull();

  await bob.get("/api/admin/stats");
  await app.lastSeen.flush();

  expect(await storedFor(app, app.bob.id)).toBe(app.clock());
});

test("administrators and the user see it before it is written", async () => {
  const app = await testApp();
  const [ann, bob] = [await app.as(app.ann), await app.as(app.bob)];
  await bob.get("/api/jobs");

  expect((await bob.get("/api/me")).body.user.lastSeen).toBe(app.clock());
  const { users: listed } = (await ann.get("/api/admin/users?q=bob")).body;
  expect(listed[0].lastSeen).toBe(app.clock());
  expect((await ann.get("/api/admin/stats")).body).toMatchObject({ active24h: 2, active30d: 2 });
});

test("many users are written in one statement, with the latest time of each", async () => {
  // The clock stands still: on a slow machine some times would otherwise be written after the first rounds.
  const app = await testApp({ world: await testWorld({ time: testTime() }) });
  let statements = 0;
  const { write } = app.db;
  app.db.write = function <T>(unit: () => Generator<any, T, any>) {
    statements += 1;
    return write.call(app.db, unit) as Promise<T>;
  };
  const people = [await app.as(app.ann), await app.as(app.bob), await app.as(app.eve)];
  statements = 0;
  for (let round = 0; round < 20; round++) {
    app.clock.advance(1);
    for (const person of people) await person.get("/api/jobs");
  }
  await app.lastSeen.flush();

  expect(statements).toBe(1);
  for (const { id } of [app.ann, app.bob, app.eve]) expect(await storedFor(app, id)).toBe(app.clock());
});

test("a token and a session show when they were last used", async () => {
  const app = await testApp();
  const bob = await app.as(app.bob);
  const token = await app.withToken(app.bob, "read");
  app.clock.advance(MINUTE);
  await token.get("/api/jobs");
  app.clock.advance(MINUTE);
  await bob.get("/api/jobs");
  await app.lastSeen.flush();

  expect((await bob.get("/api/me/tokens")).body.tokens[0].lastUsedAt).toBe(app.clock() - MINUTE);
  expect((await bob.get("/api/me/sessions")).body.sessions[0].lastUsedAt).toBe(app.clock());
});

test("during an impersonation it counts for the administrator", async () => {
  const app = await testApp();
  const { body } = await (await app.as(app.ann)).post(`/api/admin/users/${app.bob.id}/impersonate`);
  app.clock.advance(MINUTE);

  await app.withBearer(body.token).get("/api/jobs");
  await app.lastSeen.flush();

  expect([await storedFor(app, app.bob.id), await storedFor(app, app.ann.id)]).toEqual([null, app.clock()]);
});

test("it is written when the server stops", async () => {
  const app = await testApp();
  await (await app.as(app.bob)).get("/api/jobs");

  await app.stop();
  await app.settle();

  expect(await storedFor(app, app.bob.id)).toBe(app.clock());
});

describe.skipIf(ENGINE !== "sqlite")("while another process holds the database", () => {
  test("reads are answered immediately, and it is written when the database is free", async () => {
    const app = await testApp({ world: await testWorld({ giveUpAfterMs: 50 }) });
    const bob = await app.browser(app.bob);
    app.clock.advance(2 * 86_400_000);
    const other = new Connection(app.config.databaseUrl);
    other.run("BEGIN IMMEDIATE");

    const answers = [await bob.get("/api/jobs"), await bob.get("/api/me"), await bob.get("/auto-sync/settings")];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await app.lastSeen.flush();
    const refused = await bob.put("/auto-sync/settings", { first: { enabled: true } });
    expect([refused.status, refused.body.error.code, refused.headers.get("retry-after")]).toEqual([
      503,
      "unavailable",
      "5",
    ]);

    other.run("ROLLBACK");
    other.close();
    await app.lastSeen.flush();
    expect(await storedFor(app, app.bob.id)).toBe(app.clock());
  });
});
