import { expect, test } from "bun:test";
import { remoteClient } from "../../cli/client/remote-client.ts";
import type { Logbook } from "../../cli/client/logbook.ts";
import type { ServerLink } from "../../cli/client/server-link.ts";
import { waitForJob } from "../../cli/running-job.ts";
import { Interrupted, type Terminal } from "../../cli/terminal.ts";
import { AppError } from "../../src/kernel/errors.ts";
import type { JobView } from "../../src/domain/jobs/sync-job.ts";

const RUNNING = { id: 7, status: "running", progress: null } as JobView;

/** A server whose job never ends and cannot be stopped. */
const aStubbornServer = () => {
  let looks = 0;
  const looked = Promise.withResolvers<void>();
  const link = {
    server: "https://log.example.org",
    async ask(method: string) {
      if (method === "POST") throw new AppError("upstream", "Page not found.");
      looks += 1;
      looked.resolve();
      return { job: RUNNING };
    },
    drop() {},
  } as unknown as ServerLink;
  return { log: remoteClient(link), looked: looked.promise, looks: () => looks };
};

test("if the job cannot be stopped, Ctrl-C reports that and stops watching it", async () => {
  const { log, looked, looks } = aStubbornServer();
  const said: string[] = [];
  const terminal = { err: (words: string) => void said.push(words) } as Terminal;
  const watched = waitForJob({ terminal, clock: () => 0 }, "LoTW", log, RUNNING);
  await looked;

  process.emit("SIGINT");

  expect(watched).rejects.toBeInstanceOf(Interrupted);
  await watched.catch(() => {});
  expect(said).toEqual(["Job 7 is still running. Page not found. Check it: qsolog jobs show 7"]);
  const before = looks();
  const still = log.untilEnd(7);
  await log.stop();
  expect(still).rejects.toThrow();
  await still.catch(() => {});
  expect(looks()).toBe(before + 1);
});

test("a second Ctrl-C leaves a job that was asked to stop and does not end", async () => {
  let now = 0;
  const said: string[] = [];
  const terminal = { err: (words: string) => void said.push(words) } as Terminal;
  const log = { interrupt: async () => {}, untilEnd: () => new Promise(() => {}) } as unknown as Logbook;
  const watched = waitForJob({ terminal, clock: () => now }, "import", log, RUNNING);
  watched.catch(() => {});

  process.emit("SIGINT");
  process.emit("SIGINT"); // the same one, passed on by `bun run`
  await Promise.resolve();
  expect(said).toEqual([]);
  now = 3_000;
  process.emit("SIGTERM");

  expect(watched).rejects.toBeInstanceOf(Interrupted);
  expect(said).toEqual(["Job 7 is still running. It has not stopped yet. Check it: qsolog jobs show 7"]);
});
