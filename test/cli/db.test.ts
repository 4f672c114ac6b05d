import { expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentsOf, damageIn } from "../../src/storage/engine/sqlite-file.ts";
import { run } from "../../src/storage/engine/unit.ts";
import { asCty } from "../support/country-file.ts";
import { said, sync } from "../support/sync.ts";
import { aCommandLine } from "./services.ts";
import { aShell, aShellWithUsers } from "../support/qsolog.ts";
import { serving } from "../support/serving.ts";
import { ENGINE } from "../support/world.ts";

const POSTGRES = ["--database-url", "postgres://qsolog@127.0.0.1:1/log"];

/** On a server, pg_dump and pg_restore do this. */
const ofTheFile = test.skipIf(ENGINE !== "sqlite");

const aCountryFile = async (folder: string): Promise<string> => {
  const path = join(folder, "newer.csv");
  writeFileSync(path, await asCty());
  return path;
};

/** A command line whose log had one contact when the backup was made and has two now. */
const aLineWithBackup = async () => {
  const line = await aCommandLine();
  const backup = join(line.world.dataDir, "backup.db");
  const log = join(line.world.dataDir, "log.adi");
  const importOf = (call: string) => {
    writeFileSync(log, `<CALL:5>${call}<QSO_DATE:8>20260718<TIME_ON:4>0143<BAND:3>20m<MODE:2>CW<EOR>`);
    return line.qsolog(["qso", "import", log]);
  };
  await importOf("K1ABC");
  await line.qsolog(["db", "backup", backup]);
  await importOf("K2BBB");
  return { ...line, backup };
};

ofTheFile("a backup during writes is complete", async () => {
  const { world, bob, asProcess } = await aCommandLine();
  let isGoing = true;
  const writing = (async () => {
    for (let minute = 0; isGoing; minute++) {
      await sync(world, bob.id, "file", [said("K1ABC", `2026-07-18 01:${String(minute % 60).padStart(2, "0")}`)]);
      await Bun.sleep(1);
    }
  })();

  const { code, out } = await asProcess(["db", "backup", join(world.dataDir, "copy.db"), "--json"]);

  isGoing = false;
  await writing;
  const document = JSON.parse(out.replaceAll("<data>", world.dataDir));
  expect(code).toBe(0);
  expect(damageIn(document.file)).toBeNull();
  expect(contentsOf(document.file)).toMatchObject({ users: 1, qsos: document.qsos, jobs: document.jobs });
});

ofTheFile("restore shows both databases, asks, and says where the old one is", async () => {
  const { world, backup, qsolog, inTerminal } = await aLineWithBackup();
  await world.db.close();

  const unasked = await qsolog(["db", "restore", backup]);
  expect([unasked.code, unasked.out]).toEqual([2, ""]);
  expect(unasked.err).toMatch(/NOW +IN THE BACKUP\n/);
  expect(unasked.err).toMatch(/QSOs +2 +1\n/);
  expect(unasked.err).toContain("Use --yes to confirm");
  const no = inTerminal(["db", "restore", backup]);
  await no.shows("Type yes: ");
  no.type("no\r");
  expect(await no.exited).toBe(2);
  expect(contentsOf(world.db.location)?.qsos).toBe(2);

  const yes = await qsolog(["db", "restore", backup, "--yes", "--json"]);

  expect(yes.code).toBe(0);
  const document = JSON.parse(yes.out.replaceAll("<data>", world.dataDir));
  expect(document).toMatchObject({
    file: backup,
    database: world.db.location,
    restored: { users: 1, qsos: 1, jobs: 1, newestChangeAt: expect.any(Number), bytes: expect.any(Number) },
    replaced: { users: 1, qsos: 2, jobs: 2 },
    migrated: [],
    credentials: { stored: 2, unreadable: 0 },
  });
  expect(contentsOf(document.safetyCopy)?.qsos).toBe(2);
  expect((await qsolog(["qso", "list"])).out).toContain("K1ABC");
});

ofTheFile("Ctrl-C at the question of a restore changes nothing", async () => {
  const { world, backup, inTerminal } = await aLineWithBackup();
  await world.db.close();
  const asked = inTerminal(["db", "restore", backup]);

  await asked.shows("Type yes: ");
  asked.type("\x03");

  expect(await asked.exited).toBe(130);
  expect(contentsOf(world.db.location)?.qsos).toBe(2);
  expect(readdirSync(world.dataDir).filter((name) => name.includes("incoming"))).toEqual([]);
});

ofTheFile("restore on a new machine places the database and says that the secret differs", async () => {
  const { backup, world } = await aLineWithBackup();
  await world.db.close();
  const elsewhere = aShell();

  const { code, out } = await elsewhere(["db", "restore", backup, "--yes"]);

  expect(code).toBe(0);
  expect(out).toContain("Cannot decrypt 2 of 2 stored credentials: There is no secret file");
  expect(out).not.toContain("is kept in");
  expect(out).toContain("qsolog db adopt");
  const refused = await elsewhere(["qso", "list"]);
  expect([refused.code, refused.out]).not.toEqual([0, ""]);
  expect(refused.err).toContain("This database uses a different secret");
  expect((await elsewhere(["db", "adopt", "--yes"])).out).toContain("bob: credentials of LoTW");
  expect((await elsewhere(["qso", "list"])).out).toContain("K1ABC");
});

