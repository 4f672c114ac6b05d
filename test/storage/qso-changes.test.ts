import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Layers } from "../../src/domain/contact/layers.ts";
import { derive, RULES_VERSION } from "../../src/domain/contact/derive.ts";
import { changeLog } from "../../src/storage/log/log-changes.ts";
import * as pruning from "../../src/storage/jobs/pruning.ts";
import * as qsoChanges from "../../src/storage/log/qso-changes.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { isFull } from "../support/full.ts";
import { CHEAP_FACTS } from "../support/log-records.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";

const NOW = Date.UTC(2026, 7, 1);

const CALL = fc.constantFrom("K1ABC", "OK6NUC", "JA1XYZ", "HB9Ä");
const FIELDS = fc
  .record(
    {
      NAME: fc.constantFrom("Ann", "Bob", "Zoë", "\u{1F4FB} radio", "a\u0002b"),
      BAND: fc.constantFrom("20m", "40m", "2m"),
      MODE: fc.constantFrom("CW", "SSB", "FT8"),
      COMMENT: fc.string(),
      GRIDSQUARE: fc.constantFrom("JN47", "KN04FT"),
    },
    { requiredKeys: [] },
  )
  .map((fields) => ({ ...fields, QSO_DATE: "20260101", TIME_ON: "1000" }));

const LAYERS: fc.Arbitrary<Layers> = fc
  .record({
    call: CALL,
    own: FIELDS,
    first: fc.option(fc.record({ qso: FIELDS, qsl: fc.option(FIELDS) })),
    second: fc.option(FIELDS),
  })
  .map(({ call, own, first, second }) => ({
    own: { file: { fields: { CALL: call, ...own } } },
    first: first && {
      qso: { fields: { CALL: call, ...first.qso } },
      ...(first.qsl && { qsl: { fields: { CALL: call, ...first.qsl, QSL_RCVD: "Y" } } }),
    },
    second: second && { record: { fields: { CALL: call, APP_QRZLOG_LOGID: "5", ...second } } },
  })) as fc.Arbitrary<Layers>;

const SNAPSHOT: fc.Arbitrary<qsos.Snapshot> = fc
  .record({
    layers: LAYERS,
    updatedAt: fc.integer({ min: NOW, max: NOW + 1e9 }),
    rules: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ layers, updatedAt, rules }) => ({
    createdAt: NOW,
    updatedAt,
    rulesVersion: rules,
    ...layers,
    ...derive(layers, CHEAP_FACTS)!,
  }));

type Act =
  | { kind: "job"; to: qsos.Snapshot; job: number }
  | { kind: "hand"; to: qsos.Snapshot }
  | { kind: "rules"; zone: number }
  | { kind: "marked" }
  | { kind: "goes"; byJob: number | null }
  | { kind: "prune"; job: number }
  | { kind: "prune pasts" };

const JOBS = 3;
const JOB = fc.nat(JOBS - 1);
const ACT: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("job" as const), to: SNAPSHOT, job: JOB }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("hand" as const), to: SNAPSHOT }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("rules" as const), zone: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.constant({ kind: "marked" as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("goes" as const), byJob: fc.option(JOB) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("prune" as const), job: JOB }) },
  { weight: 1, arbitrary: fc.constant({ kind: "prune pasts" as const }) },
);

interface ChangeTold {
  /** Null for an edit or a rollback. */
  job: number | null;
  before: qsos.Snapshot | null;
  after: qsos.Snapshot | null;
}

/** A contact and all its changes, with what each change must contain. */
class Life {
  qso: { id: number; now: qsos.Snapshot | null } | null = null;
  #told: ChangeTold[] = [];
  readonly #world: TestWorld;
  readonly #userId: number;
  readonly #jobs: readonly number[];

  constructor(world: TestWorld, userId: number, jobs: readonly number[]) {
    this.#world = world;
    this.#userId = userId;
    this.#jobs = jobs;
  }

  get told(): ChangeTold[] {
    return this.#told.filter(({ job }) => job !== null);
  }

