import {
  crashed,
  flatten,
  type BackgroundAnswer,
  type BackgroundMessage,
  type BackgroundTask,
  type JobEnded,
  type PreviewAnswer,
  type ThreadStart,
} from "../storage/engine/background-thread.ts";
import { runWork, withProgress } from "../storage/engine/database.ts";
import { SqliteDatabase } from "../storage/engine/sqlite.ts";
import { SECOND } from "../kernel/clock.ts";
import { SYSTEM_TIME } from "../kernel/time.ts";
import { JobLoop, type JobsOrder } from "./job-loop.ts";
import { BACKGROUND_WORK } from "./work.ts";

declare const self: Worker;

/** A preview between two slices. Its snapshot is a transaction on a connection of its own. */
interface Preview {
  db: SqliteDatabase;
  slices: Iterator<void, unknown>;
  /** How much of it is done, from 0 to 1. */
  share: number;
}

let start: ThreadStart | null = null;
let database: SqliteDatabase | null = null;
let jobs: JobLoop | null = null;
const previews = new Map<number, Preview>();

const open = ({ file, identity, isReadOnly }: ThreadStart) =>
  new SqliteDatabase(file, { time: SYSTEM_TIME, openHere: identity, isReadOnly });

const workNamed = (name: string) => {
  const work = BACKGROUND_WORK.find((one) => one.name === name);
  if (!work) throw new Error(`there is no work named ${name}`);
  return work;
};

const perform = async (db: SqliteDatabase, task: BackgroundTask): Promise<unknown> => {
  switch (task.kind) {
    case "copy":
      return db.copyTo(task.file);
    case "maintain":
      return db[task.call]();
    case "unit":
      return runWork(db, workNamed(task.name), task.args as never);
    case "preview":
      return beginPreview(task);
    case "resumePreview":
      return nextSlice(task.key);
    case "dropPreview":
      return endPreview(task.key);
    case "runJobs":
      return runJobs(
        new JobLoop(db, task.order as JobsOrder, (ended) => self.postMessage({ ended } satisfies JobEnded)),
      );
  }
};

/** Without a collection now and then the heap grows to 100 MB of garbage, and keeps it when the last job has ended. */
const COLLECT_EVERY = SECOND / 4;

const runJobs = async (loop: JobLoop): Promise<void> => {
  jobs = loop;
  const stopCollecting = SYSTEM_TIME.every(COLLECT_EVERY, () => Bun.gc(true));
  try {
    await loop.run();
  } finally {
    stopCollecting();
    jobs = null;
    Bun.gc(true);
  }
};

const hear = ({ kind }: BackgroundMessage): void => {
  if (kind === "look") jobs?.look();
  else if (kind === "stopJobs") jobs?.stop();
  else jobs?.reopenLog();
};

const beginPreview = async ({
  key,
  name,
  args,
}: Extract<BackgroundTask, { kind: "preview" }>): Promise<PreviewAnswer> => {
  const work = workNamed(name);
  const tools = await work.prepare?.(args);
  const db = open({ ...start!, isReadOnly: true });
  const unit = () => withProgress(work.unit(args, tools), (share) => (preview.share = share));
  const preview: Preview = { db, slices: db.readInSlices(unit), share: 0 };
  previews.set(key, preview);
  return nextSlice(key);
};

const nextSlice = async (key: number): Promise<PreviewAnswer> => {
  const preview = previews.get(key);
  // It started in a thread that has crashed since.
  if (!preview) throw crashed(true);
  try {
    const { done, value } = preview.slices.next();
    if (!done) return { isDone: false, share: preview.share };
    await endPreview(key);
    return { isDone: true, value };
  } catch (error) {
    await endPreview(key);
    throw error;
  }
};

const endPreview = async (key: number): Promise<void> => {
  const preview = previews.get(key);
  if (!preview) return;
  previews.delete(key);
  preview.slices.return?.();
  await preview.db.close();
};

type Message = ThreadStart | "stop" | BackgroundMessage | ({ id: number } & BackgroundTask);

self.onmessage = async ({ data }: MessageEvent<Message>) => {
  if (data === "stop") {
    for (const key of previews.keys()) await endPreview(key);
    await database?.close();
    return process.exit();
  }
  if ("file" in data && "identity" in data) {
    start = data;
    database = open(start);
    return;
  }
  if (!("id" in data)) return hear(data);
  let answer: BackgroundAnswer;
  try {
    answer = { id: data.id, value: await perform(database!, data) };
  } catch (error) {
    answer = { id: data.id, error: flatten(error) };
  }
  self.postMessage(answer);
  // Without this the heap keeps what several slices of large contacts read: 130 MB more.
  if (data.kind === "preview" || data.kind === "resumePreview") Bun.gc(true);
};
