import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { NO_LAYERS } from "../../src/domain/contact/layers.ts";
import { listRecords } from "../../src/domain/contact/records.ts";
import * as adminActions from "../../src/storage/people/admin-actions.ts";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import * as qsoChanges from "../../src/storage/log/qso-changes.ts";
import * as records from "../../src/storage/log/records.ts";
import { one, run } from "../../src/storage/engine/unit.ts";
import { testApp, type Asker, type TestApp } from "../support/app.ts";
import { isFull } from "../support/full.ts";

interface List {
  name: string;
  asker: (app: TestApp) => Promise<Asker>;
  path: (app: TestApp) => string;
  rows: string;
  /** Adds a row, somewhere in the order. */
  add: (app: TestApp, place: number) => Promise<unknown>;
}

/** Times repeat, so that the order needs more than the time. */
const momentOf = (place: number): number => 1_000 + (place % 7);

const addJob = (app: TestApp, place: number, status = "completed") =>
  app.db.write(
    () => run`INSERT INTO sync_jobs (user_id, source, trigger_kind, status, created_at)
              VALUES (${app.bob.id}, 'file', 'manual', ${status}, ${momentOf(place)})`,
  );

const theJob = new WeakMap<TestApp, Promise<number>>();

const jobFor = (app: TestApp): Promise<number> => {
  const known =
    theJob.get(app) ??
    app.db.write(function* () {
      const row = yield* one<{ id: number }>`
      INSERT INTO sync_jobs (user_id, source, trigger_kind, status, created_at)
      VALUES (${app.bob.id}, 'file', 'manual', 'failed', 1) RETURNING id`;
      return row.id;
    });
  theJob.set(app, known);
  return known;
};

const addChange = async (app: TestApp, place: number) => {
  const job = await jobFor(app);
  const own = { typed: { CALL: `K${place}ABC`, QSO_DATE: "20260101", TIME_ON: "1200" } };
  await app.db.write(function* () {
    const update = {
      qsoId: place + 1,
      added: listRecords({ ...NO_LAYERS, own }),
      removed: [],
    };
    const ids = yield* records.write(app.bob.id, { jobId: job, now: 1 }, [update]);
    const changes = ids.map((one) => ({ ...one, kind: "added" as const, updatedBefore: null }));
    yield* qsoChanges.addMany(app.bob.id, { jobId: job, now: 1 }, changes);
  });
};

const addLeftover = async (app: TestApp, place: number) => {
  const job = await jobFor(app);
  await app.db.write(
    () => run`INSERT INTO sync_leftovers (user_id, job_id, source, kind, reason, part, record, candidates, created_at)
              VALUES (${app.bob.id}, ${job}, 'file', ${place % 2 ? "rejected" : "unmatched"}, 'why', 'record',
                      '{"fields":{}}', '[]', 1)`,
  );
};

const addUser = (app: TestApp, place: number) =>
  app.db.write(
    () => run`INSERT INTO users (username, password_hash, created_at, last_seen)
              VALUES (${`u${(place * 37) % 101}x${place}`}, '', ${momentOf(place)}, ${place % 3 ? momentOf(place) : null})`,
  );

const addAction = (app: TestApp, place: number) =>
  app.db.write(() => adminActions.record(momentOf(place), OPERATOR, "promote", { id: null, username: `u${place}` }));

const asBob = (app: TestApp) => app.as(app.bob);
const asAnn = (app: TestApp) => app.as(app.ann);
const usersBy = (sort: string): List => ({
  name: `users by ${sort}`,
  asker: asAnn,
  path: () => `/api/admin/users?sort=${sort}`,
  rows: "users",
  add: addUser,
});

const LISTS: List[] = [
  { name: "jobs", asker: asBob, path: () => "/api/jobs?source=file", rows: "jobs", add: addJob },
  { name: "changes", asker: asBob, path: () => "changes?", rows: "changes", add: addChange },
  { name: "leftovers", asker: asBob, path: () => "leftovers?", rows: "leftovers", add: addLeftover },
  { name: "actions", asker: asAnn, path: () => "/api/admin/actions?action=promote", rows: "actions", add: addAction },
  ...["username", "-username", "createdAt", "-createdAt", "lastSeen", "-lastSeen"].map(usersBy),
];

const addressOf = async (app: TestApp, { path }: List): Promise<string> => {
  const text = path(app);
  return text.startsWith("/") ? text : `/api/jobs/${await jobFor(app)}/${text}`;
};

const idsOf = (body: any, rows: string): number[] => body[rows].map(({ id }: { id: number }) => id);

