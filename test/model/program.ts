import { setCredentials } from "../../src/sync/source/credentials.ts";
import type { Service } from "../../src/domain/jobs/source.ts";
import { createUser } from "../../src/people/users.ts";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import { testApp, type Answer, type Asker } from "../support/app.ts";
import { STATION } from "../support/sync.ts";
import { PASSWORD, aLiveWorld } from "../sync/services.ts";

/** A document of a job, as the contract names its parts. */
export interface Job {
  id: number;
  source: string;
  status: string;
  stats: Record<string, number>;
  error: { code: string; message: string } | null;
}

/** A contact as an export in JSON lines has it. */
export interface Line {
  id: number;
  call: string;
  startedAt: number;
  band: string;
  mode: string;
  modeGroup: string;
  [field: string]: any;
}

export interface Leftover {
  id: number;
  kind: string;
  resolution: string | null;
  record: Record<string, string>;
}

/** The answers of the program about a log, as text. */
export interface Picture {
  log: string;
  statistics: string;
  awards: string;
}

export const AWARDS = ["dxcc", "was", "waz", "wpx"] as const;

/**
 * The real program with one user's log, and both services simulated. It is asked only over HTTP, so that the test does
 * not depend on how the log is stored.
 */
export const aProgram = async () => {
  const live = await aLiveWorld();
  const { world, services, book } = live;
  services.second.most = 20;
  const app = await testApp({ world, services: world.providers as never, empty: true });
  const owner = await createUser(world, OPERATOR, { username: "ann", password: PASSWORD, callsign: STATION });
  await setCredentials(world, owner.id, "first", { username: "yu1test", password: PASSWORD });
  await setCredentials(world, owner.id, "second", { apiKey: book.key, callsign: STATION });
  const ann = await app.withToken(owner, "write");
  let copies = 0;

  const done = (answer: Answer, ...expected: number[]): any => {
    if (expected.includes(answer.status)) return answer.body;
    throw new Error(`The program answered ${answer.status}: ${answer.text.slice(0, 400)}`);
  };
  const ended = async ({ id }: Pick<Job, "id">, who: Asker = ann): Promise<Job> => {
    for (;;) {
      const { job } = done(await who.get(`/api/jobs/${id}`), 200);
      if (job.status !== "pending" && job.status !== "running") return job;
      await Bun.sleep(3);
    }
  };
  /** The program answers 503 while it prepares the log of an earlier moment. */
  const asked = async (path: string, who: Asker): Promise<Answer> => {
    for (let tries = 0; ; tries++) {
      const answer = await who.get(path);
      if (answer.status !== 503 || tries > 5_000) {
        done(answer, 200);
        return answer;
      }
      await Bun.sleep(15);
    }
  };
  const exported = async (query = "", who: Asker = ann): Promise<string> =>
    (await asked(`/api/qsos/export${query}`, who)).text;
  const past = (asOf: number | undefined, sign: "?" | "&") => (asOf === undefined ? "" : `${sign}asOf=${asOf}`);
  /** Answers about the past have one more field than those about the present. */
  const document = async (path: string, who: Asker = ann): Promise<any> => {
    const { asOf: _, ...rest } = (await asked(path, who)).body;
    return rest;
  };
  const linesOf = (text: string): Line[] =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Line);
  const startedSync = async (service: Service, order: object): Promise<Job> =>
    ended(done(await ann.post(`/api/sync/${service}`, order), 202).job);

  return {
    world,
    services,
    store: services.store,
    book,
    clock: world.clock,
    log: async (asOf?: number) => exported(`?format=jsonl${past(asOf, "&")}`),
    lines: async () => linesOf(await exported("?format=jsonl")),
    exported,
    statistics: (asOf?: number) => document(`/api/stats${past(asOf, "?")}`),
    award: (id: string, asOf?: number) => document(`/api/awards/${id}${past(asOf, "?")}`),
    async picture(asOf?: number): Promise<Picture> {
      const log = await exported(`?format=jsonl${past(asOf, "&")}`);
      const statistics = await document(`/api/stats${past(asOf, "?")}`);
      const awards = await Promise.all(AWARDS.map((id) => document(`/api/awards/${id}${past(asOf, "?")}`)));
      return { log, statistics: JSON.stringify(statistics), awards: JSON.stringify(awards) };
    },
    sync: startedSync,
    import: async (text: string, dryRun = false): Promise<Job> =>
      ended(done(await ann.post(`/api/qsos/import${dryRun ? "?dryRun=true" : ""}`, text), 201).job),
    async feed(told: readonly object[], dryRun = false): Promise<{ jobId: number; taken: { outcome: string }[] }> {
      return done(await ann.post("/api/feed", { client: "n1mm", told, dryRun }), 200);
    },
    repair: async (order: object): Promise<Job> => ended(done(await ann.post("/api/repairs", order), 202).job),
    repairPreview: async (order: object) =>
      done(await ann.post("/api/repairs", { ...order, dryRun: true }), 200).preview,
    duplicates: async (): Promise<{ kind: string; contacts: Line[] }[]> =>
      done(await ann.get("/api/duplicates?limit=500"), 200).groups,
    merge: async (qsoId: number): Promise<Job> =>
      ended(done(await ann.post("/api/duplicates/merge", { qsoId }), 202).job),
    mergePreview: async (qsoId: number) =>
      done(await ann.post("/api/duplicates/merge", { qsoId, dryRun: true }), 200).preview,
    leftovers: async (jobId: number): Promise<Leftover[]> =>
      done(await ann.get(`/api/jobs/${jobId}/leftovers?limit=500`), 200).leftovers,
    dismiss: async (id: number): Promise<void> => done(await ann.delete(`/api/leftovers/${id}`), 204),
    settle: async (act: "match" | "new", leftover: object): Promise<Job> =>
      ended(done(await ann.post("/api/reconcile/settle", { act, leftovers: [leftover] }), 202).job),
    changes: async (jobId: number): Promise<{ qsoId: number; kind: string }[]> => {
      const all = [];
      for (let cursor = ""; ;) {
        const page = done(await ann.get(`/api/jobs/${jobId}/changes?limit=500${cursor}`), 200);
        all.push(...page.changes);
        if (page.nextCursor === null) return all;
        cursor = `&cursor=${page.nextCursor}`;
      }
    },
    takeBackPreview: async (jobId: number, undo: boolean) =>
      done(await ann.get(`/api/jobs/${jobId}/rollback${undo ? "?undo=true" : ""}`), 200),
    takeBack: async (jobId: number, undo: boolean) =>
      done(await (undo ? ann.post(`/api/jobs/${jobId}/undo`) : ann.delete(`/api/jobs/${jobId}`)), 200).rollback,
    add: async (typed: object): Promise<Line> => done(await ann.post("/api/qsos", typed), 201),
    edit: async (id: number, typed: object): Promise<Line> => done(await ann.patch(`/api/qsos/${id}`, typed), 200),
    delete: async (id: number): Promise<void> => done(await ann.delete(`/api/qsos/${id}`), 204),
    /** Imports a file into the empty log of another user. */
    async imported(text: string) {
      copies += 1;
      const user = await createUser(world, OPERATOR, {
        username: `copy${copies}`,
        password: PASSWORD,
        callsign: STATION,
      });
      const copy = await app.withToken(user, "write");
      await ended(done(await copy.post("/api/qsos/import", text), 201).job, copy);
      return {
        log: linesOf(await exported("?format=jsonl", copy)),
        statistics: await document("/api/stats", copy),
        awards: await Promise.all(AWARDS.map((id) => document(`/api/awards/${id}`, copy))),
      };
    },
  };
};

export type Program = Awaited<ReturnType<typeof aProgram>>;
