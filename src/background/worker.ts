import { flatten, type BackgroundAnswer, type BackgroundTask } from "../storage/background-thread.ts";
import { performWork } from "../storage/database.ts";
import type { FileIdentity } from "../storage/file-identity.ts";
import { SqliteDatabase } from "../storage/sqlite.ts";
import { TIME } from "../time.ts";
import { BACKGROUND_WORK } from "./work.ts";

declare const self: Worker;

let database: SqliteDatabase | null = null;

const perform = async (db: SqliteDatabase, task: BackgroundTask): Promise<unknown> => {
  if (task.kind === "copy") return db.copyTo(task.file);
  if (task.kind === "checkpoint") return db.checkpoint();
  if (task.kind === "shorten") return db.shorten();
  if (task.kind === "analyze") return db.analyze();
  const work = BACKGROUND_WORK.find(({ name }) => name === task.name);
  if (!work) throw new Error(`no such work: ${task.name}`);
  return performWork(db, work, task.args as never);
};

self.onmessage = async ({
  data,
}: MessageEvent<{ file: string; identity: FileIdentity } | "stop" | ({ id: number } & BackgroundTask)>) => {
  if (data === "stop") {
    await database?.close();
    return process.exit();
  }
  let answer: BackgroundAnswer;
  if (!("id" in data)) {
    database = new SqliteDatabase(data.file, { time: TIME, openHere: data.identity });
    return;
  }
  try {
    answer = { id: data.id, value: await perform(database!, data) };
  } catch (error) {
    answer = { id: data.id, error: flatten(error) };
  }
  self.postMessage(answer);
};
