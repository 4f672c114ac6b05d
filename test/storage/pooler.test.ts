import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import { one } from "../../src/storage/engine/unit.ts";
import { afterTest } from "../support/cleanup.ts";
import { aPostgresDatabase } from "../support/databases.ts";
import { aDirectory } from "../support/directory.ts";
import { aUser, ENGINE, NOON, testWorld } from "../support/world.ts";
import { typeContacts } from "../upkeep/log.ts";

setDefaultTimeout(60_000);

const PGBOUNCER = Bun.which("pgbouncer", { PATH: `${process.env.PATH}:/usr/sbin` });
const MAX_WAIT_MS = 10_000;

const aFreePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** A pooler with its own defaults before a new database, and the address to reach the database through it. */
const aPooler = async (mode: "session" | "transaction"): Promise<string> => {
  const direct = new URL(await aPostgresDatabase(NOON));
  const port = await aFreePort();
  const folder = aDirectory();
  chmodSync(folder, 0o777);
  const name = direct.pathname.slice(1);
  const password = direct.password === "" ? "" : ` password=${direct.password}`;
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
${name} = host=${direct.hostname} port=${direct.port} user=${direct.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
  );
  const command = process.getuid!() === 0 ? ["runuser", "-u", "nobody", "--", PGBOUNCER!] : [PGBOUNCER!];
  const child = Bun.spawn([...command, "-q", file], { stdio: ["ignore", "ignore", "ignore"] });
  afterTest(() => child.kill());
  await untilListening(port);
  const through = new URL(direct);
  through.host = `127.0.0.1:${port}`;
  return through.toString();
};

const untilListening = async (port: number): Promise<void> => {
  for (let waited = 0; waited < MAX_WAIT_MS; waited += 20) {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } }).catch(() => null);
    if (socket) return void socket.end();
    await Bun.sleep(20);
  }
  throw new Error("the pooler does not listen");
};

describe.skipIf(ENGINE !== "postgres" || PGBOUNCER === null)("behind pgbouncer as it comes", () => {
  test("in session mode everything works, with the limits of each transaction", async () => {
    const world = await testWorld({ databaseUrl: await aPooler("session") });
    const ann = await aUser(world, "ann");
    await typeContacts(world, ann.id, 50);

    const { limit } = await world.db.read(
      () => one<{ limit: string }>`SELECT current_setting('lock_timeout') AS "limit"`,
    );

    expect(limit).toBe("5s");
  });

  test("in transaction mode the message says what to set", async () => {
    const db = await openDatabase(await aPooler("transaction"), { time: SYSTEM_TIME });
    afterTest(() => db.close());
    const ask = (n: number) => db.read(() => one<{ n: number }>`SELECT CAST(${n} AS BIGINT) AS n`);

    const answers = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => ask(n)));

    const messages = answers.flatMap((answer) => (answer.status === "rejected" ? [String(answer.reason.message)] : []));
    expect(new Set(messages)).toEqual(
      new Set(["A pooler in transaction mode changes the connection between two statements. Set pool_mode = session."]),
    );
  });
});
