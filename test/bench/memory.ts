// What whole processes hold at most while they go through a large log, above what they hold with a small one or at rest.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeRecord } from "../../src/adif/writer.ts";
import { aLog } from "../support/log-generator.ts";
import { asFile } from "../support/log-records.ts";
import { print } from "./figure.ts";
import { qsologServing, residentOf } from "./running-server.ts";
import { LOGIN, simulated } from "./simulated-account.ts";

const CONTACTS = process.argv.includes("--quick") ? 100_000 : 1_000_000;
const FEW = 100;
const LIMIT_MB = 100;
const MB = 1024 * 1024;
const ROOT = join(import.meta.dir, "../..");
const PASSWORD = "correct horse battery";

/** An installation with one user and a log to import. */
interface Place {
  dataDir: string;
  file: string;
  firstUrl: string;
}

const directory = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
const services = [await simulated("first", FEW), await simulated("first", CONTACTS)];
try {
  const small = await aPlace("small", FEW, services[0]!.firstUrl);
  const large = await aPlace("large", CONTACTS, services[1]!.firstUrl);
  await inShell(small, large);
  const other = await aPlace("served", CONTACTS, services[1]!.firstUrl);
  await onServer(other, small);
} finally {
  for (const service of services) service.stop();
  rmSync(directory, { recursive: true });
}

async function aPlace(name: string, contacts: number, firstUrl: string): Promise<Place> {
  const place = { dataDir: join(directory, name), file: join(directory, `${name}.adi`), firstUrl };
  mkdirSync(place.dataDir);
  const writer = Bun.file(place.file).writer();
  writer.write("bench\n<EOH>\n");
  for (const contact of aLog({ contacts })) {
    writer.write(writeRecord(asFile(contact)));
    if (contact.logId % 1_000 === 0) await writer.flush();
  }
  await writer.end();
  await qsolog(place, ["user", "create", "owner"]);
  return place;
}

/** Runs a command and gives the most that it ever held. */
async function qsolog(
  { dataDir, firstUrl }: Place,
  words: readonly string[],
  stdin = "",
  out?: string,
): Promise<number> {
  const child = Bun.spawn([process.execPath, "cli/main.ts", ...words], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH!,
      HOME: directory,
      QSOLOG_DATA_DIR: dataDir,
      QSOLOG_FIRST_URL: firstUrl,
      QSOLOG_PACE: "0",
      QSOLOG_PASSWORD: PASSWORD,
    },
    stdio: [new Blob([stdin]), out ? Bun.file(out) : "ignore", "pipe"],
  });
  const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code !== 0) throw new Error(`${words.join(" ")}: ${said}`);
  return child.resourceUsage()!.maxRSS / MB;
}

/** What a server that has looked at a small file, and rests again, holds at most above that while it does something. */
async function onServer(place: Place, small: Place): Promise<void> {
  const token = await tokenIn(place);
  const asking = { authorization: `Bearer ${token}` };
  const upload = (file = place.file) => ({ method: "POST", headers: asking, body: Bun.file(file) });
  let imported = 0;
  const change = { filter: {}, set: { operator: "YU1OP" } };
  const told = { ...asking, "content-type": "application/json" };
  const acts: [name: string, ask: (url: string) => Promise<Response>][] = [
    ["dry run of an import", (url) => fetch(`${url}/api/qsos/import?dryRun=true`, upload())],
    [
      "import",
      async (url) => {
        const answer = await fetch(`${url}/api/qsos/import`, upload());
        imported = ((await answer.clone().json()) as { job: { id: number } }).job.id;
        return answer;
      },
    ],
    ["export as ADIF", (url) => fetch(`${url}/api/qsos/export`, { headers: asking })],
    ["sync", (url) => fetch(`${url}/api/sync/first`, { method: "POST", headers: asking })],
    ["repair", (url) => fetch(`${url}/api/repairs`, { method: "POST", headers: told, body: JSON.stringify(change) })],
    ["preview of a rollback", (url) => fetch(`${url}/api/jobs/${imported}/rollback?undo=true`, { headers: asking })],
    ["rollback", (url) => fetch(`${url}/api/jobs/${imported}/undo`, { method: "POST", headers: asking })],
  ];
  await qsolog(place, ["service", "set", "lotw", "--username", LOGIN.username, "--stdin"], LOGIN.password);
  for (const [name, ask] of acts) {
    const server = await qsologServing(place, { QSOLOG_FIRST_URL: place.firstUrl, QSOLOG_PACE: "0" });
    try {
      for (let n = 0; n < 20; n++) await (await fetch(`${server.url}/api/stats`, { headers: asking })).text();
      await (await fetch(`${server.url}/api/qsos/import?dryRun=true`, upload(small.file))).text();
      await ended(server.url, asking);
      await Bun.sleep(2_000);
      const rest = residentOf(server.pid);
      writeFileSync(`/proc/${server.pid}/clear_refs`, "5");
      const answer = await ask(server.url);
      for await (const _ of answer.body!);
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
      await ended(server.url, asking);
      print({ name: `server, ${name}`, value: mostOf(server.pid) - rest, unit: "MB", limit: LIMIT_MB });
    } finally {
      await server.stop();
    }
  }
}

async function tokenIn(place: Place): Promise<string> {
  const out = join(directory, "token.json");
  await qsolog(place, ["token", "create", "bench", "--scope", "write", "--json"], "", out);
  return (JSON.parse(readFileSync(out, "utf8")) as { token: string }).token;
}

/** Until no job is under way. */
async function ended(url: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const { jobs } = (await (await fetch(`${url}/api/jobs`, { headers })).json()) as { jobs: { status: string }[] };
    if (!jobs.some(({ status }) => status === "pending" || status === "running")) return;
    await Bun.sleep(500);
  }
}

/** In megabytes, the most that was in memory since the kernel was asked to forget. */
function mostOf(pid: number): number {
  const line = readFileSync(`/proc/${pid}/status`, "utf8").match(/VmHWM:\s+(\d+) kB/);
  return Number(line?.[1] ?? 0) / 1024;
}

async function inShell(small: Place, large: Place): Promise<void> {
  const acts: [name: string, words: (place: Place) => string[]][] = [
    ["dry run of an import", ({ file }) => ["qso", "import", file, "--dry-run"]],
    ["import", ({ file }) => ["qso", "import", file]],
    ["export as ADIF", ({ dataDir }) => ["qso", "export", join(dataDir, "log.adi")]],
    ["export as CSV", ({ dataDir }) => ["qso", "export", join(dataDir, "log.csv")]],
    ["backup", ({ dataDir }) => ["db", "backup", join(dataDir, "copy.db")]],
    ["derive", () => ["db", "derive"]],
    ["dry run of a sync", () => ["sync", "lotw", "--dry-run"]],
    ["sync", () => ["sync", "lotw"]],
    ["dry run of a repair", () => ["repair", "--all", "--set", "operator=YU1OP", "--dry-run"]],
    ["repair", () => ["repair", "--all", "--set", "operator=YU1OP", "--yes"]],
    ["preview of a rollback", () => ["rollback", "2", "--undo", "--dry-run"]],
    ["rollback", () => ["rollback", "2", "--undo", "--yes"]],
  ];
  for (const place of [small, large])
    await qsolog(place, ["service", "set", "lotw", "--username", LOGIN.username, "--stdin"], LOGIN.password);
  for (const [name, words] of acts) {
    const rest = await qsolog(small, words(small));
    const most = await qsolog(large, words(large));
    print({ name: `shell, ${name}`, value: most - rest, unit: "MB", limit: LIMIT_MB });
  }
}
