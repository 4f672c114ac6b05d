import { describe, expect, test } from "bun:test";
import { byOwner } from "../../src/logbook/caller.ts";
import { createHmac } from "node:crypto";
import { DAY, HOUR, MINUTE } from "../../src/kernel/clock.ts";
import { NOTICE_EVENTS, type NoticeEvent } from "../../src/domain/people/notice.ts";
import { SyncError } from "../../src/domain/jobs/provider.ts";
import { sendDueNotices } from "../../src/notices/send-due.ts";
import { addTarget, listTargets, type TargetOrder } from "../../src/logbook/notices.ts";
import { changeSchedule } from "../../src/logbook/schedule.ts";
import { deleteUser } from "../../src/people/users.ts";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import { many } from "../../src/storage/engine/unit.ts";
import { testApp, type TestApp } from "../support/app.ts";
import { logOf, lotw, said, sync } from "../support/sync.ts";
import { aListener, LOCAL } from "./listener.ts";

const AT = "2026-07-18 01:43";

const anApp = () => testApp({ env: { ...LOCAL, QSOLOG_BASE_URL: "https://log.example.org/qso" } });

const told = (
  app: TestApp,
  url: string,
  events: readonly NoticeEvent[] = NOTICE_EVENTS,
  more: Partial<TargetOrder> = {},
) => addTarget(app, byOwner(app.bob), { kind: "webhook", url, events, ...more });

const waiting = (app: TestApp) => app.db.read(() => many<{ body: string }>`SELECT body FROM notices ORDER BY id`);
const standing = async (app: TestApp) => (await listTargets(app, byOwner(app.bob))).targets;

describe("which notifications are sent", () => {
  test("a job reports what is new by name, and how many records it left unmatched", async () => {
    const app = await anApp();
    const hook = aListener();
    await told(app, `${hook.url}/hook`);

    const job = await sync(app, app.bob.id, "file", [said("K1AAA", AT, { DXCC: "291", BAND: "17M" }), said("", AT)]);
    expect(await sendDueNotices(app)).toEqual({ sent: 2, failed: 0 });

    expect(hook.received.map(({ body }) => [body.event, body.title, body.text])).toEqual([
      ["new_worked", "Newly worked: 1 entity, 1 band, 1 zone", expect.stringContaining("1 entity: United States")],
      [
        "leftovers",
        "Import: 1 record unresolved",
        `qsolog could not match 1 record of job ${job.id} with a QSO. Decide yourself on the page of the job.`,
      ],
    ]);
    expect(hook.received[0]!.body).toEqual({
      id: expect.any(Number),
      at: app.clock(),
      event: "new_worked",
      title: expect.any(String),
      text: expect.any(String),
      gains: { entities: [291], bands: ["17m"], states: [], zones: [expect.any(Number)], grids: [] },
      user: "bob",
      callsign: null,
      job: { id: job.id, source: "file" },
      link: `https://log.example.org/qso/jobs/${job.id}`,
    });
    expect(await waiting(app)).toEqual([]);
    expect(await standing(app)).toMatchObject([{ waiting: 0, problem: null, lastSentAt: app.clock() }]);
  });

  test("confirmations are reported, and a job without anything new is not", async () => {
    const app = await anApp();
    const hook = aListener();
    await sync(app, app.bob.id, "file", [said("K1AAA", AT, { DXCC: "291" })]);
    await told(app, hook.url);

    await sync(app, app.bob.id, "first", [lotw("K1AAA", AT, { DXCC: "291" })]);
    await sync(app, app.bob.id, "first", [lotw("K1AAA", AT, { DXCC: "291" })]);
    await sendDueNotices(app);

    expect(hook.received.map(({ body }) => body.event)).toEqual(["new_confirmed"]);
  });

  test("a contact from a program is reported immediately, also an unmatched one", async () => {
    const app = await anApp();
    const hook = aListener();
    await told(app, hook.url);
    const feed = (call: string) =>
      app.feeds.take({
        userId: app.bob.id,
        client: "WSJT-X",
        trigger: "manual",
        told: [{ kind: "contact", fields: said(call, AT, { DXCC: "296", BAND: "17M" }).fields }],
      });

    const { jobId } = await feed("YU1AAA");
    await feed("YU1AAA");
    await feed("");
    await sendDueNotices(app);

    expect(hook.received.map(({ body }) => [body.event, body.job])).toEqual([
      ["new_worked", { id: jobId, source: "feed" }],
      ["leftovers", { id: jobId, source: "feed" }],
    ]);
  });

  test("only selected events are sent, only to the owner, and none for a dry run", async () => {
    const app = await anApp();
    const hook = aListener();
    await told(app, hook.url, ["sync_failed"]);
    await addTarget(app, byOwner(app.eve), { kind: "webhook", url: hook.url, events: NOTICE_EVENTS });

    await sync(app, app.bob.id, "file", [said("K1AAA", AT, { DXCC: "291" })]);
    await sync(app, app.eve.id, "file", [said("K1AAA", AT, { DXCC: "291" })], { dryRun: true });

    expect(await waiting(app)).toEqual([]);
  });

  test("a failing scheduled sync is reported once, and again when it is paused", async () => {
    const app = await anApp();
    await told(app, "https://hooks.example.org/x");
    await app.credentialsFor(app.bob, "first");
    await changeSchedule(app, byOwner(app.bob), { first: { enabled: true, intervalHours: 24 } });
    const titles = async () => (await waiting(app)).map(({ body }) => JSON.parse(body).title);
    const tick = async () => {
      await app.scheduler.tick(app.clock());
      await app.runner.idle();
      await app.scheduler.idle();
      app.clock.advance(2 * HOUR);
    };

    app.first.fails = new SyncError("network", "LoTW cannot be reached.");
    await tick();
    await tick();
    expect(await titles()).toEqual(["LoTW: sync failed"]);
    app.first.fails = new SyncError("auth_failed", "LoTW rejected the username or password.");
    await tick();

    expect(await titles()).toEqual(["LoTW: sync failed", "LoTW: sync failed and paused"]);
    expect(JSON.parse((await waiting(app))[1]!.body)).toMatchObject({
      event: "sync_failed",
      paused: true,
      text:
        "LoTW rejected the username or password. Scheduled syncs are paused until you enter your LoTW account " +
        "again.",
    });
  });
});

