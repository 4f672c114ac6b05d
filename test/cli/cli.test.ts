import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inTerminal } from "../support/pseudo-terminal.ts";
import { aShell, aShellWithUsers, cleanEnvironment, PASSWORD, ROOT } from "../support/qsolog.ts";

const DATABASE = "database: <data>/qsolog.db\n";

/** A time in a table, which differs from run to run. */
const withoutTimes = (text: string) => text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "YYYY-MM-DD HH:MM");

const aShellWithAnn = () => aShellWithUsers({ username: "ann", role: "admin", callsign: "yu1x" }, { username: "bob" });

test("qsolog without arguments prints help and fails; --help and --version succeed", async () => {
  const qsolog = aShell();

  const bare = await qsolog([]);
  expect(bare.code).toBe(2);
  expect(bare.out).toBe("");
  expect(bare.err).toContain("Usage: qsolog");
  const help = await qsolog(["--help"]);
  expect(help.code).toBe(0);
  expect(help.out).toContain("create, promote, demote, list and check administrators");
  expect((await qsolog(["admin", "--help"])).out).toContain("promote [options] <username>");
  expect((await qsolog(["help", "admin"])).out).toContain("promote [options] <username>");
});

test("if output cannot be written, there is one line on stderr and exit code 1", async () => {
  const qsolog = await aShellWithAnn();

  const child = Bun.spawn(["sh", "-c", `bun ${join(ROOT, "cli/main.ts")} user list > /dev/full`], {
    env: cleanEnvironment(await qsolog.place()),
    stderr: "pipe",
  });

  expect(await child.stderr.text()).toBe("qsolog: cannot write the output: the disk is full.\n");
  expect(await child.exited).toBe(1);
});

test("read-only commands also refuse a data directory that is a file", async () => {
  const qsolog = aShell();
  const file = join(qsolog.dataDir, "file");
  writeFileSync(file, "");

  const { code, err } = await qsolog(["user", "list"], { env: { QSOLOG_DATA_DIR: file } });

  expect([code, err]).toEqual([1, "qsolog: Could not use the directory <data>/file: a part of the path is a file.\n"]);
});

describe("the commands of administrators", () => {
  test("create, promote, demote, check and list", async () => {
    const qsolog = await aShellWithAnn();
    const said = (out: string) => ({ code: 0, out, err: DATABASE });

    expect(await qsolog(["admin", "promote", "BOB"])).toEqual(said("bob is now an administrator.\n"));
    expect(await qsolog(["admin", "demote", "bob"])).toEqual(said("bob is no longer an administrator.\n"));
    expect(await qsolog(["user", "password", "bob", "--password-stdin"], { stdin: "another password" })).toEqual(
      said("Set the password of bob, ended all sessions and revoked all tokens.\n"),
    );
    expect(await qsolog(["admin", "check", "ann"])).toEqual({ code: 0, out: "ann is an administrator.\n", err: "" });
    expect(await qsolog(["admin", "check", "bob"])).toEqual({
      code: 3,
      out: "bob is not an administrator.\n",
      err: "",
    });
    expect(await qsolog(["admin", "check", "eve"])).toEqual({
      code: 5,
      out: "",
      err: "qsolog: There is no user eve.\n",
    });
    const list = await qsolog(["user", "list"]);
    expect(withoutTimes(list.out)).toBe(
      [
        "USERNAME  CALLSIGN  ROLE   LAST SEEN (UTC)  CREATED (UTC)",
        "ann       YU1X      admin  never            YYYY-MM-DD HH:MM",
        "bob                 user   never            YYYY-MM-DD HH:MM",
        "",
      ].join("\n"),
    );
    expect(await qsolog(["user", "delete", "bob", "--yes"])).toEqual(said("Deleted bob.\n"));
    expect(withoutTimes((await qsolog(["audit"])).out)).toBe(
      [
        "TIME (UTC)        BY        VIA           ACTION          TARGET  DETAILS",
        "YYYY-MM-DD HH:MM  operator  command line  deleted a user  bob",
        "YYYY-MM-DD HH:MM  operator  command line  set a password  bob",
        "YYYY-MM-DD HH:MM  operator  command line  demoted         bob",
        "YYYY-MM-DD HH:MM  operator  command line  promoted        bob",
        "YYYY-MM-DD HH:MM  operator  command line  created a user  bob     role: user",
        "YYYY-MM-DD HH:MM  operator  command line  created a user  ann     role: admin",
        "",
      ].join("\n"),
    );
  });

  test("print JSON wherever --json stands, and errors as JSON on stderr", async () => {
    const qsolog = await aShellWithAnn();

    const created = await qsolog(["--json", "user", "create", "eve", "--email", "eve@example.org"], {
      env: { QSOLOG_PASSWORD: PASSWORD },
    });
    expect(JSON.parse(created.out)).toEqual({
      user: {
        id: 3,
        username: "eve",
        callsign: null,
        email: "eve@example.org",
        role: "user",
        isAdmin: false,
        lastSeen: null,
        createdAt: expect.any(Number),
      },
    });
    const list = JSON.parse((await qsolog(["admin", "list", "--json"])).out);
    const counts = { qsoCount: 0, jobCount: 0, lastJobAt: null, lastJobStatus: null, pausedServices: [] };
    expect(list).toMatchObject({ users: [{ username: "ann", role: "admin", ...counts }], total: 1, nextCursor: null });
    expect(JSON.parse((await qsolog(["admin", "check", "bob", "--json"])).out)).toEqual({
      username: "bob",
      isAdmin: false,
    });
    const refused = await qsolog(["admin", "demote", "ann", "--json"]);
    expect(refused.code).toBe(3);
    expect(JSON.parse(refused.err)).toEqual({
      error: {
        code: "conflict",
        rule: "last_admin",
        message: "ann is the only administrator. Promote another user first.",
      },
    });
    const audit = JSON.parse((await qsolog(["audit", "--json", "--action", "demote"])).out);
    expect(audit).toMatchObject({
      actions: [{ admin: "operator", target: "ann", details: { refused: "last_admin" } }],
      total: 1,
      nextCursor: null,
    });
    const page = JSON.parse((await qsolog(["audit", "--json", "--limit", "1", "--target", "ANN"])).out);
    expect([page.actions[0].action, page.total]).toEqual(["demote", 2]);
    const next = ["audit", "--json", "--target", "ann", "--cursor", page.nextCursor];
    expect(JSON.parse((await qsolog(next)).out)).toMatchObject({
      actions: [{ action: "create_user" }],
      nextCursor: null,
    });
  });
});

