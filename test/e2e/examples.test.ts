import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, setDefaultTimeout, test } from "bun:test";
import { byOwner } from "../../src/logbook/caller.ts";
import { addTarget } from "../../src/logbook/notices.ts";
import { sendDueNotices } from "../../src/notices/send-due.ts";
import { served } from "../cli/served.ts";
import { aCommandLine, type CommandLine } from "../cli/services.ts";
import { LOCAL } from "../notices/listener.ts";
import { testApp } from "../support/app.ts";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { cleanEnvironment, PASSWORD, QSOLOG, ROOT } from "../support/qsolog.ts";
import { said, sync } from "../support/sync.ts";
import { saidUntil } from "../support/serving.ts";
import { callOf, uploaded } from "../sync/services.ts";

setDefaultTimeout(60_000);

const FOLDER = join(ROOT, "docs/examples");
const EXAMPLES = readdirSync(FOLDER).filter((name) => name !== "README.md");
const IS_INSTALLED = ["curl", "python3"].every((program) => Bun.which(program) !== null);

const startExample = (name: string, words: readonly string[], env: Record<string, string>, stdin = "") =>
  Bun.spawn([join(FOLDER, name), ...words], {
    env: cleanEnvironment(env),
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });

/** A server with Bob's accounts at both services, and the examples that use it. */
const aServerWithExamples = async () => {
  const line = await aCommandLine();
  const { url, token } = await served(line);
  const run = async (name: string, words: readonly string[] = [], { env = {}, stdin = "" } = {}) => {
    const child = startExample(name, words, { QSOLOG_URL: url, QSOLOG_TOKEN: token, ...env }, stdin);
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    expect({ name, err, code }).toEqual({ name, err: "", code: 0 });
    return out;
  };
  return { line, run, url, token };
};

const writeLog = ({ world }: CommandLine): string => {
  const path = join(world.dataDir, "log.adi");
  const records = ["K1AAA", "K2BBB"].map(
    (call) => `<CALL:5>${call}<QSO_DATE:8>20260718<TIME_ON:4>0143<BAND:3>20m<MODE:2>CW<EOR>\n`,
  );
  writeFileSync(path, `<EOH>\n${records.join("")}`);
  return path;
};

test("each example fits on a screen and is named in the list of examples", async () => {
  const list = await Bun.file(join(FOLDER, "README.md")).text();

  for (const name of EXAMPLES) {
    const lines = (await Bun.file(join(FOLDER, name)).text()).trimEnd().split("\n").length;
    expect([name, lines <= 20, list.includes(`](${name})`)]).toEqual([name, true, true]);
  }
});

test.skipIf(!IS_INSTALLED)("examples create a token, import, list, export and undo the import", async () => {
  const { line, run } = await aServerWithExamples();

  const token = (await run("create_token.py", ["bob"], { stdin: `${PASSWORD}\n` })).trim();
  expect(token).toMatch(/^qsl_/);
  const { job } = JSON.parse(await run("import.sh", [writeLog(line)], { env: { QSOLOG_TOKEN: token } }));
  const status = async () => JSON.parse((await line.qsolog(["jobs", "show", String(job.id), "--json"])).out).job.status;
  while ((await status()) !== "completed") await Bun.sleep(50);
  expect(JSON.parse(await run("list.sh", ["call=K1*", "band=20m"])).qsos).toMatchObject([{ call: "K1AAA" }]);
  expect((await run("list_all.py", ["20m"])).trim().split("\n")).toHaveLength(2);
  expect(await run("list_all.py", ["40m"])).toBe("");
  expect(await run("export.sh")).toContain("<CALL:5>K2BBB");
  expect(JSON.parse(await run("undo-import.sh", [String(job.id)])).rollback).toMatchObject({ deleted: 2 });
  expect(JSON.parse(await run("list.sh")).total).toBe(0);
});

test.skipIf(!IS_INSTALLED)(
  "examples sync, roll back a failed sync, log a contact and show what a call would add",
  async () => {
    const { line, run, url, token } = await aServerWithExamples();
    uploaded(line, callOf(1), { at: Date.UTC(2026, 0, 1) });

    expect(await run("sync.py", ["first"])).toMatch(/^1 completed .*'added': 1/);
    line.first.fail({ kind: "busy" });
    const failed = startExample("sync.py", ["first"], { QSOLOG_URL: url, QSOLOG_TOKEN: token });
    expect([await failed.stdout.text(), await failed.exited]).toEqual([expect.stringMatching(/^2 failed /), 1]);
    expect(await run("roll_back.py", ["--yes"])).toBe("Job 2: 0 contacts deleted, 0 restored\ncancelled\n");
    expect(await run("log_contact.py", ["K1ABC", "17m", "CW"])).toContain("added");
    const needs = (await run("need.sh", [], { stdin: "K1ABC 17m CW\nJA1XYZ 20m FT8\n" })).trim().split("\n");
    expect(needs.map((need) => JSON.parse(need).worked.count)).toEqual([1, 0]);
  },
);

test.skipIf(!IS_INSTALLED)(
  "the nightly example syncs both services through a server and prints what is new",
  async () => {
    const { line, run, url } = await aServerWithExamples();
    uploaded(line, callOf(1), { at: Date.UTC(2026, 0, 1) });
    const bin = aDirectory();
    writeFileSync(join(bin, "qsolog"), `#!/bin/sh\nexec ${QSOLOG.join(" ")} "$@"\n`);
    chmodSync(join(bin, "qsolog"), 0o755);

    const out = await run("nightly.sh", [], { env: { QSOLOG_SERVER: url, PATH: `${bin}:${process.env.PATH}` } });

    expect(out).toContain("LoTW");
    expect((await line.qsolog(["jobs", "list"])).out).toContain("completed");
  },
);

test.skipIf(!IS_INSTALLED)("the webhook example accepts only what qsolog signed", async () => {
  const app = await testApp({ env: LOCAL });
  const probe = Bun.serve({ port: 0, fetch: () => new Response() });
  const port = String(probe.port);
  await probe.stop(true);
  const url = `http://127.0.0.1:${port}/`;
  const { key } = await addTarget(app, byOwner(app.bob), { kind: "webhook", url, events: ["new_worked"] });
  const child = startExample("webhook.py", [], { WEBHOOK_KEY: key!, PORT: port });
  afterTest(() => child.kill());
  while (!(await fetch(url).catch(() => null))) await Bun.sleep(50);

  await sync(app, app.bob.id, "file", [said("K1AAA", "2026-07-18 01:43")]);
  expect(await sendDueNotices(app)).toEqual({ sent: 1, failed: 0 });
  const headers = { "x-qsolog-timestamp": "1", "x-qsolog-signature": "sha256=00" };
  expect((await fetch(url, { method: "POST", headers, body: "{}" })).status).toBe(403);
  expect(await saidUntil(child.stdout, /wrong signature/)).toMatch(/entity.*\nwrong signature/s);
});