describe("how notifications are sent", () => {
  // Defence: webhook requests are signed, including their time
  test("a webhook can verify sender and time with its key", async () => {
    const app = await anApp();
    const hook = aListener();
    const { key } = await told(app, `${hook.url}/a?b=c`);
    await sync(app, app.bob.id, "file", [said("K1AAA", AT, { DXCC: "291" })]);

    await sendDueNotices(app);

    const [{ method, path, headers, text, body }] = hook.received as [(typeof hook.received)[0]];
    const at = headers.get("x-qsolog-timestamp");
    const mac = createHmac("sha256", key!).update(`${at}.${text}`).digest("hex");
    expect(key).toMatch(/^whsec_[\w-]{43}$/);
    expect([method, path]).toEqual(["POST", "/a?b=c"]);
    expect(headers.get("x-qsolog-signature")).toBe(`sha256=${mac}`);
    expect(headers.get("x-qsolog-delivery")).toBe(String(body.id));
    expect(headers.get("x-qsolog-event")).toBe("new_worked");
  });

  test("ntfy gets topic, title, text, link and access token", async () => {
    const app = await anApp();
    const server = aListener();
    await told(app, `${server.url}/below/my-log`, ["new_worked"], { kind: "ntfy", token: "tk_secret" });
    const job = await sync(app, app.bob.id, "file", [said("YU1ŠĐ", AT, { DXCC: "296" })]);

    await sendDueNotices(app);

    const [{ path, headers, body }] = server.received as [(typeof server.received)[0]];
    expect([path, headers.get("authorization")]).toEqual(["/below", "Bearer tk_secret"]);
    expect(body).toEqual({
      topic: "my-log",
      title: expect.stringContaining("Newly worked"),
      message: expect.stringContaining("Serbia"),
      tags: ["satellite"],
      click: `https://log.example.org/qso/jobs/${job.id}`,
    });
  });

  test("a failure is retried later, in order and with the same id, until the target works again", async () => {
    const app = await anApp();
    let isDown = true;
    const hook = aListener(() => new Response("", { status: isDown ? 500 : 204 }));
    const events: unknown[] = [];
    const log = {
      ...app.log,
      warn: (...line: unknown[]) => events.push(line),
      info: (...line: unknown[]) => events.push(line),
    };
    await told(app, hook.url, ["new_worked"]);
    await sync(app, app.bob.id, "file", [said("K1AAA", AT, { DXCC: "291" })]);
    await sync(app, app.bob.id, "file", [said("JA1AAA", AT, { DXCC: "339" })]);
    const tries: number[] = [];
    for (let minute = 0; minute < 190; minute++) {
      if ((await sendDueNotices({ ...app, log })).failed > 0) tries.push(minute);
      app.clock.advance(MINUTE);
    }
    expect(tries).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
    expect(await standing(app)).toMatchObject([{ problem: "127.0.0.1 answered 500.", waiting: 2, lastSentAt: null }]);

    isDown = false;
    app.clock.advance(1 * HOUR);
    const tried = tries.length;
    expect(await sendDueNotices({ ...app, log })).toEqual({ sent: 2, failed: 0 });

    const ids = hook.received.map(({ body }) => body.id);
    expect(new Set(ids.slice(0, tried + 1)).size).toBe(1);
    expect(ids.at(-1)).toBeGreaterThan(ids[0]);
    expect(await standing(app)).toMatchObject([{ problem: null, waiting: 0 }]);
    expect(events[0]).toEqual([
      "notice.failed",
      { target: 1, host: expect.stringMatching(/^127.0.0.1:/), reason: "127.0.0.1 answered 500.", failures: 1 },
    ]);
    expect(events.at(-1)).toEqual([
      "notice.sent",
      { notice: ids.at(-1), what: "new_worked", target: 1, host: expect.any(String) },
    ]);
  });

  test("notifications that fail for a day are dropped, and the newest is still sent", async () => {
    const app = await anApp();
    const hook = aListener();
    await told(app, hook.url, ["new_worked"]);
    await sync(app, app.bob.id, "file", [said("K1AAA", AT, { DXCC: "291" })]);
    app.clock.advance(1 * DAY + 1);
    await sync(app, app.bob.id, "file", [said("JA1AAA", AT, { DXCC: "339" })]);

    expect(await sendDueNotices(app)).toEqual({ sent: 1, failed: 0 });

    expect(hook.received.map(({ body }) => body.gains.entities)).toEqual([[339]]);
  });

  test("two processes on one database send each notification once", async () => {
    const app = await anApp();
    const hook = aListener(async () => {
      await Bun.sleep(20);
      return new Response();
    });
    for (let count = 0; count < 5; count++) await told(app, `${hook.url}/${count}`, ["new_worked"]);
    await sync(app, app.bob.id, "file", [said("K1AAA", AT, { DXCC: "291" })]);

    const [one, other] = await Promise.all([sendDueNotices(app), sendDueNotices(app)]);

    expect(one.sent + other.sent).toBe(5);
    expect(hook.received.map(({ path }) => path).sort()).toEqual(["/0", "/1", "/2", "/3", "/4"]);
  });

  // Invariant: a notification target that does not answer delays no sync and no other target
  test("a hanging target delays neither a tick, a sync, another target, nor the stop", async () => {
    const app = await anApp();
    const hanging = aListener(() => new Promise<Response>(() => {}));
    const quick = aListener();
    await told(app, hanging.url);
    await told(app, quick.url);
    await sync(app, app.bob.id, "file", [said("K1AAA", AT, { DXCC: "291" })]);
    const began = performance.now();

    await app.scheduler.tick(app.clock());
    await sync(app, app.bob.id, "file", [said("K2AAA", AT, { DXCC: "291" })]);
    while ((await standing(app))[1]!.waiting > 0) {
      await app.scheduler.tick(app.clock());
      // The response arrives over a socket, which needs the event loop.
      await Bun.sleep(1);
    }
    await app.scheduler.stop();

    expect(performance.now() - began).toBeLessThan(5_000);
    expect(await logOf(app, app.bob.id)).toHaveLength(2);
    expect(await standing(app)).toMatchObject([{ waiting: 1, problem: null }, { waiting: 0 }]);
    expect(await sendDueNotices({ ...app, deadline: () => AbortSignal.timeout(50) })).toEqual({ sent: 0, failed: 1 });
    expect(await standing(app)).toMatchObject([
      { problem: "Could not reach 127.0.0.1: no answer within 10 seconds." },
      {},
    ]);
  });

  test("a deleted user's targets are removed immediately", async () => {
    const app = await anApp();
    await told(app, "https://hooks.example.org/x");
    await sync(app, app.bob.id, "file", [said("K1AAA", AT, { DXCC: "291" })]);

    await deleteUser(app, OPERATOR, app.bob.id);

    expect(await waiting(app)).toEqual([]);
  });
});
