/** Prints how long the awards take beside the statistics of the same log. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { awardView } from "../../src/domain/award.ts";
import { AwardBook, awardsWork } from "../../src/awards/book.ts";
import { detail, matrix, needed, overview } from "../../src/awards/questions.ts";
import { Reading } from "../../src/awards/reading.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { ofUser } from "../../src/storage/statistics.ts";
import { run, type Unit } from "../../src/storage/unit.ts";
import { TIME } from "../../src/time.ts";
import { storeLog } from "../support/log-generator.ts";
import { print } from "./figure.ts";

const WHOLE_VIEW = awardView({});
const DXCC_PAGE = (["detail", "needed", "matrix"] as const).map((kind) => ({
  kind,
  id: "dxcc" as const,
  view: WHOLE_VIEW,
}));
/** A page counts once what its parts share. */
const MOST_OF_THE_PARTS = 0.6;
const [sizes = "8000,100000"] = process.argv.slice(2);

for (const size of sizes.split(",").map(Number)) await measure(size);

async function measure(contacts: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
  const db = await openDatabase(join(directory, "qsolog.db"), { time: TIME });
  await migrate(db, 0);
  for (const name of ["bob", "eve"]) {
    await db.write(() => run`INSERT INTO users (username, password_hash) VALUES (${name}, '')`);
  }
  await storeLog(db, 1, { contacts, seed: 1 });
  await storeLog(db, 2, { contacts: 1_000, seed: 2 });
  await db.analyze();

  const rounds = contacts > 200_000 ? 7 : 40;
  const cold = (unit: () => Unit<unknown>) => () => db.read(unit);
  const book = new AwardBook({ db, clock: () => 0 });
  const works: Record<string, () => Promise<unknown>> = {
    statistics: cold(() => ofUser(1)),
    "overview, cold": cold(() => overview(new Reading(1), WHOLE_VIEW)),
    "overview, from memory": () => book.overview(1),
    "dxcc with its slots": cold(() => detail(new Reading(1), "dxcc", WHOLE_VIEW)),
    "dxcc matrix": cold(() => matrix(new Reading(1), "dxcc", WHOLE_VIEW)),
    "dxcc needed": cold(() => needed(new Reading(1), "dxcc", WHOLE_VIEW)),
    "dxcc page": cold(() => awardsWork.unit({ userId: 1, questions: DXCC_PAGE })),
    "challenge needed": cold(() => needed(new Reading(1), "dxcc-challenge", WHOLE_VIEW)),
    "was needed, cw": cold(() => needed(new Reading(1), "was", { ...WHOLE_VIEW, group: "cw" })),
  };
  const times = await alternately(rounds, Object.values(works));
  const [base] = times;
  for (const [index, name] of Object.keys(works).entries()) {
    const time = times[index]!;
    console.log(`${contacts} QSOs, ${name}: ${(time / base!).toFixed(2)} × the statistics (${time.toFixed(2)} ms)`);
  }
  const timeOf = (name: string) => times[Object.keys(works).indexOf(name)]!;
  const pieces = ["dxcc with its slots", "dxcc matrix", "dxcc needed"].reduce((sum, name) => sum + timeOf(name), 0);
  const page = timeOf("dxcc page");
  print({
    name: `${contacts} QSOs, dxcc page beside its three parts`,
    value: page,
    unit: "ms",
    ratio: pieces / page,
    limit: Math.round(pieces * MOST_OF_THE_PARTS),
  });
  await db.close();
  rmSync(directory, { recursive: true });
}

/** The median of each in milliseconds, with the turns mixed so that a busy machine hits all alike. */
async function alternately(rounds: number, works: (() => Promise<unknown>)[]): Promise<number[]> {
  const times: number[][] = works.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) {
      await work(); // its own pages and code are warm, whoever had the turn before
      const before = performance.now();
      await work();
      times[index]!.push(performance.now() - before);
    }
  }
  return times.map((all) => all.sort((a, b) => a - b)[all.length >> 1]!);
}
