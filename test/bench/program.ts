// The program that is measured: a directory with its sources, of this checkout or of another commit. It is only asked what
// anybody can ask it: commands and requests. So the same suites measure every commit, however it works inside.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Program {
  name: string;
  directory: string;
}

const PASSWORD = "correct horse battery";

/** Where a server keeps its contacts that is no file of its own: its address, and the processes that work for it. */
export interface DatabaseServer {
  url: string;
  processes(): number[];
}

const children = new Set<Bun.Subprocess>();

process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** Ends a child with this process, also when a suite fails. */
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

/** A data directory with one user, and the words that start the program on it. */
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

  /** Runs one of its commands; an executable can take the place of the sources. */
  run(words: readonly string[], input = "", program = this.#words): Ran {
    return ran([...program, ...words], this.#env, input);
  }

  /** Starts the server and waits until it says where it listens. */
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

  /** Asks as one of the user's programs, and gives the answer's text. */
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

  /** The cookie of a browser in which the user has signed in. */
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

  /** The processor time that a piece of work takes of the server, and of the database server where there is one. */
  async processorMs(work: () => Promise<unknown>): Promise<number> {
    const before = this.#threads();
    await work();
    let taken = 0;
    for (const [thread, nanoseconds] of this.#threads()) taken += nanoseconds - (before.get(thread) ?? 0);
    return taken / 1e6;
  }

  /** Nanoseconds by thread. A thread that ends takes its count with it, so the sum alone could fall. */
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

  /** Megabytes in memory now, and at most since the peak was forgotten. */
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

  /** Ends it immediately, and gives the milliseconds of the processor that it took since it began. */
  async kill(): Promise<number> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
    return Number(this.#child.resourceUsage()!.cpuTime.total) / 1_000;
  }
}

/** None where the process has ended. */
const threadsOf = (pid: number): string[] => (existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : []);

/** What a thread took of the processor, or null where it has ended since it was listed. */
const nanosecondsOf = (pid: number, thread: string): number | null => {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  } catch {
    return null;
  }
};
