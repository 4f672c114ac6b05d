/**
 * The single executable: how large it is beside Bun alone, and what its commands and its start take of the processor beside
 * a program that does nothing.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeLog } from "../support/log-generator.ts";
import { print } from "./figure.ts";
import { residentOf, started, startOf, withInstallation } from "./running-server.ts";

const RUNS = process.argv.includes("--quick") ? 5 : 15;
const ROOT = join(import.meta.dir, "../..");
const MEGABYTE = 1_048_576;
const CONTACTS = 8_000;
const REST_MS = 1_000;

const folder = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
try {
  const program = join(folder, "qsolog");
  run([process.execPath, join(ROOT, "deploy/build.ts"), "--outfile", program]);
  print({
    name: "size",
    value: statSync(program).size / MEGABYTE,
    unit: "MB",
    ratio: statSync(program).size / statSync(process.execPath).size,
    limit: 130,
  });
  const nothing = join(folder, "nothing.ts");
  writeFileSync(nothing, "console.log(1);\n");
  const bare = await leastOf(() => run([process.execPath, nothing]));
  await withInstallation(async ({ db, dataDir, userId }) => {
    await storeLog(db, userId, { contacts: CONTACTS, seed: 1 });
    await db.analyze();
    const env = { QSOLOG_DATA_DIR: dataDir, QSOLOG_PORT: "0", QSOLOG_USER: "owner" };
    for (const { words, limit } of [
      { words: ["--version"], limit: 30 },
      { words: ["--help"], limit: 60 },
      { words: ["admin", "list"], limit: 60 },
      { words: ["stats"], limit: 25 },
    ]) {
      const value = await leastOf(() => run([program, ...words], env));
      print({ name: words.join(" "), value, unit: "ms", ratio: value / bare, limit });
    }
    const serve = () => started(["serve"], env, program);
    for (const { name, path, limit } of [
      { name: "start to first page", path: "/", limit: 60 },
      { name: "start to a page that waits for the features", path: "/log" },
    ]) {
      const value = await leastOf(() => startOf(serve, path));
      print({ name, value, unit: "ms", ratio: value / bare, limit });
    }
    const server = await serve();
    await Bun.sleep(REST_MS);
    print({ name: "memory at rest", value: residentOf(server.pid), unit: "MB", limit: 90 });
    await server.stop();
  });
} finally {
  rmSync(folder, { recursive: true });
}

/** A busy machine makes the same work dearer; the first has files read from the disk besides. */
async function leastOf(work: () => number | Promise<number>): Promise<number> {
  const taken: number[] = [];
  for (let n = 0; n < RUNS; n++) taken.push(await work());
  return Math.min(...taken);
}

/** Gives the milliseconds of the processor that it took. */
function run(command: string[], env: Record<string, string> = {}): number {
  const { exitCode, stderr, resourceUsage } = Bun.spawnSync(command, {
    env: { PATH: process.env.PATH!, HOME: process.env.HOME ?? "/tmp", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
  return Number(resourceUsage.cpuTime.total) / 1_000;
}
