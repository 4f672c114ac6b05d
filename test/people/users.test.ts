import { expect, test } from "bun:test";
import { ORIGIN_IDS } from "../../src/domain/origins/bits.ts";
import { createUser, deleteUser, finishDeletions, resetPassword } from "../../src/people/users.ts";
import { verifyPassword } from "../../src/auth/passwords.ts";
import { OPERATOR, type Actor } from "../../src/domain/people/actor.ts";
import * as adminActions from "../../src/storage/people/admin-actions.ts";
import { insertForIds, insertMany, many, one, run, type Unit } from "../../src/storage/engine/unit.ts";
import * as deletedUsers from "../../src/storage/people/deleted-users.ts";
import * as users from "../../src/storage/people/users.ts";
import { aUser, ENGINE, NOON, testWorld, type TestWorld } from "../support/world.ts";

const rowsOf = (table: string) =>
  function* (): Unit<number> {
    const found = yield* many<{
      n: number;
    }>`SELECT CAST(count(*) AS BIGINT) AS n FROM ${{ strings: [table], values: [] }}`;
    return found[0]!.n;
  };

/** Gives a user a log with a job, changes, leftovers, tombstones, sessions and tokens. */
const aLogFor = (userId: number, size: number) =>
  function* (): Unit<number> {
    const job = yield* one<{ id: number }>`
      INSERT INTO sync_jobs (user_id, source, trigger_kind, status, created_at)
      VALUES (${userId}, 'first', 'manual', 'running', ${NOON}) RETURNING id`;
    const rows = Array.from({ length: size }, (_, n) => ({
      userId,
      createdAt: NOON,
      updatedAt: NOON,
      call: `K${n}ABC`,
      startedAt: NOON - n * 1000,
      year: 2026,
      recordedBy: 1,
      confirmedBy: 0,
    }));
    const added = yield* insertForIds("qsos", rows);
    const change = { userId, jobId: job.id, cause: "job", changeType: "added", afterData: "[]", createdAt: NOON };
    yield* insertMany(
      "qso_changes",
      added.map((qsoId) => ({ ...change, qsoId })),
    );
    const record = { userId, origin: ORIGIN_IDS.own, recordKey: "typed", receivedAt: NOON, record: "{}" };
    yield* insertMany(
      "records",
      added.map((qsoId) => ({ ...record, qsoId })),
    );
    yield* run`INSERT INTO sync_leftovers (user_id, job_id, source, kind, reason, part, record, created_at)
               VALUES (${userId}, ${job.id}, 'first', 'rejected', 'no call', 'qsl', '{}', ${NOON})`;
    yield* run`INSERT INTO qso_tombstones (user_id, deleted_at, call, started_at)
               VALUES (${userId}, ${NOON}, 'K1ABC', ${NOON})`;
    yield* run`INSERT INTO sessions (id, user_id, created_at, expires_at, last_used_at)
               VALUES (${`s${userId}`}, ${userId}, ${NOON}, ${NOON}, ${NOON})`;
    yield* run`INSERT INTO api_tokens (user_id, name, scope, token_hash, created_at)
               VALUES (${userId}, 'x', 'read', ${`h${userId}`}, ${NOON})`;
    return job.id;
  };

const OWNED = [
  "qsos",
  "records",
  "qso_changes",
  "sync_jobs",
  "sync_leftovers",
  "qso_tombstones",
  "sessions",
  "api_tokens",
];

const leftOf = async ({ db }: TestWorld) => Promise.all(OWNED.map((table) => db.read(rowsOf(table))));

// Defence: passwords are hashed with argon2id, at most two at the same time
test("a new user's name is stored in lower case, the callsign in upper case, and the password as a hash", async () => {
  const world = await testWorld();

  const user = await createUser(world, OPERATOR, {
    username: " Bob.Smith ",
    password: "correct horse battery",
    callsign: "yu1x/p",
    email: "bob@example.org",
  });

  expect(user).toEqual({
    id: user.id,
    username: "bob.smith",
    callsign: "YU1X/P",
    email: "bob@example.org",
    role: "user",
    isAdmin: false,
    lastSeen: null,
    createdAt: NOON,
  });
  const { passwordHash: hash } = (await world.db.read(() => users.findForSignIn(user.username)))!;
  expect(hash).toStartWith("$argon2id$");
  expect(await verifyPassword(world, "correct horse battery", hash)).toBe(true);
  expect(await verifyPassword(world, "correct horse batterY", hash)).toBe(false);
});

