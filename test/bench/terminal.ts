/** The screens of the terminal on a large log: how soon the first is there, how soon a key shows, and what is written at rest. */
import { storeLog } from "../support/log-generator.ts";
import { inTerminal } from "../support/pseudo-terminal.ts";
import { screenOf } from "../tui/screen.ts";
import { middleOf, print } from "./figure.ts";
import { processorMsOf, withInstallation } from "./running-server.ts";
import { join } from "node:path";

const RUNS = process.argv.includes("--quick") ? 3 : 9;
const CONTACTS = 100_000;
const REST_MS = 3_000;
const PATIENCE_MS = 20_000;
const MAIN = join(import.meta.dir, "../../cli/main.ts");

/** How long it takes until the screen says this. */
const untilSaid = async (text: () => string, words: string, began: number): Promise<number> => {
  // A row is written with its colours in between: only a screen is read by its words.
  while (!text().includes(words.split(" ").at(-2)!) || !screenOf(text()).includes(words)) {
    if (performance.now() - began > PATIENCE_MS) throw new Error(`Never seen: ${words}\n${screenOf(text())}`);
    await Bun.sleep(1);
  }
  return performance.now() - began;
};

/** What loading the library that draws takes: the least that any first screen can take. */
const loadingToDraw = (): number => {
  const { resourceUsage } = Bun.spawnSync([process.execPath, "-e", "await import('ink')"], { cwd: import.meta.dir });
  return Number(resourceUsage.cpuTime.total) / 1_000;
};

await withInstallation(async ({ db, dataDir, userId }) => {
  await storeLog(db, userId, { contacts: CONTACTS, seed: 1 });
  await db.analyze();
  const env = {
    PATH: process.env.PATH!,
    HOME: "/tmp",
    LANG: "C.UTF-8",
    QSOLOG_DATA_DIR: dataDir,
    QSOLOG_USER: "owner",
  };
  const drawing = middleOf(Array.from({ length: RUNS }, loadingToDraw));
  const first: number[] = [];
  const worked: number[] = [];
  const keys: number[] = [];
  const atRest: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const began = performance.now();
    const { child, exited, text, type } = inTerminal([process.execPath, MAIN, "tui"], env);
    first.push(await untilSaid(text, "100,000 QSOs", began));
    worked.push(processorMsOf(child.pid));
    type("2");
    await untilSaid(text, "1 of 100,000", performance.now());
    const pressed = performance.now();
    type("j");
    keys.push(await untilSaid(text, "2 of 100,000", pressed));
    if (run === 0) {
      await Bun.sleep(REST_MS);
      const before = text().length;
      await Bun.sleep(REST_MS);
      atRest.push(text().length - before);
    }
    type("q");
    await Promise.race([exited, Bun.sleep(PATIENCE_MS)]);
    child.kill();
  }
  // Other work on the machine makes waits longer, never shorter.
  print({ name: "the first screen of 100,000 QSOs", value: Math.min(...first), unit: "ms", limit: 500 });
  print({ name: "the same, processor time", value: middleOf(worked), unit: "ms", ratio: middleOf(worked) / drawing });
  print({ name: "a key, until its row is chosen", value: Math.min(...keys), unit: "ms", limit: 50 });
  print({ name: "written in three seconds at rest", value: atRest[0]!, unit: "bytes", limit: 0 });
});