describe("errors", () => {
  const refusals: [string, string[], number, string][] = [
    ["the last administrator cannot be demoted", ["admin", "demote", "ann"], 3, "only administrator"],
    ["an administrator cannot be deleted", ["user", "delete", "ann", "--yes"], 3, "Demote ann first"],
    ["an administrator cannot be promoted", ["admin", "promote", "ann"], 3, "already an administrator"],
    ["a user who is none cannot be demoted", ["admin", "demote", "bob"], 3, "not an administrator"],
    ["nobody cannot be promoted", ["admin", "promote", "eve"], 5, "There is no user eve."],
    ["nobody cannot be deleted", ["user", "delete", "eve", "--yes"], 5, "There is no user eve."],
    ["a deletion is confirmed", ["user", "delete", "bob"], 2, "Use --yes"],
    ["a password is needed", ["user", "create", "eve"], 2, "No password"],
    ["an unknown option is wrong usage", ["admin", "list", "--frob"], 2, "unknown option '--frob'"],
    ["an unknown command is wrong usage", ["admin", "promot", "bob"], 2, "Did you mean promote?"],
    ["an unknown group is wrong usage", ["amdin"], 2, "Did you mean admin?"],
    [
      "a missing argument is wrong usage",
      ["admin", "promote"],
      2,
      "missing required argument 'username'. See qsolog admin promote --help.",
    ],
    ["one argument too many is wrong usage", ["admin", "promote", "a", "b"], 2, "too many arguments"],
    ["a secret is no option", ["user", "create", "eve", "--password", "x"], 2, "unknown option '--password'"],
    ["a date that is none is invalid", ["audit", "--from", "2026-02-30"], 2, "is not a date"],
    ["an unknown migration is not found", ["db", "rollback", "0042_x", "--yes"], 5, "no migration 0042_x"],
    ["a migration without a way back stays", ["db", "rollback", "0001_base", "--yes"], 2, "cannot be reverted"],
  ];
  test("have an exit code and one clear line", async () => {
    const qsolog = await aShellWithAnn();

    const answers = await Promise.all(refusals.map(([, words]) => qsolog(words)));

    answers.forEach(({ code, out, err }, index) => {
      const [name, , expected, words] = refusals[index]!;
      expect([name, code, out]).toEqual([name, expected, ""]);
      expect(err).toContain(words);
      expect(err).not.toContain("    at ");
    });
  });

  test("include a short password, before anything is written", async () => {
    const qsolog = aShell();

    const { code, err } = await qsolog(["admin", "create", "ann"], { env: { QSOLOG_PASSWORD: "short" } });

    expect([code, err]).toEqual([2, "qsolog: A password must have at least 10 characters.\n"]);
    expect(readdirSync(qsolog.dataDir)).toEqual([]);
  });

  // Invariant: only commands that need no user create a database
  test("include commands for a log without a database, which create none", async () => {
    const qsolog = aShell();
    const file = join(import.meta.dir, "cli.test.ts");

    for (const words of [
      ["service", "set", "lotw", "--username", "w1abc"],
      ["import", file],
      ["repair", "--all", "--delete", "--yes"],
      ["country", "update", file],
      ["user", "invite", "?"],
    ]) {
      const { code } = await qsolog(words, { env: { QSOLOG_PASSWORD: PASSWORD } });
      expect([words, code === 0, readdirSync(qsolog.dataDir)]).toEqual([words, false, []]);
    }
  });

  // Invariant: a command that only reads creates no database
  test("include a read-only command without a database, which creates none", async () => {
    const qsolog = aShell();

    const { code, err } = await qsolog(["admin", "list"]);

    expect([code, err]).toEqual([
      5,
      "qsolog: There is no database at <data>/qsolog.db. Create one with qsolog serve or qsolog admin create NAME, " +
        "or point --data-dir at an existing one.\n",
    ]);
    expect(readdirSync(qsolog.dataDir)).toEqual([]);
  });
});

