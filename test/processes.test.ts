import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { isAlive } from "../src/processes.ts";
import { afterTest } from "./support/cleanup.ts";

test("a process is alive until it ends", async () => {
  const child = Bun.spawn(["cat"], { stdin: "pipe" });

  expect([isAlive(process.pid), isAlive(child.pid)]).toEqual([true, true]);
  child.stdin.end();
  await child.exited;

  expect(isAlive(child.pid)).toBe(false);
});

test.skipIf(!existsSync("/proc/self/stat"))(
  "a process that ended is not alive, though nobody asked how it ended",
  async () => {
    const parent = Bun.spawn(["sh", "-c", "sleep 0.05 & echo $!; exec cat"], { stdin: "pipe", stdout: "pipe" });
    afterTest(() => parent.kill());
    const { value } = await parent.stdout.getReader().read();
    const pid = Number(Buffer.from(value!).toString());

    while (isAlive(pid)) await Bun.sleep(5);

    expect(() => process.kill(pid, 0)).not.toThrow();
  },
);
