import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToken } from "../../src/people/tokens.ts";
import type { Database } from "../../src/storage/database.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { TIME } from "../../src/time.ts";
import { addUser } from "./database.ts";

const ROOT = join(import.meta.dir, "../..");

export interface Installation {
  dataDir: string;
  file: string;
  db: Database;
  userId: number;
  /** Lets the user's programs in. */
  token: string;
}

/** A data directory with one user, gone when the work is done. */
export const withInstallation = async (work: (installation: Installation) => Promise<void>): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
  const file = join(dataDir, "qsolog.db");
  const db = await openDatabase(file, { time: TIME });
  const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));
  try {
    await migrate(db, Date.now());
    const userId = await addUser(db, "owner");
    const { token } = await createToken({ db, clock: Date.now, random }, userId, { name: "bench", scope: "write" });
    await work({ dataDir, file, db, userId, token });
  } finally {
    await db.close();
    rmSync(dataDir, { recursive: true });
  }
};

export interface Running {
  url: string;
  pid: number;
  stop(): Promise<void>;
  /** Ends it at once, and gives the milliseconds of the processor that it took. */
  kill(): Promise<number>;
}

/** Starts a program and waits until it has said where it listens. */
export const started = async (
  words: readonly string[],
  env: Record<string, string> = {},
  program = process.execPath,
): Promise<Running> => {
  const child = Bun.spawn([program, ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH!, HOME: process.env.HOME ?? "/tmp", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await child.exited;
  };
  const kill = async () => {
    child.kill("SIGKILL");
    await child.exited;
    return Number(child.resourceUsage()!.cpuTime.total) / 1_000;
  };
  const url = await Promise.any([addressIn(child.stdout), addressIn(child.stderr)]);
  return { url, pid: child.pid, stop, kill };
};

/** The milliseconds of the processor that a program takes until it has answered once. */
export const startOf = async (start: () => Promise<Running>, path: string): Promise<number> => {
  const server = await start();
  await (await fetch(server.url + path)).text();
  return server.kill();
};

const addressIn = async (stream: Bun.Subprocess<"ignore", "pipe", "pipe">["stdout"]): Promise<string> => {
  const reader = stream.getReader();
  let said = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`It ended before it listened: ${said}`);
    said += new TextDecoder().decode(value);
    const url = said.match(/^(?:.*listening on )?(http:\/\/\S+)\n/m)?.[1];
    if (url) return url;
  }
};

export const qsologServing = ({ dataDir }: Pick<Installation, "dataDir">, env: Record<string, string> = {}) =>
  started(["cli/main.ts", "serve"], { QSOLOG_DATA_DIR: dataDir, QSOLOG_PORT: "0", ...env });

/** In megabytes, what of it is in memory now. */
export const residentOf = (pid: number): number => {
  const line = readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+) kB/);
  return Number(line?.[1] ?? 0) / 1024;
};

const TICK_MS = 10;

/** Of all its threads, since it began; on a busy machine it says more than the time that passed. */
export const processorMsOf = (pid: number): number => {
  const figures = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
  return (Number(figures[11]) + Number(figures[12])) * TICK_MS;
};
