import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterTest } from "./cleanup.ts";
import { isInstalled, startPostgres } from "./postgres.ts";
import { saidUntil } from "./serving.ts";

const STARTS_ONE = `
  const server = (await import(${JSON.stringify(join(import.meta.dir, "postgres.ts"))})).startPostgres();
  console.log("home " + server.home + ".");
  await Bun.sleep(60_000);`;

test.skipIf(!isInstalled())("a test server uses another port if one is taken", () => {
  const anybody = () => Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const [taken, free] = [anybody(), anybody()];
  free.stop(true);
  const ports = [taken.port, free.port];

  const server = startPostgres({ nextPort: () => ports.shift()! })!;
  afterTest(() => server.stop());
  afterTest(() => taken.stop(true));

  expect(server.port).toBe(free.port);
});

test.skipIf(!isInstalled())("a test server ends with the process that started it, even if that is killed", async () => {
  const starter = Bun.spawn([process.execPath, "-e", STARTS_ONE], { stdout: "pipe", stderr: "ignore" });
  const [, home] = (await saidUntil(starter.stdout, /home \S+\./)).match(/home (\S+)\./)!;
  const isRunning = () => existsSync(join(home!, "data/postmaster.pid"));
  const wasRunning = isRunning();

  starter.kill("SIGKILL");
  await starter.exited;
  for (const giveUpAt = Date.now() + 20_000; existsSync(home!) && Date.now() < giveUpAt;) await Bun.sleep(50);

  expect([wasRunning, existsSync(home!)]).toEqual([true, false]);
});