describe("one clear line is printed for", () => {
  const promote = ["admin", "create", "ann"];
  const env = { QSOLOG_PASSWORD: PASSWORD };

  test("a data directory that cannot be created", async () => {
    const qsolog = aShell();
    writeFileSync(join(qsolog.dataDir, "file"), "");

    const { code, err } = await qsolog(promote, {
      env: { ...env, QSOLOG_DATA_DIR: join(qsolog.dataDir, "file/below") },
    });

    expect([code, err]).toEqual([
      1,
      "qsolog: Could not use the directory <data>/file/below: a part of the path is a file.\n",
    ]);
  });

  test("a file that is not a database", async () => {
    const qsolog = aShell();
    writeFileSync(join(qsolog.dataDir, "qsolog.db"), "hello, I am a letter");

    const { code, err } = await qsolog(promote, { env });

    expect([code, err]).toEqual([1, "qsolog: <data>/qsolog.db is not a qsolog database. It was not changed.\n"]);
    expect(readFileSync(join(qsolog.dataDir, "qsolog.db"), "utf8")).toBe("hello, I am a letter");
  });

  test("a damaged database", async () => {
    const qsolog = await aShellWithAnn();
    const file = join(qsolog.dataDir, "qsolog.db");
    const bytes = readFileSync(file);
    bytes.fill(0xff, 100, 4096);
    writeFileSync(file, bytes);

    const { code, err } = await qsolog(["user", "list"]);

    expect(code).toBe(1);
    expect(err).toContain("is damaged. Restore a backup.");
  });

  test("a file that only others can read", async () => {
    const qsolog = await aShellWithAnn();
    const file = join(qsolog.dataDir, "qsolog.db");
    if (process.getuid?.() === 0) return;
    chmodSync(file, 0);

    const { code, err } = await qsolog(["user", "list"]);

    expect(code).toBe(1);
    expect(err).toContain("cannot be");
  });

  test("a full disk", async () => {
    const qsolog = aShell();
    const mount = join(qsolog.dataDir, "small");
    mkdirSync(mount);
    const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", mount]);
    if (mounted.exitCode !== 0) return console.log("skipped: a small file system cannot be mounted here");
    try {
      const { code, err } = await qsolog(promote, { env: { ...env, QSOLOG_DATA_DIR: mount } });

      expect([code, err]).toEqual([1, expect.stringContaining("The disk is full")]);
    } finally {
      Bun.spawnSync(["umount", mount]);
    }
  });

  test("a server that cannot be reached", async () => {
    const qsolog = aShell();

    const { code, err } = await qsolog(["user", "list"], {
      env: { QSOLOG_DATABASE_URL: "postgres://qsolog:hunter22@127.0.0.1:1/log" },
    });

    expect(code).toBe(1);
    expect(err).toContain("cannot be reached");
    expect(err).not.toContain("hunter22");
  });
});

