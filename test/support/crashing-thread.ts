import type { BackgroundTask } from "../../src/storage/engine/background-thread.ts";

declare const self: Worker;

/** A thread that exits on request and otherwise returns the name of the work. */
self.onmessage = ({ data }: MessageEvent<object | "stop" | ({ id: number } & BackgroundTask)>) => {
  if (data === "stop") return process.exit();
  if (typeof data === "string" || !("id" in data)) return;
  if (data.kind === "runJobs") return process.exit(1);
  if (data.kind !== "unit") return;
  const { id, name } = data;
  if (name === "exit") return process.exit(1);
  if (name === "throw") setTimeout(() => Promise.reject(new Error("lost")));
  else self.postMessage({ id, value: name });
};
