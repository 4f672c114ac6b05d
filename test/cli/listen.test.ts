import { expect, test } from "bun:test";
import { createSocket } from "node:dgram";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readPlace } from "../../src/listen/ports.ts";
import { many } from "../../src/storage/engine/unit.ts";
import { contest, n1mm, qsoLogged } from "../listen/packets.ts";
import { afterTest } from "../support/cleanup.ts";
import { cleanEnvironment, QSOLOG } from "../support/qsolog.ts";
import { served } from "./served.ts";
import { aCommandLine, type CommandLine } from "./services.ts";

const AT = Date.UTC(2026, 6, 18, 12);
const ID = "E7A1B2C3";

/** A listener on this machine's log, whose output a test reads line by line. */
const listening = async ({ world }: CommandLine, words: readonly string[], env: Record<string, string> = {}) => {
  const child = Bun.spawn([...QSOLOG, "listen", ...words], {
    env: cleanEnvironment({ QSOLOG_DATA_DIR: world.dataDir, QSOLOG_DATABASE_URL: world.config.databaseUrl, ...env }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  afterTest(() => child.kill("SIGKILL"));
  const reader = child.stdout.getReader();
  let said = "";
  const until = async (wanted: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = wanted.exec(said);
      if (found) return found;
      const { value, done } = await reader.read();
      if (done) throw new Error(`${said}\n${await child.stderr.text()}`);
      said += new TextDecoder().decode(value);
    }
  };
  const [, port] = await until(/port (\d+)\. Press Ctrl-C/);
  const socket = createSocket("udp4");
  afterTest(() => socket.close());
  return {
    until,
    said: () => said,
    send: (packet: Uint8Array, to = Number(port)) => socket.send(packet, to, "127.0.0.1"),
    async stopped() {
      child.kill("SIGTERM");
      return child.exited;
    },
  };
};

const contacts = ({ world }: CommandLine) =>
  world.db.read(() => many<{ call: string; name: string | null }>`SELECT call, name FROM qsos ORDER BY id`);

const changes = ({ world }: CommandLine) =>
  world.db.read(
    () => many<{ source: string; client: string }>`
      SELECT j.source, j.client FROM qso_changes c JOIN sync_jobs j ON j.id = c.job_id ORDER BY c.id`,
  );

test("a contact from WSJT-X prints a line and is added to the local log", async () => {
  const line = await aCommandLine();
  const listener = await listening(line, ["--wsjtx", "127.0.0.1:0"]);

  listener.send(qsoLogged({ call: "K1ABC", at: AT }));
  await listener.until(/K1ABC 20m FT8: logged, new entity.*\n/);
  listener.send(Buffer.from("nonsense"));
  await listener.until(/Could not read 1 packet, the last one from 127\.0\.0\.1: not a WSJT-X packet\n/);

  expect(await listener.stopped()).toBe(0);
  expect(await contacts(line)).toEqual([{ call: "K1ABC", name: null }]);
  expect(await changes(line)).toEqual([{ source: "feed", client: "WSJT-X" }]);
  expect(readFileSync(join(line.world.dataDir, "listen/queue.jsonl"), "utf8").trim().split("\n")).toHaveLength(1);
});

test("an edit in N1MM is one change of the contact, and a deletion removes it", async () => {
  const line = await aCommandLine();
  const listener = await listening(line, ["--n1mm", "127.0.0.1:0"]);
  listener.send(n1mm("contactinfo", contest("K1ABC", AT, { ID, name: "Joe" })));
  await listener.until(/K1ABC 20m CW: logged/);

  listener.send(n1mm("contactdelete", { app: "N1MM", call: "K1ABC", ID }));
  listener.send(n1mm("contactreplace", contest("K1ABD", AT, { ID, name: "Jim" })));
  await listener.until(/K1ABD 20m CW: updated/);
  expect(await contacts(line)).toEqual([{ call: "K1ABD", name: "Jim" }]);
  expect(await changes(line)).toHaveLength(2);
  listener.send(n1mm("contactdelete", { app: "N1MM", call: "K1ABD", ID }));
  await listener.until(/K1ABD 20m CW: deleted/);

  expect(await contacts(line)).toEqual([]);
  expect(listener.said()).not.toContain("K1ABC 20m CW: deleted");
  for (const change of await changes(line)) expect(change).toEqual({ source: "feed", client: "N1MM" });
  expect(await listener.stopped()).toBe(0);
});

test("two listeners do not share a queue, and a port in use is reported", async () => {
  const line = await aCommandLine();
  const listener = await listening(line, ["--adif", "127.0.0.1:0"]);
  const taken = createSocket("udp4");
  afterTest(() => taken.close());
  await new Promise<void>((bound) => taken.bind(0, "127.0.0.1", () => bound()));

  const second = await line.qsolog(["listen", "--n1mm", "127.0.0.1:0"]);
  expect([second.code, second.err.includes("Another qsolog listen is already running")]).toEqual([3, true]);
  await listener.stopped();
  const third = await line.qsolog(["listen", "--n1mm", String(taken.address().port)]);
  expect([third.code, third.err.includes("another program already uses this port")]).toEqual([1, true]);
});

test("the key of a program is enough to send contacts to a server", async () => {
  const line = await aCommandLine();
  const { env } = await served(line, { scope: "feed" });
  const listener = await listening(line, ["--wsjtx", "127.0.0.1:0"], env);

  listener.send(qsoLogged({ call: "K1ABC", at: AT }));
  await listener.until(/K1ABC .*: logged/);

  expect(await contacts(line)).toMatchObject([{ call: "K1ABC" }]);
  expect(await changes(line)).toMatchObject([{ source: "feed" }]);
});

test("a server that never responds delays neither the exit nor the queue", async () => {
  const line = await aCommandLine();
  const asked = Promise.withResolvers<void>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: () => (asked.resolve(), new Promise<Response>(() => {})),
  });
  afterTest(() => server.stop(true));
  const env = { QSOLOG_SERVER: `http://127.0.0.1:${server.port}`, QSOLOG_TOKEN: "qsl_any" };
  const listener = await listening(line, ["--wsjtx", "127.0.0.1:0"], env);
  listener.send(qsoLogged({ call: "K1ABC", at: AT }));
  await asked.promise;
  const began = performance.now();

  expect(await listener.stopped()).toBe(0);

  expect(performance.now() - began).toBeLessThan(15_000);
  expect(readFileSync(join(line.world.dataDir, "listen/queue.jsonl"), "utf8")).toContain("K1ABC");
});

