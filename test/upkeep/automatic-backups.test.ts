import { expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HOUR } from "../../src/kernel/clock.ts";
import { getBackupName } from "../../src/kernel/backup-files.ts";
import { byOwner } from "../../src/logbook/caller.ts";
import { addTarget } from "../../src/logbook/notices.ts";
import { contentsOf } from "../../src/storage/engine/sqlite-file.ts";
import { many } from "../../src/storage/engine/unit.ts";
import { AutomaticBackups, type MakeBackup } from "../../src/upkeep/automatic-backups.ts";
import { backUp } from "../../src/upkeep/backup.ts";
import { aDirectory } from "../support/directory.ts";
import { createPostgresDatabase } from "../support/databases.ts";
import { aShell, aShellWithUsers } from "../support/qsolog.ts";
import { serving } from "../support/serving.ts";
import { aUser, ENGINE, NOON, testWorld } from "../support/world.ts";
import { typeContacts } from "./log.ts";

setDefaultTimeout(60_000);

const aServerWithBackups = async (make?: MakeBackup) => {
  const backupDir = join(aDirectory(), "backups");
  const env = { QSOLOG_BACKUP_HOURS: "24", QSOLOG_BACKUP_KEEP: "2", QSOLOG_BACKUP_DIR: backupDir };
  const world = await testWorld({ env });
  const ann = await aUser(world, "ann", "admin");
  await typeContacts(world, ann.id, 7);
  const failures: unknown[] = [];
  const log = { ...world.log, error: (event: string, fields = {}) => void failures.push({ event, ...fields }) };
  const backups = new AutomaticBackups(
    { ...world, log },
    make ?? (async (file) => void (await backUp(world.db, file))),
  );
  return {
    world,
    ann,
    backups,
    failures,
    files: () => (existsSync(backupDir) ? readdirSync(backupDir).sort() : []),
    backupDir,
  };
};

test("a backup is made when the newest is old enough, and as many are kept as configured", async () => {
  const { world, backups, files, backupDir } = await aServerWithBackups();

  await backups.look();
  await backups.look();
  expect(files()).toEqual([getBackupName(NOON)]);
  expect(contentsOf(join(backupDir, files()[0]!))).toMatchObject({ users: 1, qsos: 7 });

  writeFileSync(join(backupDir, "notes.txt"), "mine");
  for (let day = 1; day <= 3; day++) {
    world.clock.advance(24 * HOUR);
    await backups.look();
  }
  expect(files()).toEqual(["notes.txt", getBackupName(NOON + 48 * HOUR), getBackupName(NOON + 72 * HOUR)]);
});

test("a failed backup is logged, reported to administrators once, and tried again after an hour", async () => {
  let tries = 0;
  const { world, ann, backups, failures } = await aServerWithBackups(async () => {
    tries += 1;
    throw new Error("The disk is full.");
  });
  const address = { kind: "ntfy" as const, url: "https://ntfy.example.org/qsolog", events: ["sync_failed"] };
  await addTarget(world, byOwner(ann), address);

  await backups.look();
  await backups.look();
  world.clock.advance(HOUR);
  await backups.look();

  expect([tries, failures.length]).toEqual([2, 2]);
  const waiting = await world.db.read(() => many<{ body: string }>`SELECT body FROM notices`);
  expect(waiting.map(({ body }) => JSON.parse(body))).toEqual([
    expect.objectContaining({ event: "backup_failed", text: "The disk is full. qsolog tries again every hour." }),
  ]);
});

test("a server backs up by itself, and what it made is restored whole", async () => {
  const qsolog = await aShellWithUsers({ username: "ann", role: "admin" });
  const adif = "<CALL:5>K1ABC <QSO_DATE:8>20240101 <TIME_ON:4>1200 <BAND:3>20m <MODE:2>CW <EOR>";
  writeFileSync(join(qsolog.dataDir, "log.adi"), adif);
  expect((await qsolog(["qso", "import", "log.adi"])).code).toBe(0);
  const before = await qsolog(["qso", "list", "--json"]);
  const directory = join(aDirectory(), "copies");

  const { child } = await serving({
    ...(await qsolog.place()),
    QSOLOG_BACKUP_HOURS: "1",
    QSOLOG_BACKUP_DIR: directory,
  });
  while (!existsSync(directory) || !readdirSync(directory).some((name) => name.endsWith("Z.db"))) await Bun.sleep(50);
  child.kill("SIGTERM");
  await child.exited;

  const copies = readdirSync(directory);
  expect(copies).toEqual([expect.stringMatching(/^qsolog-\d{8}T\d{6}Z\.db$/)]);
  const copy = join(directory, copies[0]!);
  const other = aShell();
  copyFileSync(join(qsolog.dataDir, "secret"), join(other.dataDir, "secret"));
  if (ENGINE === "sqlite") {
    expect((await other(["db", "restore", copy, "--yes"])).code).toBe(0);
    expect((await other(["qso", "list", "--json"])).out).toBe(before.out);
  } else {
    const { url } = await createPostgresDatabase();
    expect((await other(["db", "move", "--to", url], { env: { QSOLOG_DATABASE_URL: copy } })).code).toBe(0);
    expect((await other(["qso", "list", "--json"], { env: { QSOLOG_DATABASE_URL: url } })).out).toBe(before.out);
  }
});