  async live(act: Act): Promise<void> {
    const now = this.qso?.now ?? null;
    switch (act.kind) {
      case "job":
        return this.#change(now, act.to, act.job);
      case "hand":
        this.#told.push({ job: null, before: now, after: act.to });
        return this.#write(now, act.to, { cause: "hand", now: NOW });
      case "rules":
        if (now) await this.#write(now, { ...now, awardZone: act.zone }, "nobody");
        return;
      case "marked":
        if (!now) return;
        await this.#world.db.write(() => qsos.markDerived([this.qso!.id], RULES_VERSION + 7));
        this.qso!.now = { ...now, rulesVersion: RULES_VERSION + 7 };
        return;
      case "goes":
        if (!now) return;
        if (act.byJob !== null) return this.#change(now, null, act.byJob);
        this.#told.push({ job: null, before: now, after: null });
        return this.#write(now, null, { cause: "rollback", now: NOW });
      case "prune":
        await this.#world.db.write(() => pruning.removeChanges(this.#jobs[act.job]!, 1));
        this.#told = this.#told.filter(({ job }) => job !== act.job);
        return;
      case "prune pasts":
        await this.#world.db.write(() => pruning.removePasts(NOW + 1, 10_000));
        this.#told = this.told;
    }
  }

  async #change(now: qsos.Snapshot | null, to: qsos.Snapshot | null, job: number): Promise<void> {
    const last = this.#told.at(-1);
    // A job extends its change of the contact unless something else changed it since.
    const goesOn = last?.job === job && last.after !== null && (last.before !== null || to !== null);
    if (goesOn) last.after = to;
    else this.#told.push({ job, before: now, after: to });
    await this.#write(now, to, { jobId: this.#jobs[job]!, now: NOW });
  }

  async #write(
    now: qsos.Snapshot | null,
    to: qsos.Snapshot | null,
    by: Parameters<typeof changeLog>[2],
  ): Promise<void> {
    const own = { id: this.qso?.id ?? 0, userId: this.#userId };
    const change =
      to === null
        ? { removed: [{ ...now!, ...own }] }
        : now !== null
          ? { replaced: [{ id: own.id, before: now, after: to }] }
          : this.qso === null
            ? { added: [to] }
            : { broughtBack: [{ ...to, ...own }] };
    const ids = await this.#world.db.write(() => changeLog(this.#userId, change, by));
    this.qso = { id: this.qso?.id ?? ids[0]!, now: to };
  }
}

// Invariant: a change record reproduces the contact exactly
test("each change keeps what it did, even if the contact changes later", async () => {
  const world = await testWorld();
  let lives = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(ACT, { minLength: 1, maxLength: 12 }), async (acts) => {
      const { id: userId } = await aUser(world, `life${(lives += 1)}`);
      const jobs: number[] = [];
      for (let n = 0; n < JOBS; n++) {
        const { id } = await world.db.write(() =>
          syncJobs.create({ userId, source: (["first", "second", "file"] as const)[n]!, trigger: "manual" }, NOW),
        );
        jobs.push(id);
      }
      const life = new Life(world, userId, jobs);
      for (const act of acts) {
        await life.live(act);
        const kept = [];
        for (const jobId of jobs)
          kept.push(...(await world.db.read(() => qsoChanges.list(jobId, { afterId: 0, limit: 100 }))).changes);
        const found = kept
          .sort((a, b) => a.id - b.id)
          .map(({ before, after }) => [said(before), before?.updatedAt, said(after)]);
        expect(found).toEqual(life.told.map(({ before, after }) => [said(before), before?.updatedAt, said(after)]));
        if (life.qso) await agrees(world, life);
      }
    }),
    { numRuns: isFull(import.meta) ? 400 : 25 },
  );
}, 120_000);

const said = (state: Layers | null) => state && qsos.getLayers(state);

/** The contact must match its records, and its history its changes. */
const agrees = async ({ db }: TestWorld, { qso, told }: Life): Promise<void> => {
  const { id, now } = qso!;
  expect((await db.read(() => qsos.listByIds([id]))).map(qsos.getLayers)).toEqual(now ? [qsos.getLayers(now)] : []);
  const history = await db.read(() => qsoChanges.listHistory(id, CHEAP_FACTS));
  const byJobs = history.filter(({ cause }) => cause === "job").reverse();
  expect(byJobs.map(({ before, after }) => [before?.name, after?.name])).toEqual(
    told.map(({ before, after }) => [before?.name, after?.name]),
  );
};
