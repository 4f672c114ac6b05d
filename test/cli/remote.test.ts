import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { cleanEnvironment, QSOLOG } from "../support/qsolog.ts";
import { lotw, said, sync } from "../support/sync.ts";
import { callOf, HOUR, uploaded } from "../sync/services.ts";
import { served } from "./served.ts";
import { aCommandLine, type CommandLine } from "./services.ts";

const DATABASE = "database: <data>/qsolog.db\n";

/** Bob's log: an import, a sync that left a record unmatched, and one that failed after changing something. */
const aHistory = async (): Promise<CommandLine> => {
  const line = await aCommandLine();
  const { world, bob } = line;
  await sync(world, bob.id, "file", [said("K1AAA", "2026-07-18 01:43"), said("K1AAA", "2026-07-18 01:53")]);
  await sync(world, bob.id, "first", [lotw("K1AAA", "2026-07-18 01:48"), lotw("K2BBB", "2026-07-18 02:00")]);
  await sync(world, bob.id, "first", [lotw("K3CCC", "2026-07-18 03:00")], { failure: new Error("lost") });
  return line;
};

describe("a server gives the same results as the local database", () => {
  const SAME = [
    "stats",
    "stats --station yu1test",
    "awards",
    "awards dxcc",
    "awards dxcc --band 20m --by any",
    "awards was needed",
    "awards nonsense",
    "awards dxcc --by nobody",
    "awards --band 20m",
    "need K1AAA --band 20m --mode FT8",
    "need K1AAA --band 19m",
    "news --since 2026-01-01",
    "news --since soon",
    "qso list",
    "qso list --band 20m --sort call --limit 1",
    "qso list --band 20x --limit 0",
    "qso show 1",
    "qso show 99",
    "qso show x",
    "qso delete 1",
    "jobs",
    "jobs list --limit 2",
    "jobs list --status completed,failed --source first",
    "jobs list --status done",
    "jobs list --cursor nonsense",
    "jobs show 2 --diff --leftovers",
    "jobs show 99",
    "jobs show x",
    "jobs dismiss 99",
    "jobs dismiss x",
    "rollback 3 --dry-run",
    "rollback 3",
    "rollback 2 --yes",
    "rollback 1 --undo --dry-run",
    "rollback 99 --yes",
    "service list",
    "schedule",
    "notify list",
    "schedule set first",
    "schedule set first --every 721h",
    "sync third",
    "sync first --full --since 2026-01-01",
    "sync first --resurrect",
    "qso import /nowhere/log.adi",
    "qso add K1ABC",
    "qso edit 1",
  ];

  // Invariant: a command gives the same answer from a server and from the local database
  test("for every question, as text and as JSON, with the same exit code", async () => {
    const line = await aHistory();
    const { env, url } = await served(line);

    for (const command of SAME) {
      for (const words of [command.split(" "), ["--json", ...command.split(" ")]]) {
        const here = await line.qsolog(words);
        const there = await line.qsolog(words, { env });

        expect([words, there.code, there.out]).toEqual([words, here.code, here.out]);
        expect(there.err).toBe(here.err.replace(DATABASE, `server: ${url}\n`));
      }
    }
  });

  // Invariant: a command gives the same answer from a server and from the local database
  test("for changes of an equal log", async () => {
    const WRITES = [
      "qso add K9NEW --time 2026-08-01T10:00 --band 20m --mode CW",
      "qso edit 1 --name Joe",
      "qso delete 2 --yes",
      "jobs dismiss 1",
      "rollback 3 --yes",
      "rollback 3 --yes",
      "rollback 1 --undo --yes",
      "schedule set first --off",
      "sync first",
      "sync all --dry-run",
      "jobs show 4 --diff",
    ];
    const outcomes = async (isRemote: boolean) => {
      const line = await aHistory();
      uploaded(line, "K4DDD");
      const env = isRemote ? (await served(line)).env : {};
      const said: unknown[] = [];
      for (const command of WRITES) {
        const { code, out } = await line.qsolog(command.split(" "), { env });
        said.push([command, code, out.replace(/started .*/, "").replace(/, (command line|manual),/, ",")]);
      }
      return said;
    };

    expect(await outcomes(true)).toEqual(await outcomes(false));
  });

  test("for an import and an export", async () => {
    const line = await aCommandLine();
    const { env } = await served(line);
    const path = join(line.world.dataDir, "log.adi");
    const record = "<CALL:5>K8XYZ<QSO_DATE:8>20260701<TIME_ON:4>1200<BAND:3>20m<MODE:2>CW";
    await Bun.write(path, `<EOH>\n${record}<EOR>${record}<EOR>${record.replace("K8XYZ", "K9XYZ")}`);

    expect(await line.qsolog(["qso", "import", path], { env })).toMatchObject({
      code: 0,
      out:
        "3 records: 2 added, 0 changed, 1 already known, 0 unmatched, 0 rejected; 0 newly confirmed.\n" +
        "1 of the unchanged records was in the file more than once.\nTo undo it: qsolog rollback 1 --undo\n",
      err: expect.stringMatching(/^warning at byte \d+: .*\nserver: http.*\n$/),
    });
    expect((await line.qsolog(["qso", "import", path, "--dry-run"], { env })).out).toContain("This was a dry run");
    const steady = (text: string) => text.replace(/<CREATED_TIMESTAMP.*/, "");
    const [here, there] = [await line.qsolog(["qso", "export"]), await line.qsolog(["qso", "export"], { env })];
    expect(steady(there.out)).toBe(steady(here.out));
    const copy = join(line.world.dataDir, "copy.adi");
    expect((await line.qsolog(["qso", "export", copy], { env })).out).toStartWith("<data>/copy.adi: 2 QSOs, ");
  });
});

