/**
 * What whole processes hold at most while they go through a large log. A command is held against the same command with a
 * small log, a server against itself at rest after it has gone through a small file. A million contacts take an hour. With
 * `--postgres` what is held is that of qsolog: the server of the database has memory of its own.
 */
import { SQL } from "bun";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeRecord } from "../../src/adif/writer.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { maybe, run, type Unit } from "../../src/storage/unit.ts";
import { TIME } from "../../src/time.ts";
import { aLog } from "../support/log-generator.ts";
import { asFile } from "../support/log-records.ts";
import { startPostgres } from "../support/postgres.ts";
import { contactsAsked } from "./contacts-asked.ts";
import { print } from "./figure.ts";
import { qsologServing, residentOf } from "./running-server.ts";
import { BOOK_KEY, LOGIN, simulated } from "./simulated-account.ts";

const CONTACTS = contactsAsked(process.argv.includes("--quick") ? 100_000 : 1_000_000);
const FEW = 100;
const LIMIT_MB = 100;
const MB = 1024 * 1024;
const ROOT = join(import.meta.dir, "../..");
/** Since then about half of a log was made. */
const HALF = "2017-01-01";
const PASSWORD = "correct horse battery";
/** So long after its last work a server is at rest. */
const REST_MS = 3_000;
const LOOK_EVERY_MS = 250;
/** In a shell, the import is the second job of its log, after its dry run. */
const IMPORT = 2;

/** An installation with one user, a log to import, and what both services have of it. */
interface Place {
  dataDir: string;
  file: string;
  database: string;
  env: Record<string, string>;
}

const directory = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
const ends: (() => void)[] = [];
const postgres = process.argv.includes("--postgres") ? startPostgres() : null;
if (postgres) ends.push(() => postgres.stop());
try {
  const small = await aPlace("small", FEW);
  const large = await aPlace("large", CONTACTS);
  const inShell = { small: await installed("shell-small", small), large: await installed("shell-large", large) };
  const served = await installed("served", large);
  await commands(inShell.small, inShell.large);
  rmSync(inShell.large.dataDir, { recursive: true });
  await requests(served, small.file);
} finally {
  for (const end of ends) end();
  rmSync(directory, { recursive: true });
}

async function aPlace(name: string, contacts: number): Promise<Pick<Place, "file" | "env">> {
  const file = join(directory, `${name}.adi`);
  const writer = Bun.file(file).writer();
  writer.write("bench\n<EOH>\n");
  for (const contact of aLog({ contacts })) {
    writer.write(writeRecord(asFile(contact)));
    if (contact.logId % 1_000 === 0) await writer.flush();
  }
  await writer.end();
  const [first, second] = [await simulated("first", contacts), await simulated("second", contacts)];
  ends.push(first.stop, second.stop);
  const env = { QSOLOG_FIRST_URL: first.firstUrl, QSOLOG_SECOND_URL: second.secondUrl, QSOLOG_PACE: "0" };
  return { file, env };
}

async function installed(name: string, place: Pick<Place, "file" | "env">): Promise<Place> {
  const dataDir = join(directory, name);
  mkdirSync(dataDir);
  const database = postgres ? await anEmptyDatabase(postgres.url, name) : join(dataDir, "qsolog.db");
  const env = postgres ? { ...place.env, QSOLOG_DATABASE_URL: database } : place.env;
  const made = { file: place.file, env, dataDir, database };
  await qsolog(made, ["user", "create", "owner"]);
  await qsolog(made, ["service", "set", "lotw", "--username", LOGIN.username, "--stdin"], { stdin: LOGIN.password });
  await qsolog(made, ["service", "set", "qrz", "--stdin"], { stdin: BOOK_KEY });
  return made;
}

/** Runs a command and gives, in megabytes, the most that it ever held. */
async function qsolog({ dataDir, env }: Place, words: readonly string[], io: { stdin?: string; out?: string } = {}) {
  const child = Bun.spawn([process.execPath, "cli/main.ts", ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH!, HOME: directory, QSOLOG_DATA_DIR: dataDir, QSOLOG_PASSWORD: PASSWORD, ...env },
    stdio: [new Blob([io.stdin ?? ""]), io.out ? Bun.file(io.out) : "ignore", "pipe"],
  });
  const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code !== 0) throw new Error(`${words.join(" ")}: ${said}`);
  return child.resourceUsage()!.maxRSS / MB;
}

