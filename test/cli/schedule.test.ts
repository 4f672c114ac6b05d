import { describe, expect, test } from "bun:test";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import { run, type Unit } from "../../src/storage/engine/unit.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { aWorld } from "../simulated/world.ts";
import { afterTest } from "../support/cleanup.ts";
import { aShellWithUsers } from "../support/qsolog.ts";

const aShellWithBob = () => aShellWithUsers({ username: "bob" });

const credentials = (qsolog: Awaited<ReturnType<typeof aShellWithBob>>) =>
  qsolog(["service", "set", "first", "--username", "yu1test", "--stdin"], { stdin: "secret words" });

const changed = async (qsolog: Awaited<ReturnType<typeof aShellWithBob>>, change: () => Unit<unknown>) => {
  const db = await openDatabase(await qsolog.databaseUrl(), { time: SYSTEM_TIME });
  await db.write(change);
  await db.close();
};

const UTC = /\d{4}-\d\d-\d\d \d\d:\d\d/;

test("the schedule is off until the user changes it", async () => {
  const qsolog = await aShellWithBob();

  const { code, out, err } = await qsolog(["schedule", "--user", "BOB"]);

  expect([code, err]).toEqual([0, ""]);
  expect(out).toBe("SERVICE  EVERY  LAST SYNC (UTC)  NEXT SYNC (UTC)\nLoTW     off    never\nQRZ      off    never\n");
  const untouched = { enabled: false, intervalHours: 24, lastSyncAt: null, nextSyncAt: null, paused: null };
  expect(JSON.parse((await qsolog(["schedule", "--json"])).out)).toEqual({ first: untouched, second: untouched });
});

test("a service is scheduled, rescheduled and switched off, and a missing account is reported", async () => {
  const qsolog = await aShellWithBob();

  const waiting = await qsolog(["schedule", "set", "first", "--every", "24h", "--user", "bob"]);
  expect([waiting.code, waiting.err]).toEqual([0, "database: <data>/qsolog.db\n"]);
  expect(waiting.out).toContain("LoTW     24 h   never            paused: not set up");
  await credentials(qsolog);
  const set = JSON.parse((await qsolog(["schedule", "set", "LoTW", "--every", "2d", "--json"])).out);
  expect(set.first).toMatchObject({ enabled: true, intervalHours: 48, nextSyncAt: expect.any(Number), paused: null });
  expect((await qsolog(["schedule"])).out).toMatch(new RegExp(`LoTW     48 h   never            ${UTC.source}`));
  const off = JSON.parse((await qsolog(["schedule", "set", "first", "--off", "--json"])).out);
  expect(off.first).toMatchObject({ enabled: false, intervalHours: 48, nextSyncAt: null });
});

test("times written by a wrong clock have a note", async () => {
  const qsolog = await aShellWithBob();
  await qsolog(["schedule", "set", "first", "--every", "6"]);
  await changed(qsolog, () => run`UPDATE auto_sync_settings SET first_last_sync_at = ${Date.UTC(2126, 0)}`);

  expect((await qsolog(["schedule"])).out).toContain("LoTW: The server's clock was or is wrong");
});

test("a pause because of rejected credentials shows the reason", async () => {
  const qsolog = await aShellWithBob();
  await credentials(qsolog);
  await qsolog(["schedule", "set", "first", "--every", "6"]);
  await changed(qsolog, () => run`UPDATE service_credentials SET state = 'rejected'`);

  expect((await qsolog(["schedule"])).out).toContain(
    "LoTW     6 h    never            paused: the service rejected your account",
  );
});

describe("wrong usage prints one line", () => {
  const wrong: [string[], number, string][] = [
    [["set", "third", "--off"], 2, 'There is no service "third". Use lotw or qrz.'],
    [["set", "first"], 2, "Use --every HOURS or --off."],
    [["set", "first", "--off", "--every", "3h"], 2, "Use --every HOURS or --off."],
    [["set", "first", "--every", "often"], 2, '--every "often" is not an interval such as 24h.'],
    [["set", "first", "--every", "0h"], 2, "Use --every with 1h to 720h."],
    [["set", "first", "--every", "721h"], 2, "Use --every with 1h to 720h."],
    [["--user", "nobody"], 5, "There is no user nobody."],
  ];
  test("on stderr, with its exit code", async () => {
    const qsolog = await aShellWithBob();

    for (const [words, code, message] of wrong) {
      const answer = await qsolog(["schedule", ...words]);
      expect([answer.code, answer.out, answer.err.split("\n").at(-2)]).toEqual([code, "", `qsolog: ${message}`]);
    }
  });
});

test("a sync on the command line moves the schedule", async () => {
  const { services, store } = aWorld();
  afterTest(() => services.stop());
  store.addUser({ login: "yu1cli", password: "secret words", calls: ["YU1CLI"] });
  const qsolog = await aShellWithBob();
  await qsolog(["service", "set", "first", "--username", "yu1cli", "--stdin"], { stdin: "secret words" });
  const before = JSON.parse((await qsolog(["schedule", "set", "first", "--every", "24h", "--json"])).out).first;
  expect([before.lastSyncAt, before.paused]).toEqual([null, null]);

  const { code } = await qsolog(["sync", "first"], {
    env: { QSOLOG_FIRST_URL: services.firstUrl, QSOLOG_PACE: "0" },
  });

  expect(code).toBe(0);
  const { lastSyncAt, nextSyncAt } = JSON.parse((await qsolog(["schedule", "--json"])).out).first;
  expect(nextSyncAt - lastSyncAt).toBeGreaterThanOrEqual(24 * 3_600_000);
  expect(nextSyncAt - lastSyncAt).toBeLessThanOrEqual(24 * 3_600_000 + 600_000);
});
