import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { aShellWithUsers, cleanEnvironment, PASSWORD, QSOLOG, ROOT } from "../support/qsolog.ts";
import { saidUntil } from "../support/serving.ts";
import { ENGINE } from "../support/world.ts";

const LIMIT = 300;
const CONNECTIONS = 400;
const TEST_MS = 120_000;

const aPort = (): number => {
  const server = Bun.serve({ port: 0, fetch: () => new Response("") });
  const port = server.port!;
  void server.stop(true);
  return port;
};

/** Opens connections and sends the first half of a request on each, again and again. */
const FLOOD = `
  const { connect } = require("node:net");
  const open = () => {
    const socket = connect(Number(process.env.PORT), "127.0.0.1", () => socket.write("GET / HTTP/1.1\\r\\nHost: x\\r\\n"));
    socket.on("error", () => {});
    socket.on("close", () => setTimeout(open, 50));
  };
  for (let n = 0; n < ${CONNECTIONS}; n++) open();`;

const isHealthy = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
};

const until = async (isTrue: () => boolean | Promise<boolean>) => {
  for (let left = 60; left > 0 && !(await isTrue()); left--) await Bun.sleep(500);
  expect(await isTrue()).toBe(true);
};

// Defence: running out of descriptors never ends the server, not even in its first second
test(
  "unfinished requests from before the start on take all connections, and the server lives on",
  async () => {
    const [port, dataDir] = [aPort(), aDirectory()];
    const command = `ulimit -n ${LIMIT}; exec "$@"`;
    const child = Bun.spawn(["sh", "-c", command, "sh", ...QSOLOG, "serve"], {
      cwd: "/",
      env: cleanEnvironment({ QSOLOG_PORT: String(port), QSOLOG_DATA_DIR: dataDir }),
      stdio: ["ignore", "ignore", "pipe"],
    });
    afterTest(() => child.kill("SIGKILL"));
    const flood = Bun.spawn([process.execPath, "-e", FLOOD], {
      env: { PORT: String(port) },
      stdio: ["ignore", "ignore", "ignore"],
    });
    afterTest(() => flood.kill("SIGKILL"));
    const file = join(dataDir, "qsolog.log");
    const log = () => (existsSync(file) ? readFileSync(file, "utf8") : "");

    await until(() => log().includes("server.connections_paused"));
    await Bun.sleep(3_000);

    expect(child.exitCode).toBeNull();
    expect(log()).toContain("server.few_descriptors");
    flood.kill("SIGKILL");
    await until(() => isHealthy(`http://127.0.0.1:${port}`));
    expect(log()).toContain("server.connections_resumed");
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  },
  TEST_MS,
);

// A database server would need a connection.
test.skipIf(ENGINE !== "sqlite")(
  "a server from source signs people in when no descriptor is left as soon as it listens",
  async () => {
    const qsolog = await aShellWithUsers({ username: "bob" });
    const command = `ulimit -n ${LIMIT}; exec "$@"`;
    const preload = join(ROOT, "test/e2e/no-descriptors.ts");
    const serve = ["bun", "--preload", preload, join(ROOT, "cli/main.ts"), "serve"];
    const child = Bun.spawn(["sh", "-c", command, "sh", ...serve], {
      cwd: "/",
      env: cleanEnvironment({
        QSOLOG_PORT: "0",
        TEST_SIGN_IN: JSON.stringify({ username: "bob", password: PASSWORD }),
        ...(await qsolog.place()),
      }),
      stdio: ["ignore", "ignore", "pipe"],
    });
    afterTest(() => child.kill("SIGKILL"));

    expect(await saidUntil(child.stderr, /sign-in answered \d+\n/)).toContain("sign-in answered 200");
  },
  TEST_MS,
);