test("multicast packets are received even if other programs listen too", async () => {
  const line = await aCommandLine();
  const listener = await listening(line, ["--wsjtx", "224.0.0.1:0"]);
  const port = Number(/224\.0\.0\.1 port (\d+)/.exec(listener.said())![1]);
  const other = createSocket({ type: "udp4", reuseAddr: true });
  const sender = createSocket("udp4");
  afterTest(() => (other.close(), sender.close()));
  await new Promise<void>((bound) => other.bind(port, "224.0.0.1", () => bound()));
  await new Promise<void>((bound) => sender.bind(0, () => bound()));
  sender.setMulticastInterface("127.0.0.1");
  sender.setMulticastLoopback(true);

  sender.send(qsoLogged({ call: "K1ABC", at: AT }), port, "224.0.0.1");

  await listener.until(/K1ABC 20m FT8: logged/);
  expect(await listener.stopped()).toBe(0);
});

test.each([
  ["nothing to listen to", [], "Use at least one of --wsjtx, --n1mm and --adif"],
  ["a name", ["--wsjtx", "localhost"], "--wsjtx must be a port, an address or ADDRESS:PORT"],
  ["a port that is none", ["--adif", "70000"], "--adif: 70000 is not a valid port"],
])("%s is refused", async (_name, words, message) => {
  const { qsolog } = await aCommandLine();

  const { code, err } = await qsolog(["listen", ...words]);

  expect([code, err.includes(message)]).toEqual([2, true]);
});

test.each([
  [true, "127.0.0.1", 2237],
  ["2238", "127.0.0.1", 2238],
  ["224.0.0.1", "224.0.0.1", 2237],
  ["0.0.0.0:2240", "0.0.0.0", 2240],
  ["[::1]:2240", "::1", 2240],
  ["::1", "::1", 2237],
] as const)("%p is the address %s and the port %i", (text, host, port) => {
  expect(readPlace("--wsjtx", text, "wsjtx")).toEqual({ host, port });
});
