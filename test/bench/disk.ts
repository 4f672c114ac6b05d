/** Disk usage of a log after a first sync with both services, including change records, per 100,000 contacts. */
import { Database as Connection } from "bun:sqlite";
import { join } from "node:path";
import type { Figure } from "./figure.ts";
import type { Bench } from "./log.ts";
import type { Program } from "./program.ts";

const MB = 1e6;
const PARTS = 6;

export default async (bench: Bench, program: Program): Promise<Figure[]> => {
  const { dataDir } = await bench.logOf(program);
  const file = join(dataDir, "qsolog.db");
  const connection = new Connection(file);
  connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const parts = connection
    .query(
      `SELECT CASE WHEN s.type = 'index' THEN 'indexes of ' || s.tbl_name ELSE s.tbl_name END AS part,
              sum(d.pgsize) AS bytes
       FROM dbstat d JOIN sqlite_master s ON s.name = d.name GROUP BY part ORDER BY bytes DESC LIMIT ${PARTS}`,
    )
    .all() as { part: string; bytes: number }[];
  connection.close();
  const scaled = (bytes: number) => (bytes / MB) * (100_000 / bench.contacts);
  return [
    { name: "100,000 contacts with both services", value: scaled(Bun.file(file).size), limit: "disk" },
    ...parts.map(({ part, bytes }) => ({ name: `  of that ${part}`, value: scaled(bytes), unit: "MB" })),
  ];
};
