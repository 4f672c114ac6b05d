import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Database } from "bun:sqlite";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lazy } from "../../src/kernel/lazy.ts";
import { testApp } from "../support/app.ts";
import { afterAllTests } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { isFull } from "../support/full.ts";
import { cleanEnvironment, QSOLOG } from "../support/qsolog.ts";
import { serving } from "../support/serving.ts";
import { ENGINE } from "../support/world.ts";

setDefaultTimeout(120_000);

const IS_FULL = isFull(import.meta);
const NOTICED_WITHIN_MS = 5_000;
const LOOKS_EVERY_MS = 2_000;

/** Created once: a database with one contact, its backup, and another installation's database. */
const prepared = lazy(async () => {
  const directory = mkdtempSync(join(tmpdir(), "qsolog-files-"));
  afterAllTests(() => rmSync(directory, { recursive: true, force: true }));
  const path = (name: string) => join(directory, name);
  const tokens: string[] = [];
  for (const [name, call] of [
    ["own", "K1OLD"],
    ["other", "K9OTHER"],
  ] as const) {
    const app = await testApp();
    const { status } = await (await app.as(app.bob)).post("/api/qsos", contact(call));
    expect(status).toBe(201);
    tokens.push((await app.withToken(app.bob, "write")).token);
    await app.db.copyTo(path(`${name}.db`));
  }
  return { own: path("own.db"), other: path("other.db"), token: tokens[0]! };
});

const contact = (call: string) => ({ call, band: "20m", mode: "CW", startedAt: "2026-08-01 12:00" });

/** A data directory with this database, before any server used it. */
const anInstallation = async () => {
  const { own, token } = await prepared();
  const dataDir = join(aDirectory(), "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const file = join(dataDir, "qsolog.db");
  copyFileSync(own, file);
  return { dataDir, file, token };
};

type Installation = Awaited<ReturnType<typeof anInstallation>>;

const environmentOf = ({ dataDir }: Pick<Installation, "dataDir">) => ({ QSOLOG_DATA_DIR: dataDir });

/** A running server, and requests to it. */
const started = async (installation: Installation) => {
  const { dataDir, token } = installation;
  const { child, url } = await serving(environmentOf(installation));
  const add = async (call: string) => {
    const answer = await fetch(`${url}/api/qsos`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(contact(call)),
    });
    return { status: answer.status, body: (await answer.json()) as { error?: { message: string; rule: string } } };
  };
  const isReady = async () => (await fetch(`${url}/readyz`)).status === 200;
  const problems = () => {
    const log = ["", "-moved"].map((end) => join(`${dataDir}${end}`, "qsolog.log")).find(existsSync)!;
    return readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line.includes('"database.replaced"'));
  };
  const stop = async () => {
    child.kill("SIGTERM");
    return child.exited;
  };
  return { child, url, add, isReady, problems, stop };
};

type Running = Awaited<ReturnType<typeof started>>;

