import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Postgres {
  url: string;
  port: number;
  /** The directory of all its files. */
  home: string;
  /** Stops it, as after a crash or for a restart. */
  halt(how?: "immediate" | "fast"): void;
  /** Starts the same server again at the same address. */
  resume(): void;
  /** Promotes a standby. */
  promote(): void;
  stop(): void;
}

interface Options {
  /** Settings that differ from a server without durability. */
  settings?: readonly string[];
  /** Follows this server as a standby. */
  following?: Postgres;
  /** Suggests a port; called again if another process took it. */
  nextPort?: () => number;
}

const NOBODY = 65_534;
const PORTS_TRIED = 5;

/** Starts a temporary PostgreSQL server on loopback. Returns null if none is installed. */
export const startPostgres = ({
  settings: more = [],
  following,
  nextPort = freePort,
}: Options = {}): Postgres | null => {
  const bin = binaries();
  if (!bin) return null;
  const home = mkdtempSync(join(tmpdir(), "qsolog-postgres-"));
  const asRoot = process.getuid?.() === 0;
  if (asRoot) chownSync(home, NOBODY, NOBODY);
  const data = join(home, "data");
  const run = (program: string, ...words: string[]) => {
    const command = [join(bin, program), ...words];
    const started = Bun.spawnSync(asRoot ? ["runuser", "-u", "nobody", "--", ...command] : command, {
      cwd: home,
      stdout: "ignore",
      stderr: "pipe",
    });
    if (started.exitCode !== 0) throw new Error(`${program} failed: ${started.stderr.toString()}`);
  };
  if (following) {
    const from = `host=127.0.0.1 port=${following.port} user=qsolog application_name=follower`;
    run("pg_basebackup", "-D", data, "-R", "-X", "stream", "-c", "fast", "--no-sync", "-d", from);
  } else run("initdb", "-D", data, "-A", "trust", "-U", "qsolog", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8");
  const settings = ["fsync=off", "full_page_writes=off", "max_wal_size=4GB", "max_connections=300", ...more];
  const log = join(home, "log");
  const startAt = (port: number) => {
    const flags = [`-p ${port} -k ${home} -c listen_addresses=127.0.0.1`, ...settings.map((one) => `-c ${one}`)];
    run("pg_ctl", "-D", data, "-w", "-l", log, "-o", flags.join(" "), "start");
  };
  const halt = (how = "immediate") => run("pg_ctl", "-D", data, "-m", how, "stop");
  const guard = whoEndsIt(home, `${bin}/pg_ctl -D ${data} -m immediate stop`, asRoot);
  const port = onAPort(startAt, nextPort, () => readFileSync(log, "utf8").includes("could not bind"));
  let isRunning = true;
  return {
    url: `postgres://qsolog@127.0.0.1:${port}/postgres`,
    port,
    home,
    halt(how) {
      halt(how);
      isRunning = false;
    },
    resume() {
      startAt(port);
      isRunning = true;
    },
    promote: () => run("pg_ctl", "-D", data, "-w", "promote"),
    stop() {
      if (isRunning) halt();
      rmSync(home, { recursive: true, force: true });
      void guard.stdin.end();
    },
  };
};

/** A port that was free when it was chosen can be taken when it is used. Returns the port that worked. */
const onAPort = (startAt: (port: number) => void, nextPort: () => number, wasTaken: () => boolean): number => {
  for (let tries = 1; ; tries++) {
    const port = nextPort();
    try {
      startAt(port);
      return port;
    } catch (error) {
      if (tries === PORTS_TRIED || !wasTaken()) throw error;
    }
  }
};

/** The server is not a child process. This helper stops it when its stdin closes, however the test process ends. */
const whoEndsIt = (home: string, stop: string, asRoot: boolean) => {
  const asNobody = asRoot ? "runuser -u nobody -- " : "";
  const guard = Bun.spawn(
    ["sh", "-c", `read -r _; cd /; test ! -d ${home} || { ${asNobody}${stop}; rm -rf ${home}; }`],
    {
      cwd: home,
      stdin: "pipe",
      stdout: "ignore",
      stderr: "ignore",
      // In a process group of its own, so that Ctrl-C does not end it.
      detached: true,
    },
  );
  guard.unref();
  return guard;
};

export const isInstalled = (): boolean => binaries() !== null;

const binaries = (): string | null => {
  try {
    const root = "/usr/lib/postgresql";
    const newest = readdirSync(root)
      .sort((a, b) => Number(a) - Number(b))
      .at(-1);
    return newest ? join(root, newest, "bin") : null;
  } catch {
    return null;
  }
};

const freePort = (): number => {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
};
