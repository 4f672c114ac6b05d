import { expect, setDefaultTimeout, test } from "bun:test";
import { createSocket, type Socket } from "node:dgram";
import { connect } from "node:net";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MINUTE } from "../../src/kernel/clock.ts";
import { createToken } from "../../src/people/tokens.ts";
import { many } from "../../src/storage/engine/unit.ts";
import { adifOf, contest, loggedAdif, n1mm, qsoLogged } from "../listen/packets.ts";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { isFull } from "../support/full.ts";
import { cleanEnvironment, QSOLOG } from "../support/qsolog.ts";
import { aUser, testWorld } from "../support/world.ts";

setDefaultTimeout(180_000);

const IS_FULL = isFull(import.meta);
const CONTACTS = IS_FULL ? 10_000 : 600;
const KILLS = IS_FULL ? 20 : 6;
const START = Date.UTC(2026, 0, 1);
/** Packets that may be in transit without being lost. */
const MAX_UNHEARD = 100;

/** The output lines of a program as they arrive. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}

const started = (words: readonly string[], env: Record<string, string>) => {
  const child = Bun.spawn([...QSOLOG, ...words], {
    env: cleanEnvironment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  afterTest(() => child.kill("SIGKILL"));
  return child;
};

/** A server that is killed and restarted at the same address. */
const aServer = async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const { token } = await createToken(world, bob.id, { name: "shack", scope: "write" });
  const env = { QSOLOG_DATA_DIR: world.dataDir, QSOLOG_DATABASE_URL: world.config.databaseUrl };
  let port = "0";
  let child: ReturnType<typeof started>;
  const start = async () => {
    child = started(["serve", "--port", port], env);
    const said: string[] = [];
    for await (const line of linesOf(child.stderr)) {
      said.push(line);
      const found = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (found) return void (port = found);
    }
    throw new Error(`The server did not start: ${said.join(" ")}`);
  };
  await start();
  return {
    world,
    bob,
    env: () => ({ QSOLOG_SERVER: `http://127.0.0.1:${port}`, QSOLOG_TOKEN: token }),
    async killed() {
      child.kill("SIGKILL");
      await child.exited;
      await start();
    },
  };
};

interface Ports {
  wsjtx: number;
  n1mm: number;
  adif: number;
}

/** A listener that is killed and restarted on the same ports. Reports the calls it received. */
const aListener = async (env: Record<string, string>, onHeard: (call: string) => void) => {
  const dataDir = aDirectory();
  const ports: Ports = { wsjtx: 0, n1mm: 0, adif: 0 };
  const taken: { call: string; outcome: string }[] = [];
  let child: ReturnType<typeof started>;
  const follow = async (lines: AsyncIterable<string>) => {
    for await (const text of lines) {
      const line = JSON.parse(text);
      if (line.event === "heard") onHeard(line.fields?.CALL);
      if (line.event === "taken") taken.push(line);
    }
  };
  const start = async () => {
    const words = Object.entries(ports).flatMap(([speech, port]) => [`--${speech}`, `127.0.0.1:${port}`]);
    child = started(["listen", ...words, "--json"], { ...env, QSOLOG_DATA_DIR: dataDir });
    const lines = linesOf(child.stdout);
    const first = (await lines.next()).value;
    if (!first) throw new Error(await child.stderr.text());
    for (const { speech, port } of JSON.parse(first).places) ports[speech as keyof Ports] = port;
    void follow(lines).catch(() => {});
  };
  await start();
  const queue = join(dataDir, "listen", "queue.jsonl");
  return {
    ports,
    taken,
    isDone: () => existsSync(queue) && readFileSync(queue, "utf8").trimEnd().split("\n").length === 1,
    async killed() {
      child.kill("SIGKILL");
      await child.exited;
      await start();
    },
    async stopped() {
      child.kill("SIGTERM");
      return { code: await child.exited, err: await child.stderr.text() };
    },
  };
};

const callOf = (n: number): string =>
  `K${n % 10}${[...String(n).padStart(5, "0")].map((digit) => "ABCDEFGHIJ"[Number(digit)]).join("")}`;
const atOf = (n: number): number => START + n * 10 * MINUTE;

/** Sends one contact in the form of one of the programs. */
const send = (socket: Socket, ports: Ports, n: number): void => {
  const made = { call: callOf(n), at: atOf(n) };
  const packet = (bytes: Buffer, port: number) => socket.send(bytes, port, "127.0.0.1");
  if (n % 4 === 0) {
    packet(qsoLogged(made), ports.wsjtx);
    packet(loggedAdif(made), ports.wsjtx);
  } else if (n % 4 === 1) {
    packet(n1mm("contactinfo", contest(made.call, made.at, { ID: `id${n}` })), ports.n1mm);
  } else if (n % 4 === 2) packet(Buffer.from(adifOf(made)), ports.adif);
  else {
    const stream = connect(ports.adif, "127.0.0.1", () => stream.end(adifOf(made)));
    stream.on("error", () => {});
  }
};

// Invariant: a contact that `listen` acknowledged is logged exactly once, whatever is killed
test(`of ${CONTACTS} contacts none is lost or duplicated, although listener and server are killed ${KILLS} times`, async () => {
  const server = await aServer();
  const unheard = new Map(Array.from({ length: CONTACTS }, (_, n) => [callOf(n), n]));
  let heard = Promise.withResolvers<void>();
  const listener = await aListener(server.env(), (call) => {
    if (!unheard.delete(call)) return;
    heard.resolve();
    heard = Promise.withResolvers<void>();
  });
  const socket = createSocket("udp4");
  afterTest(() => socket.close());
  let seed = 20_260_718;
  const chance = (below: number) => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) % below;
  const kills = Array.from({ length: KILLS }, () => chance(CONTACTS)).sort((a, b) => b - a);
  let outage: Promise<void> = Promise.resolve();

  while (unheard.size > 0) {
    for (const n of [...unheard.values()].slice(0, MAX_UNHEARD)) send(socket, listener.ports, n);
    const wanted = unheard.size - Math.min(unheard.size, MAX_UNHEARD);
    const patience = Bun.sleep(2_000).then(() => "late");
    while (unheard.size > wanted && (await Promise.race([heard.promise, patience])) !== "late") {
      if (kills.length > 0 && unheard.size <= kills[0]!) {
        kills.shift();
        if (kills.length % 2 === 0) await listener.killed();
        else outage = outage.then(() => server.killed());
        break;
      }
    }
  }
  await outage;
  while (!listener.isDone()) await Bun.sleep(20);
  const { code } = await listener.stopped();

  expect([code, kills.length]).toEqual([0, 0]);
  const contacts = await server.world.db.read(
    () =>
      many<{ call: string; startedAt: number }>`SELECT call, started_at AS "startedAt" FROM qsos ORDER BY started_at`,
  );
  expect(contacts.length).toBe(CONTACTS);
  expect(contacts).toEqual(Array.from({ length: CONTACTS }, (_, n) => ({ call: callOf(n), startedAt: atOf(n) })));
  const jobs = await server.world.db.read(() => many<{ client: string }>`SELECT DISTINCT client FROM sync_jobs`);
  expect(jobs.map(({ client }) => client).sort()).toEqual(["ADIF", "N1MM", "WSJT-X"]);
});