function overRest(name: string, most: number, rest: number): void {
  print({ name, value: most - rest, unit: "MB", limit: LIMIT_MB });
}

async function anEmptyDatabase(server: string, name: string): Promise<string> {
  const database = name.replace("-", "_");
  const connection = new SQL(server, { max: 1 });
  await connection.unsafe(`CREATE DATABASE ${database}`);
  await connection.close();
  return Object.assign(new URL(server), { pathname: `/${database}` }).toString();
}

async function asked<T>({ database }: Place, unit: () => Unit<T>): Promise<T> {
  const db = await openDatabase(database, { time: TIME });
  try {
    return await db.write(unit);
  } finally {
    await db.close();
  }
}

/** As after an update whose rules come to something else for each contact. */
async function outdate(place: Place): Promise<void> {
  const changed = await asked(place, () => run`UPDATE qsos SET rules_version = 0, continent = NULL`);
  if (changed === 0) throw new Error("There is nothing to derive.");
}

async function isDerived(place: Place): Promise<boolean> {
  return (await asked(place, () => maybe`SELECT id FROM qsos WHERE rules_version = 0 LIMIT 1`)) === null;
}

/** The job that brought the log. */
async function importOf(place: Place): Promise<number> {
  const isImport = () => maybe<{ id: number }>`
    SELECT id FROM sync_jobs WHERE source = 'file' AND dry_run = 0 AND status = 'completed'`;
  return (await asked(place, isImport))!.id;
}

async function commands(small: Place, large: Place): Promise<void> {
  const acts: [name: string, words: (place: Place) => string[], before?: (place: Place) => Promise<void>][] = [
    ["dry run of an import", ({ file }) => ["qso", "import", file, "--dry-run"]],
    ["import", ({ file }) => ["qso", "import", file]],
    ["export as ADIF", ({ dataDir }) => ["qso", "export", join(dataDir, "log.adi")]],
    ["export as CSV", ({ dataDir }) => ["qso", "export", join(dataDir, "log.csv")]],
    ["backup", ({ dataDir }) => ["db", "backup", join(dataDir, "copy.db")]],
    ["derive, nothing to change", () => ["db", "derive"]],
    ["derive, all to change", () => ["db", "derive"], outdate],
    ["dry run of a sync of LoTW", () => ["sync", "lotw", "--dry-run"]],
    ["sync of LoTW", () => ["sync", "lotw"]],
    ["dry run of a sync of QRZ", () => ["sync", "qrz", "--dry-run"]],
    ["sync of QRZ", () => ["sync", "qrz"]],
    ["preview of a repair", () => ["repair", "--all", "--set", "operator=YU1OP", "--dry-run"]],
    [
      "preview of a repair of half",
      () => ["repair", "--filter", `from=${HALF}`, "--set", "operator=YU1OP", "--dry-run"],
    ],
    ["repair", () => ["repair", "--all", "--set", "operator=YU1OP", "--yes"]],
    ["preview of a rollback", () => ["rollback", String(IMPORT), "--undo", "--dry-run"]],
    ["rollback", () => ["rollback", String(IMPORT), "--undo", "--yes"]],
  ];
  for (const [name, words, before] of acts) {
    // A backup of PostgreSQL is made with its own program.
    if (postgres && name === "backup") continue;
    const held: number[] = [];
    for (const place of [small, large]) {
      await before?.(place);
      held.push(await qsolog(place, words(place)));
    }
    overRest(`command, ${name}`, held[1]!, held[0]!);
  }
}

type Ask = (url: string, init?: RequestInit) => Promise<void>;

