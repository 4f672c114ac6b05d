import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isAlive, isGone, isTagGone, getOwnMark, getOwnTag } from "../src/kernel/processes.ts";
import { afterTest } from "./support/cleanup.ts";

test("a process is alive until it ends", async () => {
  const child = Bun.spawn(["cat"], { stdin: "pipe" });

  expect([isAlive(process.pid), isAlive(child.pid)]).toEqual([true, true]);
  child.stdin.end();
  await child.exited;

  expect(isAlive(child.pid)).toBe(false);
});

test.skipIf(!existsSync("/proc/self/stat"))(
  "an ended process is not alive, even if nobody collected its status",
  async () => {
    const parent = Bun.spawn(["sh", "-c", "sleep 0.05 & echo $!; exec cat"], { stdin: "pipe", stdout: "pipe" });
    afterTest(() => parent.kill());
    const { value } = await parent.stdout.getReader().read();
    const pid = Number(Buffer.from(value!).toString());

    while (isAlive(pid)) await Bun.sleep(5);

    expect(() => process.kill(pid, 0)).not.toThrow();
  },
);

test("a process is gone when its pid is unused or belongs to another process", async () => {
  const child = Bun.spawn(["true"]);
  await child.exited;

  expect(isGone(getOwnMark())).toBeFalse();
  expect(isGone({ ...getOwnMark(), pid: child.pid })).toBeTrue();
  expect(isGone({ ...getOwnMark(), born: "1" })).toBe(existsSync("/proc/self/stat"));
  expect(isGone({ ...getOwnMark(), born: null })).toBeFalse();
  expect(isGone({ ...getOwnMark(), place: "elsewhere", pid: child.pid })).toBeFalse();
  expect([
    isTagGone(getOwnTag()),
    isTagGone(`00000000-${child.pid}`),
    isTagGone(getOwnTag().replace(/\d+$/, String(child.pid))),
  ]).toEqual([false, false, true]);
});

const IN_A_NAMESPACE = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];

test.skipIf(Bun.spawnSync([...IN_A_NAMESPACE, "true"]).exitCode !== 0)(
  "processes in separate pid namespaces count each other as alive, even under one host name",
  async () => {
    const script = `
      const { isGone, isTagGone, getOwnMark, getOwnTag } = await import(${JSON.stringify(join(import.meta.dir, "../src/kernel/processes.ts"))});
      const [mark, tag] = JSON.parse(process.argv.at(-1));
      console.log(JSON.stringify([isGone(mark), isTagGone(tag), getOwnMark(), getOwnTag()]));`;
    const outside = JSON.stringify([getOwnMark(), getOwnTag()]);
    const child = Bun.spawn([...IN_A_NAMESPACE, process.execPath, "-e", script, outside], { stdout: "pipe" });

    const [outsideIsGone, tagIsGone, mark, tag] = JSON.parse(await new Response(child.stdout).text());

    expect([outsideIsGone, tagIsGone]).toEqual([false, false]);
    expect(mark.pid).toBeLessThan(10);
    expect([isGone(mark), isTagGone(tag)]).toEqual([false, false]);
  },
);
