// Logs with both services that the measured program creates itself, by import and sync.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import type { Service } from "../../src/domain/jobs/source.ts";
import { startPostgres, type Postgres } from "../support/postgres.ts";
import type { Figure } from "./figure.ts";
import { measureLongestWait } from "./onlooker.ts";
import { Installation, type DatabaseServer, type Job, type Program, type Server } from "./program.ts";
import { BOOK_KEY, LOGIN, simulated } from "./simulated-account.ts";

const REST_MS = 2_000;

/** What the suites share: the number of contacts, the simulated services, and one log per program. */
export class Bench {
  readonly contacts: number;
  readonly #onPostgres: boolean;
  readonly #services = new Map<string, Promise<string>>();
  readonly #logs = new Map<Program, Promise<Installation>>();
  #postgres: Postgres | null = null;

  constructor({ contacts, onPostgres }: { contacts: number; onPostgres: boolean }) {
    this.contacts = contacts;
    this.#onPostgres = onPostgres;
  }

  /** A program's log with both services, created on first use. */
  logOf(program: Program): Promise<Installation> {
    let log = this.#logs.get(program);
    if (!log) this.#logs.set(program, (log = this.#makeLog(program)));
    return log;
  }

  /** An installation whose user has accounts with this many contacts at the given services. */
  async withAccounts(program: Program, services: readonly Service[], contacts: number): Promise<Installation> {
    const env: Record<string, string> = {};
    for (const service of services) {
      env[`QSOLOG_${service.toUpperCase()}_URL`] = await this.#serviceWith(service, contacts);
    }
    const installation = new Installation(program, env, this.#onPostgres ? await this.#aDatabase() : undefined);
    if (services.includes("first")) {
      installation.run(["service", "set", "first", "--username", LOGIN.username, "--stdin"], LOGIN.password);
    }
    if (services.includes("second")) installation.run(["service", "set", "second", "--stdin"], BOOK_KEY);
    return installation;
  }

  async end(): Promise<void> {
    for (const log of await Promise.allSettled(this.#logs.values())) {
      if (log.status === "fulfilled") log.value.remove();
    }
    this.#postgres?.stop();
  }

  async #makeLog(program: Program): Promise<Installation> {
    const installation = await this.withAccounts(program, ["first", "second"], this.contacts);
    const server = await installation.serve();
    for (const service of ["first", "second"] as const) await sync(server, service);
    await server.stop();
    return installation;
  }

  #serviceWith(service: Service, contacts: number): Promise<string> {
    const key = `${service} ${contacts}`;
    let started = this.#services.get(key);
    if (!started) this.#services.set(key, (started = rehearsed(service, contacts)));
    return started;
  }

  async #aDatabase(): Promise<DatabaseServer> {
    // Parallel workers are disabled, because the processor time of an ended worker is unknown.
    this.#postgres ??= startPostgres({ settings: ["max_parallel_workers_per_gather=0"] });
    const postgres = this.#postgres;
    if (!postgres) throw new Error("PostgreSQL is not installed.");
    const url = new URL(postgres.url);
    url.pathname = `/bench${crypto.randomUUID().replaceAll("-", "")}`;
    const connection = new SQL(postgres.url);
    await connection.unsafe(`CREATE DATABASE ${url.pathname.slice(1)}`);
    await connection.close();
    const postmaster = readFileSync(join(postgres.home, "data", "postmaster.pid"), "utf8").split("\n")[0]!;
    const processes = () =>
      readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").trim().split(" ").map(Number);
    return { url: url.toString(), processes };
  }
}

const ROOT = join(import.meta.dir, "../..");

/** A service that has already generated its answers, through a dry run. */
const rehearsed = async (service: Service, contacts: number): Promise<string> => {
  const url = await simulated(service, contacts);
  const installation = new Installation(
    { name: "", directory: ROOT },
    { [`QSOLOG_${service.toUpperCase()}_URL`]: url },
  );
  const words = service === "first" ? ["--username", LOGIN.username] : [];
  const secret = service === "first" ? LOGIN.password : BOOK_KEY;
  installation.run(["service", "set", service, ...words, "--stdin"], secret);
  installation.run(["sync", service, "--dry-run"]);
  installation.remove();
  return url;
};

const sync = async (server: Server, service: Service): Promise<Job> => {
  const { job } = await server.json<{ job: Job }>(`/api/sync/${service}`, "POST", { confirm: true });
  return server.end(job);
};

export interface JobFigures {
  seconds: number;
  processorSeconds: number;
  otherRequestMs: number;
  grownMb: number;
  job: Job;
}

/** Measures a job on a server: elapsed time, processor time, the wait of another client, and memory. */
export const measureJob = async (server: Server, work: () => Promise<Job>): Promise<JobFigures> => {
  await Bun.sleep(REST_MS);
  const before = server.memory().resident;
  server.forgetPeak();
  let [seconds, otherRequestMs] = [0, 0];
  let job!: Job;
  const processorMs = await server.processorMs(async () => {
    otherRequestMs = await measureLongestWait(server.url, async () => {
      const began = performance.now();
      job = await work();
      seconds = (performance.now() - began) / 1_000;
    });
  });
  return {
    seconds,
    processorSeconds: processorMs / 1_000,
    otherRequestMs,
    grownMb: server.memory().peak - before,
    job,
  };
};

/** Measures a sync with the same pauses for all programs. */
export const measureSync = (server: Server, service: Service): Promise<JobFigures> =>
  measureJob(server, () => sync(server, service));

/** The values that every job has. */
export const figuresOf = (name: string, { processorSeconds, otherRequestMs, grownMb }: JobFigures): Figure[] => [
  { name: `${name}: processor time`, value: processorSeconds, unit: "s" },
  { name: `${name}: longest wait of another request`, value: otherRequestMs, limit: "otherRequest" },
  { name: `${name}: memory growth`, value: grownMb, limit: "memoryGrowth" },
];