async function requests(place: Place, smallFile: string): Promise<void> {
  const headers = { authorization: `Bearer ${await tokenIn(place)}` };
  const json = { ...headers, "content-type": "application/json" };
  const post = (body: unknown) => ({ method: "POST", headers: json, body: JSON.stringify(body) });
  const upload = (file: string) => ({ method: "POST", headers, body: Bun.file(file) });
  const repair = { filter: {}, set: { operator: "YU1OP" } };
  const acts: [name: string, path: string | ((job: number) => string), init?: RequestInit][] = [
    ["dry run of an import", "/api/qsos/import?dryRun=true", upload(place.file)],
    ["import", "/api/qsos/import", upload(place.file)],
    ["export as ADIF", "/api/qsos/export"],
    ["export as CSV", "/api/qsos/export?format=csv"],
    ["dry run of a sync of LoTW", "/api/sync/first", post({ dryRun: true })],
    ["sync of LoTW", "/api/sync/first", post({})],
    ["dry run of a sync of QRZ", "/api/sync/second", post({ dryRun: true })],
    ["sync of QRZ", "/api/sync/second", post({})],
    ["preview of a repair", "/api/repairs", post({ ...repair, dryRun: true })],
    ["preview of a repair of half", "/api/repairs", post({ ...repair, filter: { from: HALF }, dryRun: true })],
    ["repair", "/api/repairs", post(repair)],
  ];
  const last: typeof acts = [
    ["preview of a rollback", (job) => `/api/jobs/${job}/rollback?undo=true`],
    ["rollback", (job) => `/api/jobs/${job}/undo`, post({})],
  ];
  /** Waits until everything that an answer began has ended. */
  const asking =
    (server: string): Ask =>
    async (path, init = {}) => {
      const answer = await fetch(server + path, { headers, ...init });
      let said = "";
      for await (const piece of answer.body!) if (said.length < 1_000) said += Buffer.from(piece).toString();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${said}`);
      await ended(server, headers);
    };
  const rested = async (ask: Ask, pid: number): Promise<number> => {
    for (let n = 0; n < 20; n++) await ask("/api/stats");
    await ask("/api/qsos/import?dryRun=true", upload(smallFile));
    await Bun.sleep(REST_MS);
    return residentOf(pid);
  };
  const serving = async (work: (ask: Ask, pid: number) => Promise<number>): Promise<number> => {
    const server = await qsologServing(place, place.env);
    try {
      return await work(asking(server.url), server.pid);
    } finally {
      await server.stop();
    }
  };
  const measured = async (some: typeof acts) => {
    for (const [name, path, init] of some)
      await serving(async (ask, pid) => {
        const rest = await rested(ask, pid);
        writeFileSync(`/proc/${pid}/clear_refs`, "5");
        await ask(typeof path === "string" ? path : path(await importOf(place)), init);
        overRest(`server, ${name}`, mostOf(pid), rest);
        return rest;
      });
  };
  await measured(acts);
  const rest = await serving(rested);
  await outdate(place);
  const most = await serving(async (_, pid) => {
    while (!(await isDerived(place))) await Bun.sleep(LOOK_EVERY_MS);
    return mostOf(pid);
  });
  overRest("server, derive at the start, all to change", most, rest);
  await measured(last);
}

async function tokenIn(place: Place): Promise<string> {
  const out = join(directory, "token.json");
  await qsolog(place, ["token", "create", "bench", "--scope", "write", "--json"], { out });
  return (JSON.parse(readFileSync(out, "utf8")) as { token: string }).token;
}

/** Until no job is under way; fails where one has failed. */
async function ended(url: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const { jobs } = (await (await fetch(`${url}/api/jobs`, { headers })).json()) as {
      jobs: { status: string; error: { message: string } | null }[];
    };
    const failed = jobs.find(({ status }) => status === "failed");
    if (failed) throw new Error(failed.error?.message ?? "a job failed");
    if (!jobs.some(({ status }) => status === "pending" || status === "running")) return;
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

/** In megabytes, the most that was in memory since the kernel was asked to forget. */
function mostOf(pid: number): number {
  const line = readFileSync(`/proc/${pid}/status`, "utf8").match(/VmHWM:\s+(\d+) kB/);
  return Number(line?.[1] ?? 0) / 1024;
}
