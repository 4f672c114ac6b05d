/** A first sync with each service and an import, on a server with an empty log, until the job has ended. */
import { rmSync } from "node:fs";
import { writeRecord } from "../../src/adif/writer.ts";
import { aLog } from "../support/log-generator.ts";
import { asFile } from "../support/log-records.ts";
import type { Figure } from "./figure.ts";
import { figuresOf, measureJob, measureSync, type Bench } from "./log.ts";
import type { Job, Program } from "./program.ts";

const SMALLER_LOG = 20_000;
/** The limit of a first sync applies to this many records. */
const RECORDS = 100_000;

const SYNCS = [
  ["first", "LoTW"],
  ["second", "QRZ"],
] as const;

export default async (bench: Bench, program: Program): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const contacts of new Set([Math.min(SMALLER_LOG, bench.contacts), bench.contacts])) {
    for (const [service, label] of SYNCS) {
      const installation = await bench.withAccounts(program, [service], contacts);
      const server = await installation.serve();
      const measured = await measureSync(server, service);
      await server.stop();
      installation.remove();
      const name = `${label}, ${contacts.toLocaleString("en")} contacts`;
      const { fetched } = measured.job.stats;
      figures.push(
        { name: `${name}: ${fetched.toLocaleString("en")} records`, value: measured.seconds, unit: "s" },
        ...figuresOf(name, measured),
      );
      if (contacts === bench.contacts)
        figures.push({
          name: `${label}: 100,000 records at this rate`,
          value: (measured.seconds * RECORDS) / fetched,
          limit: "firstSync",
        });
    }
  }
  return [...figures, ...(await importFigures(bench, program))];
};

const importFigures = async (bench: Bench, program: Program): Promise<Figure[]> => {
  const installation = await bench.withAccounts(program, [], 0);
  const file = `${installation.dataDir}.adi`;
  const writer = Bun.file(file).writer();
  writer.write("bench\n<EOH>\n");
  for (const contact of aLog({ contacts: bench.contacts })) writer.write(writeRecord(asFile(contact)));
  await writer.end();
  const server = await installation.serve();
  const headers = { authorization: `Bearer ${installation.token}`, "content-type": "application/octet-stream" };
  const measured = await measureJob(server, async () => {
    const answer = await server.ask("/api/qsos/import", { method: "POST", headers, body: Bun.file(file) });
    return server.end((JSON.parse(answer) as { job: Job }).job);
  });
  await server.stop();
  installation.remove();
  rmSync(file);
  return [
    { name: "import: contacts a second", value: bench.contacts / measured.seconds, limit: "importRate" },
    ...figuresOf("import", measured),
  ];
};