// Invariant: pages of any list neither skip nor repeat a row
describe("when a list is read page by page while rows are added, each earlier row comes once", () => {
  const walk = fc.record({
    atFirst: fc.integer({ min: 0, max: 25 }),
    limit: fc.integer({ min: 1, max: 9 }),
    between: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 }),
  });
  test.each(LISTS.map((list) => [list.name, list] as const))("%s", async (_, list) => {
    await fc.assert(
      fc.asyncProperty(walk, async ({ atFirst, limit, between }) => {
        const app = await testApp();
        const asker = await list.asker(app);
        let place = 0;
        while (place < atFirst) await list.add(app, place++);
        const address = await addressOf(app, list);
        await app.lastSeen.flush();
        const there = idsOf((await asker.get(`${address}&limit=500`)).body, list.rows);

        const seen: number[] = [];
        let cursor = "";
        for (let page = 0; ; page++) {
          const { status, body } = await asker.get(`${address}&limit=${limit}${cursor}`);
          expect(status).toBe(200);
          expect(body[list.rows].length).toBeLessThanOrEqual(limit);
          seen.push(...idsOf(body, list.rows));
          if (body.nextCursor === null) break;
          cursor = `&cursor=${body.nextCursor}`;
          for (let n = between[page % between.length]!; n > 0 && place < 60; n--) await list.add(app, place++);
        }

        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.filter((id) => there.includes(id))).toEqual(there);
      }),
      { numRuns: isFull(import.meta) ? 60 : 6 },
    );
  });
});

describe("a cursor is valid only for its own list and question", () => {
  const question: [string, string, string][] = [
    ["of another filter", "/api/jobs?source=file", "/api/jobs?source=file&status=completed"],
    ["of another source", "/api/jobs?source=file", "/api/jobs"],
    ["of another list", "/api/jobs?source=file", "changes"],
    ["of another kind", "leftovers?", "leftovers?kind=rejected"],
    ["of another sort", "/api/admin/users?sort=username", "/api/admin/users?sort=-username"],
    ["of another search", "/api/admin/users?q=u", "/api/admin/users?q=x"],
    ["of other actions", "/api/admin/actions?action=promote", "/api/admin/actions?action=demote"],
  ];
  test.each(question)("%s", async (_, from, to) => {
    const app = await testApp();
    for (let n = 0; n < 4; n++) {
      for (const add of [addJob, addChange, addLeftover, addUser, addAction]) await add(app, n);
    }
    const asker = from.includes("admin") ? await asAnn(app) : await asBob(app);
    const job = await jobFor(app);
    const at = (path: string) => (path.startsWith("/") ? path : `/api/jobs/${job}/${path}`);
    const join = (path: string) => (path.includes("?") ? "&" : "?");
    const { body } = await asker.get(`${at(from)}${join(from)}limit=1`);
    expect(body.nextCursor).toBeString();

    const refused = await asker.get(`${at(to)}${join(to)}limit=1&cursor=${body.nextCursor}`);

    expect([refused.status, refused.body.error.fields[0].path]).toEqual([400, "cursor"]);
  });

  // Defence: forged page cursors are refused
  test("a modified cursor is refused", async () => {
    const app = await testApp();
    for (let n = 0; n < 3; n++) await addJob(app, n);
    const bob = await asBob(app);
    const { nextCursor } = (await bob.get("/api/jobs?limit=1")).body;
    const [mark, ...values] = JSON.parse(Buffer.from(nextCursor, "base64url").toString());

    for (const forged of [[], [values[0]], [...values, 1], ["x", "y"], [{}, []], [null, null], [values[0], true]]) {
      const cursor = Buffer.from(JSON.stringify([mark, ...forged])).toString("base64url");
      const { status } = await bob.get(`/api/jobs?limit=1&cursor=${cursor}`);
      expect([forged, status]).toEqual([forged, 400]);
    }
  });
});

test("the jobs come newest first, in pages, with the number of active ones", async () => {
  const app = await testApp();
  for (let n = 0; n < 25; n++) await addJob(app, n);
  await addJob(app, 3, "running");
  const bob = await asBob(app);

  const { jobs, active, nextCursor } = (await bob.get("/api/jobs")).body;

  expect([jobs.length, active, typeof nextCursor]).toEqual([20, 1, "string"]);
  const order = jobs.map(({ createdAt, id }: { createdAt: number; id: number }) => createdAt * 1_000 + id);
  expect(order).toEqual(order.toSorted((a: number, b: number) => b - a));
  expect((await bob.get("/api/jobs?status=running,pending")).body.jobs).toHaveLength(1);
  expect((await (await app.as(app.eve)).get("/api/jobs")).body).toEqual({ jobs: [], active: 0, nextCursor: null });
});

test("the total does not depend on the page", async () => {
  const app = await testApp();
  for (let n = 0; n < 9; n++) await addUser(app, n);
  const ann = await asAnn(app);

  const one = (await ann.get("/api/admin/users?limit=5")).body;
  const two = (await ann.get(`/api/admin/users?limit=5&cursor=${one.nextCursor}`)).body;

  expect([one.total, two.total, one.users.length, two.users.length]).toEqual([12, 12, 5, 5]);
});
