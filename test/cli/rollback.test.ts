import { expect, test } from "bun:test";
import { logOf, qrz, said, sync } from "../support/sync.ts";
import { uploaded } from "../sync/services.ts";
import { aCommandLine } from "./services.ts";

const DATABASE = "database: <data>/qsolog.db\n";

/**
 * A sync that failed after confirming one contact and adding another. The second service has updated the first contact
 * since.
 */
const aFailure = async () => {
  const line = await aCommandLine();
  const { world, bob } = line;
  await sync(world, bob.id, "file", [said("K1AAA", "2026-07-18 01:43", { MODE: "CW" })]);
  const before = await logOf(world, bob.id);
  for (const call of ["K1AAA", "K2BBB"]) uploaded(line, call);
  line.first.fail({ kind: "busy", nth: 2 });
  await line.qsolog(["sync", "first"]);
  return { ...line, before };
};

const WOULD_HAPPEN =
  "This would change: 1 QSO deleted, 1 QSO restored.\n" +
  "Deleted: 1\n  K2BBB  2026-07-18 01:43  20m  CW\nRestored: 1\n  K1AAA  2026-07-18 01:43  20m  CW\n";

test("--dry-run shows what would be done and changes nothing", async () => {
  const { qsolog, world, bob } = await aFailure();
  const before = await logOf(world, bob.id);

  expect(await qsolog(["rollback", "2", "--dry-run"])).toMatchObject({
    code: 0,
    out: WOULD_HAPPEN,
    err: "",
  });
  expect(JSON.parse((await qsolog(["rollback", "2", "--dry-run", "--json"])).out)).toEqual({
    deleted: 1,
    restored: 1,
    kept: [],
    keptTotal: 0,
    later: [],
    stopped: [],
    staying: 0,
    contacts: { deleted: [expect.anything()], restored: [expect.anything()], stays: [] },
  });
  expect(await logOf(world, bob.id)).toEqual(before);
});

test("without a terminal it needs --yes; then the log is restored, once", async () => {
  const { qsolog, world, bob, before } = await aFailure();

  expect(await qsolog(["rollback", "2"])).toMatchObject({
    code: 2,
    err: `${WOULD_HAPPEN}qsolog: Use --yes to confirm without a terminal.\n`,
  });
  const done = JSON.parse((await qsolog(["rollback", "2", "--yes", "--json"])).out);
  expect(done).toMatchObject({ job: { id: 2, status: "cancelled" }, rollback: { deleted: 1, restored: 1, kept: 0 } });
  expect(await logOf(world, bob.id)).toEqual(before);
  expect(await qsolog(["rollback", "2", "--yes", "--json"])).toMatchObject({
    code: 3,
    err: `{"error":{"code":"conflict","message":"This job has already been rolled back.","rule":"job_cancelled"}}\n`,
  });
});

test("it asks nothing if nothing would change", async () => {
  const line = await aCommandLine();
  line.first.fail({ kind: "maintenance" });
  await line.qsolog(["sync", "first"]);

  expect((await line.qsolog(["rollback", "1", "--dry-run"])).out).toBe("No QSOs would change.\n");
  expect(await line.qsolog(["rollback", "1"])).toMatchObject({
    code: 0,
    out: "Job 1 is rolled back: no QSOs changed.\n",
  });
});

test('in a terminal it shows the preview and asks; only "yes" confirms', async () => {
  const line = await aFailure();
  const { world, bob } = line;
  await sync(world, bob.id, "second", [qrz(7, "K1AAA", "2026-07-18 01:43", { MODE: "CW", APP_QRZLOG_STATUS: "C" })]);

  const no = line.inTerminal(["rollback", "2"]);
  await no.shows("1 QSO deleted, 1 QSO restored, 2 values kept.");
  await no.shows(`K1AAA: changed later by another source or by you`);
  await no.shows("Roll back job 2? Type yes: ");
  no.type("y\r");
  await no.shows("Cancelled. Nothing was changed.");
  expect(await no.exited).toBe(2);
  expect(await logOf(world, bob.id)).toHaveLength(2);

  const yes = line.inTerminal(["rollback", "2"]);
  await yes.shows("Roll back job 2? Type yes: ");
  yes.type("yes\r");
  await yes.shows("Job 2 is rolled back: 1 QSO deleted, 1 QSO restored, 2 values kept.");
  expect(await yes.exited).toBe(0);
  expect(await logOf(world, bob.id)).toMatchObject([{ call: "K1AAA", first: null, secondConfirmed: true }]);
});

test("it names later jobs that lose something, and how to get it back", async () => {
  const { qsolog, world, bob } = await aFailure();
  await sync(world, bob.id, "second", [qrz(7, "K2BBB", "2026-07-18 01:43", { MODE: "CW", APP_QRZLOG_STATUS: "C" })]);
  await sync(world, bob.id, "file", [said("K2BBB", "2026-07-18 01:43", { MODE: "CW", NAME: "Ann" })]);

  const { out } = await qsolog(["rollback", "2", "--dry-run"]);

  expect(out.split("\n").slice(1, 5)).toEqual([
    "  Job 3 (QRZ), which ran later, loses 1 QSO, 1 confirmation.",
    "  Job 4 (Import), which ran later, loses 1 QSO.",
    "  The next sync restores everything the service still has.",
    "  To restore them, import the file of job 4 again.",
  ]);
  const { later } = JSON.parse((await qsolog(["rollback", "2", "--dry-run", "--json"])).out);
  expect(later).toEqual([
    { jobId: 3, source: "second", deleted: 1, restored: 0, confirmations: 1 },
    { jobId: 4, source: "file", deleted: 1, restored: 0, confirmations: 0 },
  ]);
  expect(JSON.parse((await qsolog(["rollback", "2", "--yes", "--json"])).out).rollback.later).toEqual(later);
});

test("Ctrl-C at the question exits with 130 and changes nothing", async () => {
  const line = await aFailure();
  const asked = line.inTerminal(["rollback", "2"]);

  await asked.shows("Roll back job 2? Type yes: ");
  asked.type("\x03");

  expect(await asked.exited).toBe(130);
  expect(await logOf(line.world, line.bob.id)).toHaveLength(2);
});

test("a completed sync is refused with its rule, and --undo works for imports only", async () => {
  const line = await aCommandLine();
  await line.qsolog(["sync", "first"]);

  const { code, err } = await line.qsolog(["rollback", "1", "--yes", "--json"]);

  expect([code, JSON.parse(err.replace(DATABASE, "")).error.rule]).toEqual([3, "job_completed"]);
  expect((await line.qsolog(["rollback", "1", "--yes", "--undo"])).code).toBe(3);
  expect((await line.qsolog(["rollback", "9", "--yes"])).code).toBe(5);
});