const qsolog = async (installation: Installation, ...words: string[]) => {
  const child = Bun.spawn([...QSOLOG, ...words], {
    env: cleanEnvironment(environmentOf(installation)),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
};

/** The calls in a file, read without qsolog. */
const callsIn = (file: string): string[] => {
  const connection = new Database(file, { readonly: false });
  try {
    expect(connection.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    return (connection.query("SELECT call FROM qsos ORDER BY call").all() as { call: string }[]).map(
      ({ call }) => call,
    );
  } finally {
    connection.close();
  }
};

/** Like the program `sqlite3`. */
const runIn = (file: string, text: string): void => {
  const connection = new Database(file);
  connection.run("PRAGMA busy_timeout = 5000");
  // A connection that has read nothing does not know the write-ahead log and would not move it.
  connection.query("SELECT count(*) FROM users").get();
  connection.run(text);
  connection.close();
};

/** Like `cp`: the same file with other contents. */
const cp = (from: string, to: string) => expect(Bun.spawnSync(["cp", from, to]).exitCode).toBe(0);

/** Waits for the log line without writing: /readyz would be a write. */
const noticed = async ({ problems }: Running): Promise<void> => {
  const until = performance.now() + NOTICED_WITHIN_MS;
  while (problems().length === 0 && performance.now() < until) await Bun.sleep(50);
  expect(problems()).toHaveLength(1);
};

/** `older` is a backup by qsolog of the same database, `raw` a copy by `cp`, `other` another database. */
type Files = Record<"file" | "dataDir" | "older" | "raw" | "other", string>;

interface Case {
  name: string;
  /** The short form has one case for each check of the server. */
  isLong?: boolean;
  harm: (files: Files) => unknown;
  isSeenByWriters?: boolean;
  says: string;
  /** Restores the file while the server is stopped, if needed. */
  repair?: (files: Files) => void;
  /** The contacts after the next start. */
  calls: string[];
}

const AWAY = "qsolog-moved.db";

const CASES: Case[] = [
  {
    name: "rm of the file and its logs",
    harm: ({ file }) => ["", "-wal", "-shm"].forEach((end) => rmSync(file + end)),
    isSeenByWriters: true,
    says: "was moved or removed",
    repair: ({ file, older }) => cp(older, file),
    calls: ["K1OLD"],
  },
  {
    name: "mv of the file to another name, and back after the stop",
    isLong: true,
    harm: ({ file, dataDir }) => renameSync(file, join(dataDir, AWAY)),
    says: "was moved or removed",
    repair: ({ file, dataDir }) => renameSync(join(dataDir, AWAY), file),
    calls: ["K1NEW", "K1OLD"],
  },
  {
    name: "mv of another database over it",
    harm: ({ file, other }) => renameSync(other, file),
    isSeenByWriters: true,
    says: "was replaced by another file",
    calls: ["K9OTHER"],
  },
  {
    name: "cp of another database over it",
    isLong: true,
    harm: ({ file, other }) => cp(other, file),
    says: "was replaced by another file",
    calls: ["K9OTHER"],
  },
  {
    name: "cp of an older backup of the same database over it",
    harm: ({ file, older }) => cp(older, file),
    isSeenByWriters: true,
    says: "was replaced by another file",
    calls: ["K1OLD"],
  },
  {
    name: "cp of a copy that cp made before the last contacts over it",
    isLong: true,
    harm: async ({ file, raw }) => {
      runIn(file, "PRAGMA wal_checkpoint(PASSIVE)");
      await Bun.sleep(LOOKS_EVERY_MS * 1.5);
      cp(raw, file);
    },
    says: "was replaced by another file",
    calls: ["K1OLD"],
  },
  {
    name: "rename of the directory",
    harm: ({ dataDir }) => renameSync(dataDir, `${dataDir}-moved`),
    says: "was moved or removed",
    repair: ({ dataDir }) => renameSync(`${dataDir}-moved`, dataDir),
    calls: ["K1NEW", "K1OLD"],
  },
  {
    name: "rm of its write-ahead log",
    harm: ({ file }) => rmSync(`${file}-wal`),
    says: "-wal, a part of the database",
    calls: ["K1NEW", "K1OLD"],
  },
  {
    name: "mv of another write-ahead log over its own",
    isLong: true,
    harm: ({ file, other }) => (cp(other, `${file}.x`), renameSync(`${file}.x`, `${file}-wal`)),
    says: "-wal, a part of the database",
    calls: ["K1NEW", "K1OLD"],
  },
];

const SEEN_BY_WRITERS = CASES.filter(({ isSeenByWriters }) => isSeenByWriters).slice(IS_FULL ? 0 : -1);

/** A server with one contact that a backup has and one that it does not have. */
const aServerWithBackup = async () => {
  const installation = await anInstallation();
  const { file, dataDir } = installation;
  const elsewhere = aDirectory();
  const files = {
    file,
    dataDir,
    older: join(elsewhere, "older.db"),
    raw: join(elsewhere, "raw.db"),
    other: join(elsewhere, "other.db"),
  };
  copyFileSync((await prepared()).own, files.older);
  copyFileSync((await prepared()).other, files.other);
  const running = await started(installation);
  copyFileSync(file, files.raw);
  expect((await running.add("K1NEW")).status).toBe(201);
  return { installation, running, files };
};

describe.skipIf(ENGINE !== "sqlite")("the file of a running server", () => {
  // Invariant: nothing is written into a file that replaced the database
  test.each(CASES.filter(({ isLong }) => IS_FULL || !isLong))(
    "$name is noticed without any write, and damages nothing",
    async ({ harm, says, repair, calls }) => {
      const { installation, running, files } = await aServerWithBackup();

      await harm(files);
      await noticed(running);

      const refused = await running.add("K1LOST");
      expect([refused.status, refused.body.error?.rule]).toEqual([503, "database_replaced"]);
      expect(refused.body.error?.message).toContain(says);
      expect(await running.isReady()).toBe(false);
      expect(await running.stop()).toBe(0);
      repair?.(files);
      const again = await started(installation);
      expect(await again.isReady()).toBe(true);
      await again.stop();
      expect(callsIn(files.file)).toEqual(calls);
    },
  );

  test.each(SEEN_BY_WRITERS)("$name is noticed by the next write", async ({ harm }) => {
    const { running, files } = await aServerWithBackup();

    harm(files);

    const refused = await running.add("K1LOST");
    expect([refused.status, refused.body.error?.rule]).toEqual([503, "database_replaced"]);
  });

  test("a stop right after cp leaves the new file unchanged", async () => {
    const { running, files } = await aServerWithBackup();

    cp(files.older, files.file);
    expect(await running.stop()).toBe(0);

    expect(readFileSync(files.file).equals(readFileSync(files.older))).toBe(true);
    expect(existsSync(`${files.file}-wal`)).toBe(false);
  });

  test("moving the file away and back before the next check is no problem", async () => {
    const { running, files } = await aServerWithBackup();

    renameSync(files.file, join(files.dataDir, AWAY));
    renameSync(join(files.dataDir, AWAY), files.file);

    expect((await running.add("K2NEXT")).status).toBe(201);
    await Bun.sleep(LOOKS_EVERY_MS * 1.5);
    expect([running.problems(), await running.isReady()]).toEqual([[], true]);
  });

  test("doctor checks the file, and restore replaces it after the stop, as the message says", async () => {
    const { installation, running, files } = await aServerWithBackup();
    cp(files.other, files.file);
    await noticed(running);

    const inUse = await qsolog(installation, "db", "restore", files.older, "--yes");
    await running.stop();
    const looked = await qsolog(installation, "doctor");
    const restored = await qsolog(installation, "db", "restore", files.older, "--yes");

    expect([inUse.code, inUse.err]).toEqual([expect.any(Number), expect.stringContaining("Stop the server")]);
    expect(looked.out).not.toContain("Tree");
    expect(restored).toMatchObject({ code: 0 });
    expect(callsIn(files.file)).toEqual(["K1OLD"]);
  });

  test("other commands, checkpoints, VACUUM, backups, chmod and a second server cause no alarm", async () => {
    const { installation, running, files } = await aServerWithBackup();
    const stillFine = async () => {
      expect(running.problems()).toEqual([]);
      expect((await running.add(`K${++added}FINE`)).status).toBe(201);
    };
    let added = 0;
    const outside = (text: string) => runIn(files.file, text);

    const commands = ["20m", "40m", "15m"].map((band) =>
      qsolog(installation, "qso", "add", "K5CLI", "--user", "bob", "--band", band, "--mode", "CW"),
    );
    for (const { code, err } of await Promise.all(commands)) expect([code, err]).toEqual([0, expect.any(String)]);
    await stillFine();
    outside("PRAGMA wal_checkpoint(TRUNCATE)");
    await stillFine();
    outside("VACUUM");
    await stillFine();
    outside("PRAGMA wal_checkpoint(RESTART)");
    outside("ANALYZE");
    outside("PRAGMA wal_checkpoint(FULL)");
    await stillFine();
    expect((await qsolog(installation, "db", "backup", join(aDirectory(), "copy.db"))).code).toBe(0);
    await stillFine();
    chmodSync(files.file, 0o640);
    chmodSync(files.file, 0o600);
    await stillFine();
    const second = await started(installation).catch(() => null);
    outside("PRAGMA wal_checkpoint(TRUNCATE)");
    await stillFine();
    await second?.stop();
    await Bun.sleep(LOOKS_EVERY_MS * 1.5);
    await stillFine();
    await running.stop();
    const again = await started(installation);
    await Bun.sleep(LOOKS_EVERY_MS * 1.5);
    expect([again.problems(), await again.isReady()]).toEqual([[], true]);
  });
});