describe("is refused over a server", () => {
  test("a change with a read-only token, with the server's message and exit code 4", async () => {
    const line = await aHistory();
    const { env } = await served(line, { scope: "read" });
    const said = "qsolog: This token is read-only.\n";

    expect((await line.qsolog(["stats"], { env })).code).toBe(0);
    for (const command of ["sync first", "rollback 3 --yes", "qso delete 1 --yes", "schedule set first --off"]) {
      const { code, out, err } = await line.qsolog(command.split(" "), { env });
      expect([command, code, out, err.endsWith(said)]).toEqual([command, 4, "", true]);
    }
    const asJson = await line.qsolog(["--json", "sync", "first"], { env });
    expect(JSON.parse(asJson.err).error.rule).toBe("read_only_token");
    expect((await line.world.db.read(() => syncJobs.list({ userId: line.bob.id, limit: 9 }))).length).toBe(3);
  });

  test("setting accounts of services, which tokens cannot do", async () => {
    const line = await aCommandLine();
    const { env, url } = await served(line);

    const { code, err } = await line.qsolog(["service", "set", "second", "--stdin"], { env, stdin: "AB12" });

    expect([code, err]).toEqual([
      4,
      `qsolog: You cannot do this with an API token. Sign in instead. See ${url}/settings.\n`,
    ]);
  });

  test("the log of another user", async () => {
    const line = await aCommandLine();
    const { env, url } = await served(line);

    expect(await line.qsolog(["stats", "--user", "eve"], { env })).toMatchObject({
      code: 4,
      err: `qsolog: --user names eve, but the token for ${url} belongs to bob.\n`,
    });
    expect((await line.qsolog(["stats"], { env: { ...env, QSOLOG_USER: "eve" } })).code).toBe(4);
    expect((await line.qsolog(["stats", "--user", "BOB"], { env })).code).toBe(0);
  });

  test("an invalid or missing token, an unreachable server, and an address without its path", async () => {
    const line = await aCommandLine();
    const { url, token } = await served(line, { basePath: "/log" });
    const stats = (env: Record<string, string>) => line.qsolog(["stats"], { env });

    expect((await stats({ QSOLOG_SERVER: url, QSOLOG_TOKEN: token })).code).toBe(0);
    const wrong = await stats({ QSOLOG_SERVER: url, QSOLOG_TOKEN: `${token}x` });
    expect([wrong.code, wrong.err]).toEqual([
      4,
      `qsolog: Your session has ended. Sign in again. Use: qsolog login ${url}\n`,
    ]);
    expect((await stats({ QSOLOG_SERVER: url, XDG_CONFIG_HOME: line.world.dataDir })).code).toBe(4);
    const { origin } = new URL(url);
    const pathless = await stats({ QSOLOG_SERVER: origin, QSOLOG_TOKEN: token });
    expect([pathless.code, pathless.err]).toEqual([1, expect.stringContaining(`${origin} has nothing at /api/`)]);
    const nobody = await stats({ QSOLOG_SERVER: "http://127.0.0.1:1", QSOLOG_TOKEN: token });
    expect([nobody.code, nobody.out]).toEqual([1, ""]);
    expect(nobody.err).toBe("qsolog: Cannot reach the server at http://127.0.0.1:1: connection refused.\n");
    for (const { err } of [wrong, pathless, nobody]) expect(err).not.toContain(token);
  });
});

