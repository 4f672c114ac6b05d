import { expect, test } from "bun:test";
import { chmodSync, chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../../src/upkeep/diagnostic.ts";
import { afterTest } from "../support/cleanup.ts";
import { aShellWithUsers, cleanEnvironment, QSOLOG } from "../support/qsolog.ts";
import { ENGINE } from "../support/world.ts";

const aServer = (status: number) => {
  const fetch = () => new Response("", { status, headers: { date: new Date().toUTCString() } });
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
  afterTest(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
};

const aShellWithAnn = () => aShellWithUsers({ username: "ann", role: "admin" });

test.skipIf(ENGINE !== "sqlite")("doctor reports each check, and what to do about problems", async () => {
  const qsolog = await aShellWithAnn();
  chmodSync(join(qsolog.dataDir, "qsolog.db"), 0o644);

  const { code, out } = await qsolog(["doctor", "--offline"]);

  expect(code).toBe(0);
  const file = join(qsolog.dataDir, "qsolog.db");
  expect(out).toContain(`warn  permissions  Other users can read ${file}.\n                   -> chmod 600 ${file}\n`);
  expect(out).toContain("ok    integrity    The database is intact.\n");
  expect(out).toEndWith("\n0 failed, 1 warning.\n");
  expect(out).not.toContain("LoTW");
});

test.skipIf(ENGINE !== "postgres")("doctor reports the same for a server database, and about the server", async () => {
  const qsolog = await aShellWithAnn();

  const { code, out } = await qsolog(["doctor", "--offline"]);

  expect(code).toBe(0);
  expect(out).toMatch(/^ok {4}server {7}PostgreSQL \d+, UTF8\.$/m);
  expect(out).toMatch(/^warn {2}settings {5}fsync is off: .*\n {19}-> ALTER SYSTEM SET fsync = on$/m);
  expect(out).toContain("ok    clock        The database server has the same time.\n");
});

test.skipIf(ENGINE !== "sqlite")("doctor exits with 1 if something is broken, with JSON too", async () => {
  const qsolog = await aShellWithAnn();
  writeFileSync(join(qsolog.dataDir, "qsolog.db"), "hello, I am a letter");

  const { code, out } = await qsolog(["doctor", "--offline", "--json"]);

  expect(code).toBe(1);
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  expect(findings.find(({ check }) => check === "database")).toEqual({
    check: "database",
    severity: "fail",
    message: `${qsolog.dataDir}/qsolog.db is not a database.`,
    todo: expect.stringContaining("qsolog db restore FILE"),
  });
});

/** Without its capabilities, root is to these files a user as any other. Only root can give files away. */
const WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];
const NOBODY = 65_534;

test.skipIf(ENGINE !== "sqlite" || process.getuid?.() !== 0)(
  "doctor tells a user who cannot write the database or read the secret to run qsolog as their owner",
  async () => {
    const { dataDir } = await aShellWithAnn();
    const examine = async () => {
      const words = [...WITHOUT_RIGHTS, ...QSOLOG, "doctor", "--offline", "--json"];
      const child = Bun.spawn(words, { env: cleanEnvironment({ QSOLOG_DATA_DIR: dataDir }), stdout: "pipe" });
      const { findings } = JSON.parse(await child.stdout.text()) as { findings: Finding[] };
      return findings.filter(({ severity }) => severity === "fail");
    };
    const [file, secret] = [join(dataDir, "qsolog.db"), join(dataDir, "secret")];
    writeFileSync(secret, "x".repeat(43), { mode: 0o600 });
    chmodSync(dataDir, 0o755);
    chmodSync(file, 0o644);
    for (const path of [dataDir, file, secret]) chownSync(path, NOBODY, NOBODY);

    const closed = await examine();
    chmodSync(dataDir, 0o777);
    chmodSync(file, 0o666);
    const opened = await examine();

    const ofSecret = {
      check: "secret",
      severity: "fail",
      message: `Could not read the secret file ${secret}: permission denied. Run qsolog as the user who owns it.`,
      todo: `ls -l ${secret}   (run qsolog as its owner)`,
    };
    const message = `${file} cannot be written.`;
    const todo = `ls -ld ${file}   (run qsolog as its owner)`;
    expect(closed).toEqual([{ check: "database", severity: "fail", message, todo }, ofSecret] as Finding[]);
    expect(opened).toEqual([ofSecret] as Finding[]);
  },
  20_000,
);

test("doctor checks that the services respond", async () => {
  const qsolog = await aShellWithAnn();
  const env = { QSOLOG_FIRST_URL: aServer(404), QSOLOG_SECOND_URL: "http://127.0.0.1:1" };

  const { code, out } = await qsolog(["doctor"], { env });
  const broken = await qsolog(["doctor"], { env: { ...env, QSOLOG_FIRST_URL: aServer(500) } });

  expect(code).toBe(0);
  expect(out).toMatch(/ok +lotw +LoTW answers, after \d+ ms\./);
  expect(out).toContain("Could not reach QRZ at http://127.0.0.1:1: ECONNREFUSED.");
  expect(out).toContain("and the services agree");
  expect(broken.out).toContain("LoTW is not working: it answers with status 500.");
});
