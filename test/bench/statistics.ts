/** How long the statistics of one user take beside fifty others, and how often a bare scan of the same index fits in. */
import { Database as Connection } from "bun:sqlite";
import type { Database } from "../../src/storage/database.ts";
import { ofUser } from "../../src/storage/statistics.ts";
import { storeLog } from "../support/log-generator.ts";
import { addUser, unindexed, withDatabase } from "./database.ts";
import { median, print } from "./figure.ts";

const OTHERS = 50;
const THEIR_CONTACTS = 2_000;

const LOGS = [
  { contacts: 8_000, limit: 3, runs: 101 },
  { contacts: 100_000, limit: 25, runs: 31 },
  { contacts: 1_000_000, limit: 200, runs: 9 },
];

const logs = process.argv.includes("--quick") ? LOGS.slice(0, 2) : LOGS;

await withDatabase(async (db, file) => {
  const owners: number[] = [];
  await unindexed(db, file, async () => {
    for (let other = 1; other <= OTHERS; other++) {
      const id = await addUser(db, `other${other}`);
      await storeLog(db, id, { contacts: THEIR_CONTACTS, seed: other });
      // The logs that are measured lie among the others.
      const log = logs[(other - 10) / 10];
      if (!log) continue;
      const owner = await addUser(db, `owner${log.contacts}`);
      await storeLog(db, owner, { contacts: log.contacts, seed: 1_000 + other });
      owners.push(owner);
    }
  });
  const bare = new Connection(file, { readonly: true });
  const scan = bare.prepare("SELECT count(*) FROM qsos INDEXED BY qsos_rollup WHERE user_id = ?");
  for (const [index, { contacts, limit, runs }] of logs.entries()) {
    await measure(db, owners[index]!, contacts, limit, runs, (userId) => scan.get(userId));
  }
  scan.finalize();
  bare.close();
});

async function measure(
  db: Database,
  userId: number,
  contacts: number,
  limit: number,
  runs: number,
  scan: (userId: number) => unknown,
): Promise<void> {
  const baseline = await median(runs, () => scan(userId));
  const size = contacts.toLocaleString("en");
  const whole = await median(runs, () => db.read(() => ofUser(userId)));
  print({ name: `${size} QSOs, whole log`, value: whole, unit: "ms", ratio: whole / baseline, limit });
  const station = "YU1TEST";
  const one = await median(runs, () => db.read(() => ofUser(userId, { stations: [station] })));
  print({ name: `${size} QSOs, one callsign`, value: one, unit: "ms", ratio: one / baseline });
}
