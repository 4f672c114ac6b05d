// The measured program: a directory with the sources of this checkout or another commit. It is only used through
// commands and requests, so the same suites measure every commit.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Program {
  name: string;
  directory: string;
}

const PASSWORD = "correct horse battery";

/** A database server: its address and its processes. */
export interface DatabaseServer {
  url: string;
  processes(): number[];
}

const children = new Set<Bun.Subprocess>();

process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** Ends a child process together with this one, even if a suite fails. */
export const endedWithUs = <T extends Bun.Subprocess>(child: T): T => {
  children.add(child);
  void child.exited.then(() => children.delete(child));
  return child;
};

interface Ran {
  stdout: string;
  processorMs: number;
}

/** Runs a command to its end. */
export const ran = (words: readonly string[], env: Record<string, string> = {}, input = ""): Ran => {
  const { exitCode, stdout, stderr, resourceUsage } = Bun.spawnSync([...words], {
    env: { PATH: process.env.PATH!, HOME: process.env.HOME ?? "/tmp", ...env },
    stdin: Buffer.from(input),
  });
  if (exitCode !== 0) throw new Error(`${words.join(" ")}: ${stderr.toString()}${stdout.toString()}`);
  return { stdout: stdout.toString(), processorMs: Number(resourceUsage.cpuTime.total) / 1_000 };
};

/** A data directory with one user, and the command that starts the program on it. */
export class Installation {
  readonly dataDir = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
  readonly token: string;
  readonly #words: readonly string[];
  readonly #env: Record<string, string>;
  readonly #database: DatabaseServer | undefined;

  constructor({ directory }: Program, env: Record<string, string> = {}, database?: DatabaseServer) {
    this.#words = [process.execPath, join(directory, "cli/main.ts")];
    this.#database = database;
    this.#env = {
      QSOLOG_DATA_DIR: this.dataDir,
      QSOLOG_PORT: "0",
      QSOLOG_PACE: "0",
      QSOLOG_USER: "ann",
      ...(database && { QSOLOG_DATABASE_URL: database.url }),
      ...env,
    };
    this.run(["user", "create", "ann", "--password-stdin"], PASSWORD);
    const made = this.run(["token", "create", "bench", "--scope", "write", "--json"]);
    this.token = (JSON.parse(made.stdout) as { token: string }).token;
  }

  /** Runs a command. An executable can replace the sources. */
  run(words: readonly string[], input = "", program = this.#words): Ran {
    return ran([...program, ...words], this.#env, input);
  }

  /** Starts the server and waits until it listens. */
  async serve(program = this.#words): Promise<Server> {
    const child = endedWithUs(
      Bun.spawn([...program, "serve"], {
        env: { PATH: process.env.PATH!, HOME: process.env.HOME ?? "/tmp", ...this.#env },
        stdio: ["ignore", "ignore", "pipe"],
      }),
    );
    let said = "";
    for await (const piece of child.stderr) {
      said += Buffer.from(piece).toString();
      const url = said.match(/listening on (http:\/\/\S+)\n/)?.[1];
      if (url) return new Server(child, url, this.token, this.#database);
    }
    throw new Error(`The server ended before it listened: ${said}`);
  }

  remove(): void {
    rmSync(this.dataDir, { recursive: true });
  }
}

export interface Job {
  id: number;
  status: string;
  error: { message: string } | null;
  stats: { fetched: number };
}

const BETWEEN_LOOKS_MS = 50;

export class Server {
  readonly url: string;
  readonly #child: Bun.Subprocess<"ignore", "ignore", "pipe">;
  readonly #token: string;
  readonly #database: DatabaseServer | undefined;

  constructor(
    child: Bun.Subprocess<"ignore", "ignore", "pipe">,
    url: string,
    token: string,
    database: DatabaseServer | undefined,
  ) {
    this.#child = child;
    this.url = url;
    this.#token = token;
    this.#database = database;
  }

  /** Sends a request as a program of the user and returns the text. */
  async ask(path: string, { headers, ...options }: RequestInit = {}): Promise<string> {
    const authorization = `Bearer ${this.#token}`;
    const answer = await fetch(this.url + path, {
      ...options,
      headers: { ...(headers === undefined && { authorization }), ...(headers as Record<string, string>) },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${text.slice(0, 300)}`);
    return text;
  }

  async json<T>(path: string, method = "GET", body?: unknown): Promise<T> {
    const headers = { authorization: `Bearer ${this.#token}`, "content-type": "application/json" };
    return JSON.parse(
      await this.ask(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }),
    ) as T;
  }

  /** The session cookie of the user's browser. */
  async cookie(): Promise<string> {
    const body = new URLSearchParams({ username: "ann", password: PASSWORD });
    const answer = await fetch(`${this.url}/login`, { method: "POST", body, redirect: "manual" });
    const cookies = answer.headers.getSetCookie().map((line) => line.split(";")[0]!);
    if (cookies.length === 0) throw new Error(`Signing in was answered with ${answer.status}.`);
    return cookies.join("; ");
  }

  /** Waits until a job has ended. */
  async end(job: Job): Promise<Job> {
    for (;;) {
      const { job: now } = await this.json<{ job: Job }>(`/api/jobs/${job.id}`);
      if (now.status === "completed") return now;
      if (!["pending", "queued", "running"].includes(now.status))
        throw new Error(`The job ${now.status}: ${now.error?.message}`);
      await Bun.sleep(BETWEEN_LOOKS_MS);
    }
  }

  /** Processor time of the server for some work, including the database server. */
  async processorMs(work: () => Promise<unknown>): Promise<number> {
    const before = this.#threads();
    await work();
    let taken = 0;
    for (const [thread, nanoseconds] of this.#threads()) taken += nanoseconds - (before.get(thread) ?? 0);
    return taken / 1e6;
  }

  /** Nanoseconds per thread. The count of an ended thread is lost, so the sum alone could decrease. */
  #threads(): Map<string, number> {
    const taken = new Map<string, number>();
    for (const pid of [this.#child.pid, ...(this.#database?.processes() ?? [])]) {
      for (const thread of threadsOf(pid)) {
        const nanoseconds = nanosecondsOf(pid, thread);
        if (nanoseconds !== null) taken.set(thread, nanoseconds);
      }
    }
    return taken;
  }

  /** Current memory, and the peak since the last reset, in megabytes. */
  memory(): { resident: number; peak: number } {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    const of = (name: string) => Number(status.match(new RegExp(`${name}:\\s+(\\d+) kB`))![1]) / 1024;
    return { resident: of("VmRSS"), peak: of("VmHWM") };
  }

  forgetPeak(): void {
    writeFileSync(`/proc/${this.#child.pid}/clear_refs`, "5");
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#child.exited;
  }

  /** Kills it and returns its total processor time in milliseconds. */
  async kill(): Promise<number> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
    return Number(this.#child.resourceUsage()!.cpuTime.total) / 1_000;
  }
}

/** Empty if the process has ended. */
const threadsOf = (pid: number): string[] => (existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : []);

/** Processor time of a thread, or null if it has ended. */
const nanosecondsOf = (pid: number, thread: string): number | null => {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  } catch {
    return null;
  }
};
