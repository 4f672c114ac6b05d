import { expect, test } from "bun:test";
import { LOOKS_EVERY_MS, LogWatcher } from "../../src/logbook/watch.ts";
import { feed } from "../../src/logbook/feeds.ts";
import { addContact } from "../../src/logbook/contacts.ts";
import { byOwner, type LogCaller } from "../../src/logbook/caller.ts";
import { said } from "../support/sync.ts";
import { testApp, type TestApp } from "../support/app.ts";
import * as users from "../../src/storage/people/users.ts";
import { aUser, ENGINE, testTime, testWorld, type TestWorld } from "../support/world.ts";

const tell = (app: TestApp, call: string) =>
  feed(app, byOwner(app.bob), {
    client: "WSJT-X",
    told: [{ kind: "contact", fields: said(call, "2026-08-01 11:58").fields }],
  });

const listening = async (app: TestApp, headers: Record<string, string> = {}) => {
  const { token } = await app.signIn(app.bob);
  const request = new Request("http://localhost/events", {
    headers: { cookie: `qsolog_session=${token}`, ...headers },
  });
  const response = await app.server.handle(request);
  const reader = response.body!.pipeThrough(new TextDecoderStream() as never).getReader();
  const next = async () => String((await reader.read()).value);
  return { response, next, leave: () => reader.cancel() };
};

test("a new contact is reported to open pages within a second, and missed changes immediately", async () => {
  const app = await testApp();
  const { response, next, leave } = await listening(app);
  const version = Number((await next()).match(/id: (\d+)/)![1]);

  await tell(app, "K1ABC");
  const told = await next();

  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(LOOKS_EVERY_MS).toBeLessThanOrEqual(500);
  expect(told).toMatch(/^id: \d+\nevent: changed\n/);
  await leave();
  expect(app.watch.size).toBe(0);
  const again = await listening(app, { "last-event-id": String(version) });
  await again.next();
  expect(await again.next()).toContain("event: changed");
  await again.leave();
});

test("changes of another user's log are not reported", async () => {
  const app = await testApp();
  const told: number[] = [];
  app.watch.follow(byOwner(app.eve), 0, (version) => told.push(version));

  await tell(app, "K1ABC");
  await app.watch.look();

  expect(told).toEqual([]);
});

test("without open pages nothing is read, and without changes nothing is sent", async () => {
  const time = testTime();
  const world = await testWorld({ time });
  const bob = await aUser(world, "bob");
  const asker: LogCaller = byOwner(bob);
  let reads = 0;
  const db = Object.assign(Object.create(world.db) as typeof world.db, {
    isShared: world.db.isShared,
    read: ((unit) => ((reads += 1), world.db.read(unit))) as typeof world.db.read,
  });
  const watch = new LogWatcher({ ...world, db });
  const told: number[] = [];

  time.pass(60_000);
  expect(reads).toBe(0);
  const leave = watch.follow(asker, 0, (version) => told.push(version));
  time.pass(LOOKS_EVERY_MS);
  await watch.look();
  expect([reads > 0, told]).toEqual([true, []]);

  await addContact(world, asker, { call: "K1ABC", startedAt: "2026-08-01 11:58", band: "20m", mode: "CW" });
  await watch.look();
  expect(told).toHaveLength(1);

  leave();
  const before = reads;
  time.pass(60_000);
  expect(reads).toBe(before);
});

test("a session that has ended gets no events", async () => {
  const app = await testApp();
  const { next } = await listening(app);
  await next();

  await (await app.as(app.bob)).delete("/api/me/sign-ins");
  await tell(app, "K1ABC");

  expect(await next()).toBe("undefined");
  expect(app.watch.size).toBe(0);
});

test("visitors and programs get no events", async () => {
  const app = await testApp();
  const { token } = await app.withToken(app.bob, "write");

  expect((await app.visitor.get("/events")).status).toBe(401);
  expect((await app.withBearer(token).get("/events")).body.error.rule).toBe("session_required");
});

test.skipIf(ENGINE !== "postgres")("changes by another instance are reported within a second", async () => {
  const app = await testApp();
  const world = await testWorld({ beside: app as unknown as TestWorld });
  const asker: LogCaller = byOwner(app.bob);
  const told: number[] = [];
  const version = await app.db.read(() => users.logVersion(app.bob.id));
  app.watch.follow(asker, version, (now) => told.push(now));
  await Bun.sleep(300);
  told.length = 0;
  const soon = async (count: number) => {
    for (const giveUpAt = Date.now() + 3_000; told.length < count && Date.now() < giveUpAt;) await Bun.sleep(20);
    return told;
  };

  const began = Date.now();
  await addContact(world, asker, { call: "K1ABC", startedAt: "2026-08-01 11:58", band: "20m", mode: "CW" });
  expect(await soon(1)).toEqual([version + 1]);
  expect(Date.now() - began).toBeLessThan(3_000);
  await addContact(world, byOwner(app.eve), {
    call: "K1ABC",
    startedAt: "2026-08-01 11:58",
    band: "20m",
    mode: "CW",
  });
  await Bun.sleep(2 * LOOKS_EVERY_MS);
  expect(told).toHaveLength(1);
});

test("open pages are disconnected when the server stops, and their number per user is limited", async () => {
  const app = await testApp();
  const asker: LogCaller = byOwner(app.bob);
  const { next } = await listening(app);
  await next();

  for (let n = 1; n < 30; n++) app.watch.follow(asker, 0, () => {});
  expect(() => app.watch.follow(asker, 0, () => {})).toThrow("Too many open tabs");
  await app.stop();

  expect(await next()).toBe("undefined");
  expect(app.watch.size).toBe(0);
  const later: number[] = [];
  app.watch.follow(asker, -1, (version) => later.push(version));
  await app.watch.look();
  expect([app.watch.size, later]).toEqual([0, []]);
});

test("the dashboard shows the last contact from a program, and what it added", async () => {
  const app = await testApp();
  await tell(app, "JA1ABC");
  const bob = await app.browser(app.bob);

  const { text } = await bob.get("/");
  const { jobs } = (await (await app.as(app.bob)).get("/api/jobs")).body;

  expect(text).toContain("Just logged");
  expect(text).toMatch(/JA1ABC[\s\S]*new entity, new zone 25[\s\S]*WSJT-X/);
  expect(jobs[0].latest).toMatchObject([{ call: "JA1ABC", entity: "Japan", news: ["new entity", "new zone 25"] }]);
  for (const path of ["/", "/log", "/jobs"]) expect((await bob.get(path)).text).toContain('hx-sse:connect="events"');
});