test("prune reports what was removed and its size, and refuses an invalid age", async () => {
  const { world, bob, qsolog } = await aCommandLine();
  const many = Array.from({ length: 400 }, (_, day) =>
    said("K1ABC", `${new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)} 01:43`),
  );
  await sync(world, bob.id, "file", many);

  const dry = await qsolog(["db", "prune", "--older-than", "0d", "--dry-run"]);
  expect(dry.out).toMatch(/^Would remove 400 records of 1 job, \d+ kB\. This was a dry run: nothing was removed\.\n$/);
  const compact = ENGINE === "sqlite" ? ["--compact"] : [];
  const { out } = await qsolog(["db", "prune", "--older-than", "0d", ...compact, "--json"]);
  const pruned = JSON.parse(out);
  expect(pruned).toMatchObject({ jobs: 1, changes: 400, leftovers: 0, kept: 0, dryRun: false });
  if (ENGINE === "sqlite") expect(pruned.gainedOnDisk).toBeGreaterThan(pruned.bytes / 2);
  expect((await qsolog(["db", "prune"])).out).toBe("Nothing to remove.\n");
  expect((await qsolog(["jobs", "show", "1"])).out).toMatch(
    /The change history of this job was removed on .*\n.*can no longer be undone/,
  );
  expect((await qsolog(["rollback", "1", "--undo", "--yes"])).err).toContain("can no longer be undone");
  const bad = await qsolog(["db", "prune", "--older-than", "soon"]);
  expect([bad.code, bad.err]).toEqual([2, expect.stringContaining("such as 90d")]);
});

/** Sends Ctrl-C as soon as the command handles it. */
const interrupted = async (asked: Promise<{ code: number; out: string }>) => {
  while (process.listenerCount("SIGINT") === 0) await new Promise(setImmediate);
  process.emit("SIGINT");
  return asked;
};

test("Ctrl-C during derive or prune reports the progress, and the next run continues", async () => {
  const line = await aCommandLine();
  const { world, bob, qsolog } = line;
  const many = Array.from({ length: 1_100 }, (_, hour) =>
    said("K1ABC", new Date(Date.UTC(2024, 0, 1, hour)).toISOString().slice(0, 16).replace("T", " ")),
  );
  await sync(world, bob.id, "file", many);

  const derived = await interrupted(qsolog(["db", "derive"]));
  const updated = await interrupted(qsolog(["country", "update", await aCountryFile(world.dataDir)]));
  const pruned = await interrupted(qsolog(["db", "prune", "--older-than", "0d", "--json"]));

  expect(derived.code).toBe(130);
  expect(derived.out).toMatch(
    /^Interrupted: \d+ of 1,100 QSOs checked, 0 changed\. Finished QSOs are kept\. Run the command again for the rest\./,
  );
  expect([updated.code, updated.out]).toEqual([130, expect.stringContaining("To finish: qsolog db derive")]);
  expect(pruned.code).toBe(130);
  const { changes } = JSON.parse(pruned.out);
  expect(changes).toBeLessThan(1_100);
  const rest = JSON.parse((await qsolog(["db", "prune", "--older-than", "0d", "--json"])).out);
  expect(rest.changes).toBe(1_100 - changes);
  expect((await qsolog(["db", "derive"])).out).toBe("1,100 QSOs checked, 0 changed.\n");
});

ofTheFile("restore is refused while the server runs", async () => {
  const qsolog = await aShellWithUsers({ username: "ann", role: "admin" });
  const backup = join(qsolog.dataDir, "copy.db");
  await qsolog(["db", "backup", backup]);
  const { child } = await serving({ QSOLOG_DATA_DIR: qsolog.dataDir });

  const refused = await qsolog(["db", "restore", backup, "--yes"]);

  expect(refused.code).toBe(3);
  if (existsSync("/proc/self/fd"))
    expect(refused.err).toContain(`qsolog serve (process ${child.pid}) has the database`);
  child.kill();
  await child.exited;
  expect((await qsolog(["db", "restore", backup, "--yes"])).code).toBe(0);
});

test.skipIf(ENGINE !== "sqlite")(
  "a restore is refused for PostgreSQL, with the command to use there; a backup needs the server",
  async () => {
    const { world, backup, qsolog } = await aLineWithBackup();

    const restored = await qsolog(["db", "restore", backup, "--yes", ...POSTGRES]);
    const backedUp = await qsolog(["db", "backup", join(world.dataDir, "other.db"), ...POSTGRES]);

    expect([restored.code, backedUp.code]).toEqual([3, 1]);
    expect(restored.err).toContain("fill it with qsolog db move --database-url FILE --to postgres://");
    expect(backedUp.err).toContain("cannot be reached");
  },
);

test("derive processes the log of all users or of one", async () => {
  const { world, bob, qsolog } = await aCommandLine();
  await sync(world, bob.id, "file", [said("K1ABC", "2026-07-18 01:43")]);
  await world.db.write(() => run`UPDATE qsos SET dxcc = 1`);

  expect((await qsolog(["db", "derive", "--user", "eve"])).code).toBe(5);
  const one = await qsolog(["db", "derive", "--user", "bob"]);
  const all = await qsolog(["db", "derive", "--json"]);

  expect(one.out).toBe("1 QSO checked, 1 changed.\n");
  expect(JSON.parse(all.out)).toEqual({ qsos: { checked: 1, changed: 0 } });
  expect((await qsolog(["qso", "list", "--dxcc", "291"])).out).toContain("K1ABC");
});