test("all problems of a new user are reported together", async () => {
  const world = await testWorld();

  const refused = createUser(world, OPERATOR, { username: "-", password: "short", callsign: "??", email: "x" });

  expect(refused).rejects.toMatchObject({
    code: "invalid",
    fields: [{ path: "username" }, { path: "password" }, { path: "callsign" }, { path: "email" }],
  });
  await refused.catch(() => {});
  expect(await world.db.read(() => users.count())).toBe(0);
});

test("a taken name is refused in any case, and the refusal is recorded", async () => {
  const world = await testWorld();
  await aUser(world, "bob");

  const again = createUser(world, OPERATOR, { username: "BOB", password: "correct horse battery" });

  expect(again).rejects.toMatchObject({ code: "conflict", rule: "name_taken" });
  await again.catch(() => {});
  const { actions } = await world.db.read(() => adminActions.list({ limit: 1 }));
  expect(actions[0]).toMatchObject({ action: "create_user", target: "bob", details: { refused: "name_taken" } });
});

test("setting a password ends the user's sessions", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  await world.db.write(aLogFor(bob.id, 1));

  await resetPassword(world, OPERATOR, "bob", "another long password");

  expect(await world.db.read(rowsOf("sessions"))).toBe(0);
  const { passwordHash: hash } = (await world.db.read(() => users.findForSignIn("bob")))!;
  expect(await verifyPassword(world, "another long password", hash)).toBe(true);
});

// Invariant: deleting a user deletes that user's data and nothing else
test("deleting a user removes all their data, no data of others, and keeps the entry in the action log", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const eve = await aUser(world, "eve");
  await world.db.write(aLogFor(bob.id, 4_500));
  await world.db.write(aLogFor(eve.id, 10));

  await deleteUser(world, OPERATOR, "bob");

  expect(await leftOf(world)).toEqual([10, 10, 10, 1, 1, 1, 1, 1]);
  expect((await world.db.read(() => users.list())).map(({ username }) => username)).toEqual(["eve"]);
  const { actions } = await world.db.read(() => adminActions.list({ limit: 1 }));
  expect(actions[0]).toMatchObject({ admin: "operator", action: "delete_user", target: "bob" });
});

test("the name is free immediately, and a new account has no data of the old one", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  await world.db.write(aLogFor(bob.id, 5));
  await world.db.write(() => deletedUsers.markDeleted(bob.id, NOON));

  const other = await aUser(world, "bob");

  expect(other.id).not.toBe(bob.id);
  expect(await world.db.read(() => users.find(bob.id))).toBeNull();
  expect(await world.db.read(rowsOf("sessions"))).toBe(0);
});

test("deleting oneself is refused, and so is deleting an administrator", async () => {
  const world = await testWorld();
  const ann = await aUser(world, "ann", "admin");
  await aUser(world, "root", "admin");
  const asAnn: Actor = { id: ann.id, name: "ann", via: "web" };

  const refusals = await Promise.allSettled([
    deleteUser(world, asAnn, ann.id),
    deleteUser(world, asAnn, "root"),
    deleteUser(world, OPERATOR, "ann"),
  ]);

  expect(refusals.map((refusal) => refusal.status === "rejected" && refusal.reason.rule)).toEqual([
    "self_delete",
    "target_is_admin",
    "target_is_admin",
  ]);
  expect(await world.db.read(() => users.count())).toBe(2);
});

test("an interrupted deletion is finished at the next start", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  await world.db.write(aLogFor(bob.id, 50));
  await world.db.write(() => deletedUsers.markDeleted(bob.id, NOON));
  await world.db.write(() => deletedUsers.removeSlice({ userId: bob.id, rows: 20 }));

  await finishDeletions(world);

  expect(await leftOf(world)).toEqual(OWNED.map(() => 0));
  expect(await world.db.read(deletedUsers.listDeleted)).toEqual([]);
});

// Invariant: an interrupted deletion is finished later
test.skipIf(ENGINE !== "sqlite")("a killed deletion is finished by the next server", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  await world.db.write(aLogFor(bob.id, 40_000));
  const env = { ...process.env, QSOLOG_DATA_DIR: world.dataDir };
  const deleting = Bun.spawn(["bun", "cli/main.ts", "user", "delete", "bob", "--yes"], {
    env,
    stdio: ["ignore", "ignore", "ignore"],
  });
  while ((await world.db.read(deletedUsers.listDeleted)).length === 0) await Bun.sleep(1);
  deleting.kill("SIGKILL");
  await deleting.exited;
  expect(await world.db.read(rowsOf("qsos"))).toBeGreaterThan(0);

  await finishDeletions(world);

  expect(await leftOf(world)).toEqual(OWNED.map(() => 0));
});
