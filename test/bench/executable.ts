/** The single executable: how large it is beside Bun alone, and how soon it answers beside a program that does nothing. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeLog } from "../support/log-generator.ts";
import { median, middleOf, print } from "./figure.ts";
import { residentOf, started, withInstallation } from "./running-server.ts";

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
  const bare = await median(RUNS, () => run([process.execPath, nothing]));
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
      const value = await median(RUNS, () => run([program, ...words], env));
      print({ name: words.join(" "), value, unit: "ms", ratio: value / bare, limit });
    }
    const resident: number[] = [];
    const starts: number[] = [];
    for (let n = 0; n < RUNS; n++) {
      const before = performance.now();
      const server = await started(["serve"], env, program);
      await (await fetch(server.url)).text();
      starts.push(performance.now() - before);
      if (n === 0) {
        await Bun.sleep(REST_MS);
        resident.push(residentOf(server.pid));
      }
      await server.stop();
    }
    const start = middleOf(starts);
    print({ name: "start to first page", value: start, unit: "ms", ratio: start / bare, limit: 60 });
    print({ name: "memory at rest", value: resident[0]!, unit: "MB", limit: 90 });
  });
} finally {
  rmSync(folder, { recursive: true });
}

function run(command: string[], env: Record<string, string> = {}): void {
  const { exitCode, stderr } = Bun.spawnSync(command, {
    env: { PATH: process.env.PATH!, HOME: process.env.HOME ?? "/tmp", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
}
