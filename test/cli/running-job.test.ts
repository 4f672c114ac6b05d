import { expect, test } from "bun:test";
import { remoteClient } from "../../cli/client/remote-client.ts";
import type { ServerLink } from "../../cli/client/server-link.ts";
import { JobWatch } from "../../cli/running-job.ts";
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
  const watched = new JobWatch(terminal, "LoTW").waitForEnd(log, RUNNING);
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