describe("choosing between a server and the local log", () => {
  test("a flag has priority over the environment, also the flag for the data directory", async () => {
    const line = await aCommandLine();
    const { env, url, token } = await served(line);
    const nowhere = { QSOLOG_SERVER: "http://127.0.0.1:1", QSOLOG_TOKEN: token };
    const code = async (words: string[], more: Record<string, string>) =>
      (await line.qsolog(["stats", ...words], { env: { XDG_CONFIG_HOME: "/nowhere", ...more } })).code;

    expect(await code([], nowhere)).toBe(1);
    expect(await code(["--data-dir", line.world.dataDir], nowhere)).toBe(0);
    expect(await code(["--server", url], env)).toBe(0);
    expect(await code(["--server", url, "--data-dir", line.world.dataDir], env)).toBe(2);
    expect(await code(["--server", "nonsense"], env)).toBe(2);
    expect(await code([], { ...nowhere, QSOLOG_SERVER: "" })).toBe(0);
  });

  // Defence: commands send a token only to its server, over https, and never along a redirect
  test("a token from the environment is sent only to the server from the environment", async () => {
    const line = await aCommandLine();
    const { url, token } = await served(line);

    const { code, err } = await line.qsolog(["stats", "--server", url], {
      env: { QSOLOG_SERVER: "https://other.example.org", QSOLOG_TOKEN: token, XDG_CONFIG_HOME: "/nowhere" },
    });

    expect([code, err]).toEqual([
      4,
      `qsolog: No token for ${url}. Sign in with qsolog login ${url}, or set QSOLOG_TOKEN.\n`,
    ]);
    expect((await line.qsolog(["stats", "--server", url], { env: { QSOLOG_TOKEN: token } })).code).toBe(0);
  });
});

test("Ctrl-C ends the job on the server as interrupted, and the command exits with 130", async () => {
  const line = await aCommandLine();
  const { env } = await served(line);
  for (let n = 0; n < 50; n++) uploaded(line, callOf(n), { at: Date.UTC(2026, 0, 1) + n * HOUR });
  line.first.fail({ kind: "stall", at: 400, when: ({ params }) => params.get("qso_qsl") === "yes" });

  const terminal = line.inTerminal(["sync", "all"], env);
  await terminal.shows("LoTW");
  await line.first.journal.waitForArrival(2);
  terminal.type("\x03");

  await terminal.shows("Job 1 (LoTW) failed: The job was stopped before it finished.");
  await terminal.shows("To roll it back: qsolog rollback 1");
  expect(await terminal.exited).toBe(130);
  const jobs = await line.world.db.read(() => syncJobs.list({ userId: line.bob.id, limit: 10 }));
  expect(jobs).toMatchObject([{ status: "failed", trigger: "manual", error: { code: "interrupted" } }]);
});

/** Bob's sync on a server, waiting for its service. */
const aSyncOnAServer = async () => {
  const line = await aCommandLine();
  const server = await served(line);
  line.first.fail({ kind: "stall" });
  const asked = await fetch(`${server.url}/api/sync/first`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}` },
  });
  expect(asked.status).toBe(202);
  await line.first.journal.waitForArrival(1);
  return { line, ...server };
};

describe.each(["here", "on the server"])("%s", (place) => {
  test("a command that another job blocks names it, and the suggested command stops that job", async () => {
    const { line, app, env: remote, url } = await aSyncOnAServer();
    const [env, said] = place === "here" ? [{}, DATABASE] : [remote, `server: ${url}\n`];
    const TO_STOP = "To see job 1: qsolog jobs show 1\nTo stop it: qsolog jobs stop 1\n";

    expect(await line.qsolog(["sync", "first"], { env })).toMatchObject({
      code: 3,
      err: `qsolog: A job of this source is already running.\n${TO_STOP}`,
    });
    const asJson = await line.qsolog(["sync", "first", "--json"], { env });
    expect(JSON.parse(asJson.err.split("\n").at(-2)!).error).toMatchObject({ rule: "job_active", jobId: 1 });
    expect(await line.qsolog(["jobs", "stop", "1"], { env })).toMatchObject({
      code: 0,
      out: "Job 1 stops after its current batch.\n",
      err: said,
    });
    await app.runner.idle();

    const stopped = JSON.parse((await line.qsolog(["jobs", "stop", "1", "--json"], { env })).out);
    expect(stopped.job).toMatchObject({ id: 1, status: "failed", error: { code: "interrupted" } });
    expect((await line.qsolog(["jobs", "stop", "1"], { env })).out).toBe("Job 1 has already ended.\n");
    expect(await line.qsolog(["jobs", "stop", "99"], { env })).toMatchObject({ code: 5 });
  });
});

test("standard input is imported completely and privately, and leaves no file", async () => {
  const line = await aCommandLine();
  const { env } = await served(line);
  const temporary = join(line.world.dataDir, "tmp");
  await Bun.write(join(temporary, "keep"), "");
  const records = Array.from(
    { length: 2_000 },
    (_, n) => `<CALL:5>${callOf(n)}<QSO_DATE:8>20260701<TIME_ON:4>1200<BAND:3>20m<MODE:2>CW<EOR>\n`,
  );

  const child = Bun.spawn([...QSOLOG, "qso", "import", "-"], {
    env: cleanEnvironment({ TMPDIR: temporary, ...env }),
    stdin: new TextEncoder().encode(`<EOH>\n${records.join("")}`),
    stdout: "pipe",
    stderr: "pipe",
  });

  expect(await child.stdout.text()).toStartWith("2,000 records: 2,000 added,");
  expect(readdirSync(temporary).sort()).toEqual(["keep"]);
});
