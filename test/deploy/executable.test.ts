import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterTest } from "../support/cleanup.ts";
import { isFull } from "../support/full.ts";
import { PASSWORD, ROOT } from "../support/qsolog.ts";
import { readable } from "../tui/tui.ts";
import { addressIn, LISTENING, saidUntil } from "../support/serving.ts";
import { anOrdinaryUser, build, copied, MISSING, ORDINARY_USER } from "./executable.ts";
import { version } from "../../package.json";

setDefaultTimeout(120_000);

const COMMIT = "abc1234";
const ELF_MACHINE = 18;
const AARCH64 = 183;
const LOG = `A log of two contacts
<ADIF_VER:5>3.1.4 <EOH>
<CALL:5>K1AAA <QSO_DATE:8>20240718 <TIME_ON:6>014300 <BAND:3>20m <MODE:2>CW <EOR>
<CALL:6>DL1ABC <QSO_DATE:8>20240719 <TIME_ON:6>100000 <BAND:3>40m <MODE:3>FT8 <EOR>
`;

/** Code for second factors is loaded on demand: keys for codes, and the passkey library. */
const factorsIn = async (url: string, token: string): Promise<unknown[]> => {
  const post = (path: string, body: object) =>
    fetch(`${url}/api/me/factors/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const clientDataJSON = Buffer.from(JSON.stringify({ challenge: "made up" })).toString("base64url");
  const made = await post("passkeys", { name: "made up", passkey: { id: "x", response: { clientDataJSON } } });
  const { error } = (await made.json()) as { error: { fields: { path: string }[] } };
  return [(await post("app", {})).status, made.status, error.fields?.[0]?.path];
};

const name = `the executable, for an ordinary user in an empty directory${MISSING ? ` (${MISSING})` : ""}`;
describe.skipIf(MISSING !== null)(name, () => {
  let program = "";
  beforeAll(async () => {
    const given = process.env.QSOLOG_TEST_PROGRAM;
    if (given !== undefined && !isFull(import.meta)) return void (program = copied(given));
    const built = await build("qsolog", [], { QSOLOG_COMMIT: COMMIT });
    if (built.code !== 0 || !built.said.includes(COMMIT)) throw new Error(built.said);
    program = built.file;
  });

  // Defence: the executable needs no other files and reveals nothing about where it was built
  test("contains no path of the machine that built it", () => {
    expect(readFileSync(program).includes(`${ROOT}/`)).toBe(false);
  });

  // Defence: the executable needs no other files and reveals nothing about where it was built
  test("runs commands, including the reader thread", async () => {
    const { home, run } = anOrdinaryUser(program);
    const good = async (words: string[], stdin?: string) => {
      const answer = await run(words, stdin);
      expect({ words, ...answer }).toMatchObject({ words, code: 0 });
      return answer.out;
    };

    const said = await good(["--version"]);
    expect(said).toStartWith(`qsolog ${version} (`);
    expect(said).toMatch(/, Bun [\d.]+, SQLite [\d.]+\)\n$/);
    expect(await good(["completion", "bash"])).toContain("complete -F _qsolog qsolog");
    expect(await good(["man"])).toStartWith(".TH QSOLOG 1");
    expect(await good(["--help"])).toContain("Usage: qsolog");
    await good(["admin", "create", "ann", "--callsign", "yu1ann", "--password-stdin"], `${PASSWORD}\n`);
    const imported = JSON.parse(await good(["qso", "import", "-", "--json"], LOG));
    expect(imported.job.stats).toMatchObject({ fetched: 2, added: 2 });
    expect(JSON.parse(await good(["stats", "--json"]))).toMatchObject({ total: 2, entities: 2 });
    expect(JSON.parse(await good(["awards", "dxcc", "--json"]))).toMatchObject({ worked: 2 });
    expect(await good(["qso", "export", "-"])).toContain("<CALL:6>DL1ABC");
    expect(await good(["config"])).toContain("<home>/.local/share/qsolog");
    expect(await good(["db", "backup", "copy.db"])).toContain("1 user, 2 QSOs");
    await good(["rollback", String(imported.job.id), "--undo", "--yes"]);
    expect(JSON.parse(await good(["stats", "--json"]))).toMatchObject({ total: 0 });

    expect(readdirSync(home).sort()).toEqual([".local", "copy.db"]);
    expect(statSync(join(home, "copy.db")).uid).toBe(ORDINARY_USER);
    expect((await run(["tui"])).code).toBe(2);
    expect((await run(["stats", "--user", "nobody-knows"])).code).toBe(5);
  });

  // Defence: files in the current folder cannot run code in the executable or configure it
  test("ignores files in the folder where it runs", async () => {
    const { home, run } = anOrdinaryUser(program);
    writeFileSync(join(home, "bunfig.toml"), 'preload = ["./planted.ts"]\n');
    writeFileSync(join(home, "planted.ts"), 'console.log("planted");\n');
    writeFileSync(join(home, ".env"), "QSOLOG_PORT=planted\n");

    for (const words of [["--version"], ["config"]]) {
      const { code, out, err } = await run(words);
      expect({ words, code, isPlanted: `${out}${err}`.includes("planted") }).toEqual({
        words,
        code: 0,
        isPlanted: false,
      });
    }
  });

  test("serves pages and assets, syncs, and shows the log on a terminal", async () => {
    const { start, run, inTerminal, home } = anOrdinaryUser(program);
    const demo = start(["demo", "--port", "0", "--json"]);
    afterTest(() => demo.kill("SIGKILL"));
    const { url, dataDir, users } = JSON.parse(await saidUntil(demo.stdout, /\n$/));

    const page = await fetch(`${url}/login`);
    expect(page.status).toBe(200);
    const assets = [...(await page.text()).matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map(([, path]) => path);
    expect(assets).toHaveLength(4);
    for (const path of assets) expect((await fetch(`${url}/${path}`)).status).toBe(200);
    const style = await (await fetch(`${url}/${assets.find((path) => path!.endsWith(".css"))}`)).text();
    const fonts = [...style.matchAll(/url\("([^"]+\.woff2)"\)/g)].map(([, name]) => name);
    expect(fonts).toHaveLength(2);
    for (const name of fonts) {
      const font = await fetch(`${url}/assets/${name}`);
      expect([font.headers.get("content-type"), (await font.bytes()).length > 30_000]).toEqual(["font/woff2", true]);
    }
    const bob = { username: "bob", password: users[1].password };
    const signedIn = await fetch(`${url}/api/auth/login`, { method: "POST", body: JSON.stringify(bob) });
    const { token } = (await signedIn.json()) as { token: string };
    const awards = await fetch(`${url}/awards/was`, { headers: { authorization: `Bearer ${token}` } });
    expect(await awards.text()).toContain("<svg");
    expect(await factorsIn(url.replace("127.0.0.1", "localhost"), token)).toEqual([201, 400, "passkey"]);

    const synced = await run(["sync", "second", "--user", "bob", "--data-dir", dataDir, "--json"]);
    expect(JSON.parse(synced.out).job).toMatchObject({ status: "completed" });
    const { jobs } = JSON.parse((await run(["jobs", "list", "--user", "bob", "--data-dir", dataDir, "--json"])).out);
    const failed = jobs.find(({ status }: { status: string }) => status === "failed");
    expect((await run(["rollback", String(failed.id), "--yes", "--data-dir", dataDir])).code).toBe(0);
    const tui = readable(inTerminal(["tui", "--user", "bob", "--data-dir", dataDir]));
    await tui.sees("QSOs");
    tui.type("3");
    await tui.sees("DXCC");
    tui.type("q");
    expect(await tui.exited).toBe(0);

    demo.kill("SIGTERM");
    expect(await demo.exited).toBe(0);
    expect(readdirSync(home)).toEqual([]);
  });

  test("runs a healthy server that stops cleanly and keeps its data private", async () => {
    const { start, run, home } = anOrdinaryUser(program);
    const server = start(["serve"], { QSOLOG_PORT: "0" });
    afterTest(() => server.kill("SIGKILL"));
    const said = await saidUntil(server.stderr, LISTENING);

    const { port } = new URL(addressIn(said));
    expect(said).toContain(`/setup?token=`);
    expect((await run(["healthcheck", "--port", port])).out).toContain("healthy");
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    const dataDir = join(home, ".local/share/qsolog");
    expect(readdirSync(dataDir).sort()).toEqual(["qsolog.db", "qsolog.log", "secret"]);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });
});

const ARM = isFull(import.meta) ? await build("qsolog-linux-arm64", ["--target", "linux-arm64"]) : null;
const IS_OFFLINE = ARM !== null && ARM.code !== 0 && ARM.said.includes("Failed to download");
const NOT_BUILT = ARM === null ? "only in the long form" : IS_OFFLINE ? ARM.said.trim() : null;

test.skipIf(NOT_BUILT !== null)(
  `another machine's executable is built too${NOT_BUILT ? ` (${NOT_BUILT})` : ""}`,
  () => {
    const { code, said, file } = ARM!;
    expect({ code, said }).toMatchObject({ code: 0 });

    const header = readFileSync(file).subarray(0, 20);
    expect(header.subarray(0, 4).toString("latin1")).toBe("\x7fELF");
    expect(header.readUInt16LE(ELF_MACHINE)).toBe(AARCH64);
  },
);

/** An emulated processor takes ten times as long. */
const LONG_MS = 300_000;
const PAUSE_MS = 200;
const ARM_LIBRARIES = "/usr/aarch64-linux-gnu";
const EMULATOR = Bun.which("qemu-aarch64");
const UNTRIED =
  MISSING ??
  NOT_BUILT ??
  (EMULATOR === null || !existsSync(ARM_LIBRARIES) ? "there is no qemu-user with libc6-arm64-cross" : null);

test.skipIf(UNTRIED !== null)(
  `on a Raspberry Pi it keeps a log, and serves its pages${UNTRIED ? ` (${UNTRIED})` : ""}`,
  async () => {
    const { start, run } = anOrdinaryUser(ARM!.file, [EMULATOR!, "-L", ARM_LIBRARIES]);
    const admin = await run(["admin", "create", "ann", "--password-stdin"], PASSWORD);
    expect(admin).toMatchObject({ code: 0 });

    const server = start(["serve"], { QSOLOG_PORT: "0" });
    afterTest(() => server.kill("SIGKILL"));
    const url = addressIn(await saidUntil(server.stderr, LISTENING));
    expect(await (await fetch(`${url}/login`)).text()).toContain("<form");
    const body = JSON.stringify({ username: "ann", password: PASSWORD });
    const signIn = await fetch(`${url}/api/auth/login`, { method: "POST", body });
    const { token } = (await signIn.json()) as { token: string };
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}` } });
    expect((await ask("/api/qsos/import", { method: "POST", body: LOG })).status).toBe(201);
    const isDone = async () => (await (await ask("/api/jobs")).text()).includes('"completed"');
    while (!(await isDone())) await Bun.sleep(PAUSE_MS);
    expect(await (await ask("/api/stats")).json()).toMatchObject({ total: 2, entities: 2 });
    expect((await ask("/api/awards/dxcc")).status).toBe(200);
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
  },
  LONG_MS,
);

test("an unknown target or option is reported, and nothing is built", async () => {
  const target = await build("qsolog-none", ["--target", "plan9"]);
  const option = await build("qsolog-none", ["--targte", "linux-arm64"]);

  expect([target.code, option.code]).toEqual([2, 2]);
  expect(target.said).toContain("There is no target plan9. The targets: linux-x64, linux-arm64");
  expect(option.said).toContain("--targte");
  expect(existsSync(target.file)).toBe(false);
});
