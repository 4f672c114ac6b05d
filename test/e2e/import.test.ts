import { expect, test } from "bun:test";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { logOf } from "../support/sync.ts";
import { callOf } from "../sync/services.ts";
import { aCommandLine } from "../cli/services.ts";
import { cleanEnvironment, placeOf, QSOLOG } from "../support/qsolog.ts";

const logOfSize = (count: number): string => {
  const records = Array.from(
    { length: count },
    (_, n) => `<CALL:5>${callOf(n)}<QSO_DATE:8>20260718<TIME_ON:4>0143<BAND:3>20m<MODE:2>CW<EOR>\n`,
  );
  return `<EOH>\n${records.join("")}`;
};

test("an import killed in the middle can be rolled back", async () => {
  const line = await aCommandLine();
  const path = join(line.world.dataDir, "log.adi");
  writeFileSync(path, logOfSize(20_000));
  const child = line.spawn(["qso", "import", path]);
  while ((await line.world.db.read(() => syncJobs.list({ userId: line.bob.id, limit: 1 })))[0]?.progress == null) {
    await Bun.sleep(5);
  }

  child.kill("SIGKILL");
  await child.exited;
  expect((await logOf(line.world, line.bob.id)).length).toBeGreaterThan(0);
  const { code, out } = await line.asProcess(["rollback", "1", "--yes"]);

  expect([code, out]).toMatchObject([0, expect.stringMatching(/^Job 1 is rolled back: \d+ QSOs deleted/)]);
  expect(await logOf(line.world, line.bob.id)).toEqual([]);
});

test("standard input is stored privately, and the file of a killed import is removed by the next one", async () => {
  const line = await aCommandLine();
  const spoolDir = join(line.world.dataDir, "spool");
  const left = () => readdirSync(spoolDir).filter((name) => name.startsWith("import-"));
  const child = Bun.spawn([...QSOLOG, "qso", "import", "-"], {
    env: cleanEnvironment(placeOf(line.world.config)),
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin.write(logOfSize(5));
  await child.stdin.flush();
  while (!readdirSync(line.world.dataDir).includes("spool") || left().length === 0) await Bun.sleep(5);
  expect(statSync(join(spoolDir, left()[0]!)).mode & 0o777).toBe(0o600);

  expect((await line.asProcess(["qso", "import", "-"], logOfSize(3))).code).toBe(0);
  expect(left()).toHaveLength(1);
  child.kill("SIGKILL");
  await child.exited;
  expect((await line.asProcess(["qso", "import", "-"], logOfSize(3))).code).toBe(0);

  expect(left()).toEqual([]);
});