describe("db", () => {
  test("path and status describe the database", async () => {
    const qsolog = await aShellWithAnn();

    expect((await qsolog(["db", "path"])).out).toBe(`${qsolog.dataDir}/qsolog.db\n`);
    const status = JSON.parse((await qsolog(["db", "status", "--json"])).out);
    expect(status).toMatchObject({ engine: "sqlite", location: `${qsolog.dataDir}/qsolog.db` });
    expect(status.migrations[0]).toEqual({ name: "0001_base", appliedAt: expect.any(Number), reversible: false });
  });

  // Invariant: a backup is verified, private, and replaces only an older backup
  // Defence: data directory, database, log, secret and backups are readable by their owner only
  test("backup writes a complete copy that only its owner can read, and never replaces a file", async () => {
    const qsolog = await aShellWithAnn();
    const file = join(qsolog.dataDir, "copy.db");

    const { code, out, err } = await qsolog(["db", "backup", "copy.db"]);

    expect([code, out]).toEqual([0, expect.stringMatching(/copy\.db: \d+ bytes, 2 users, 0 QSOs, 0 jobs\.\n$/)]);
    expect(err).toContain("does not contain the secret file. Keep a copy of it too");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await qsolog(["user", "list", "--json", "--database-url", file])).out).toContain('"username":"bob"');
    expect((await qsolog(["db", "backup", "copy.db"])).code).toBe(3);
    expect((await qsolog(["db", "backup", "/nowhere/copy.db"])).code).toBe(1);
    expect(readdirSync(qsolog.dataDir).filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("rollback reverts the auto-sync table and migrate creates it again", async () => {
    const qsolog = await aShellWithAnn();

    expect((await qsolog(["db", "rollback", "0005_auto_sync", "--yes"])).code).toBe(0);
    const { migrations } = JSON.parse((await qsolog(["db", "status", "--json"])).out);
    expect(migrations.find(({ name }: { name: string }) => name === "0005_auto_sync").appliedAt).toBeNull();
    expect((await qsolog(["db", "migrate"])).out).toBe("Applied: 0005_auto_sync.\n");
    expect((await qsolog(["db", "migrate"])).out).toBe("All migrations are already applied.\n");
    expect(existsSync(join(qsolog.dataDir, "backups"))).toBe(true);
  });
});

test("config shows the effective settings and their origin, without secrets", async () => {
  const qsolog = aShell();

  const { out } = await qsolog(["config", "--port", "0"], {
    env: { QSOLOG_SECRET: "s".repeat(40), QSOLOG_TOKEN: "qsl_abc", QSOLOG_DATABASE_URL: "postgres://u:hunter22@h/d" },
  });

  expect(out).toMatch(/port +0 +flag/);
  expect(out).toMatch(/secret +\[redacted\] +environment/);
  expect(out).toMatch(/database_url +postgres:\/\/u:\[redacted\]@h\/d +environment/);
  expect(out).not.toMatch(/ssss|qsl_abc|hunter22/);
});

test("in a terminal the password is asked for twice and not shown", async () => {
  const qsolog = aShell();
  const env = cleanEnvironment(await qsolog.place());
  const terminal = inTerminal(["bun", join(ROOT, "cli/main.ts"), "admin", "create", "ann"], env);

  await terminal.shows("Password for ann: ");
  terminal.type("correct horsx\x7fe battery\r");
  await terminal.shows("Repeat it: ");
  terminal.type(`correct horse battery\r`);

  await terminal.shows("Created ann as an administrator.");
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).not.toContain("horse");
});

test("a short password is refused before it is asked for again", async () => {
  const qsolog = aShell();
  const env = cleanEnvironment(await qsolog.place());
  const terminal = inTerminal(["bun", join(ROOT, "cli/main.ts"), "admin", "create", "ann"], env);

  await terminal.shows("Password for ann: ");
  terminal.type("short\r");

  await terminal.shows("A password must have at least 10 characters.");
  expect(await terminal.exited).toBe(2);
  expect(terminal.text()).not.toContain("Repeat it");
});

test("Ctrl-C at the prompt exits with 130 and changes nothing", async () => {
  const qsolog = aShell();
  const env = cleanEnvironment(await qsolog.place());
  const terminal = inTerminal(["bun", join(ROOT, "cli/main.ts"), "admin", "create", "ann"], env);

  await terminal.shows("Password for ann: ");
  terminal.type("\x03");

  expect(await terminal.exited).toBe(130);
  expect(existsSync(join(qsolog.dataDir, "qsolog.db"))).toBe(false);
});

test("a deletion requires typing the name", async () => {
  const qsolog = await aShellWithAnn();
  const env = cleanEnvironment(await qsolog.place());
  const terminal = inTerminal(["bun", join(ROOT, "cli/main.ts"), "user", "delete", "bob"], env);

  await terminal.shows("Type the username to continue: ");
  terminal.type("bab\r");

  await terminal.shows("Cancelled");
  expect(await terminal.exited).toBe(2);
  expect((await qsolog(["admin", "check", "bob"])).code).toBe(3);
});
