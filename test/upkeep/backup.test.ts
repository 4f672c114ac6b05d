import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { backUp } from "../../src/upkeep/backup.ts";
import { contentsOf, damageIn } from "../../src/storage/engine/sqlite-file.ts";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";
import { typeContacts } from "./log.ts";

/** A file system of a few pages, or null where none can be mounted. */
const aSmallDisk = (): string | null => {
  const mount = join(aDirectory(), "small");
  mkdirSync(mount);
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", mount]);
  if (mounted.exitCode !== 0) return null;
  afterTest(() => Bun.spawnSync(["umount", mount]));
  return mount;
};

describe.skipIf(ENGINE !== "sqlite")("a backup", () => {
  // Invariant: a backup is verified, private, and replaces only an older backup
  test("made while others write is complete, private, and of one moment", async () => {
    const world = await testWorld({ thread: true });
    const ann = await aUser(world, "ann");
    const file = join(aDirectory(), "copy.db");
    let isGoing = true;
    const writing = (async () => {
      for (; isGoing; await Bun.sleep(1)) await typeContacts(world, ann.id, 20);
    })();

    const contents = await backUp(world.db, file);

    isGoing = false;
    await writing;
    expect(damageIn(file)).toBeNull();
    expect(contentsOf(file)).toEqual(contents);
    expect(contents.qsos % 20).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("only replaces an older backup, and only with --force", async () => {
    const { db, dataDir } = await testWorld();
    const older = join(dataDir, "copy.db");
    const notes = join(dataDir, "notes.txt");
    await backUp(db, older);
    writeFileSync(notes, "my notes");

    expect(backUp(db, older)).rejects.toThrow("already exists");
    expect(backUp(db, notes, { force: true })).rejects.toThrow("only replaces older backups");
    expect(backUp(db, db.location, { force: true })).rejects.toThrow("is the database itself");
    await backUp(db, older, { force: true });

    expect(readFileSync(notes, "utf8")).toBe("my notes");
    expect(readdirSync(dataDir).filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("that does not fit reports the path and leaves nothing", async () => {
    const { db } = await testWorld();
    const closed = join(aDirectory(), "closed");
    writeFileSync(closed, "a file");

    expect(backUp(db, "/nowhere/copy.db")).rejects.toThrow("Could not write to /nowhere: it does not exist");
    expect(backUp(db, join(closed, "copy.db"))).rejects.toThrow("a part of the path is a file");
    const disk = aSmallDisk();
    if (disk === null) return console.log("skipped: a small file system cannot be mounted here");
    expect(backUp(db, join(disk, "copy.db"))).rejects.toThrow(`The disk is full. ${disk}/copy.db`);
    await backUp(db, join(disk, "copy.db")).catch(() => {});
    expect(readdirSync(disk)).toEqual([]);
  });

  test("that is interrupted leaves nothing", async () => {
    const { db, dataDir } = await testWorld({ thread: true });
    const control = new AbortController();

    const onPhase = () => control.abort(new Error("enough"));
    const copying = backUp(db, join(dataDir, "copy.db"), { signal: control.signal, onPhase });

    expect(copying).rejects.toThrow("enough");
    await copying.catch(() => {});
    await db.close();
    expect(readdirSync(dataDir).filter((name) => name.startsWith("copy"))).toEqual([]);
  });
});

test.skipIf(ENGINE !== "postgres")(
  "a backup of PostgreSQL is an SQLite file of one moment, made while others write",
  async () => {
    const world = await testWorld();
    const ann = await aUser(world, "ann");
    const file = join(aDirectory(), "copy.db");
    await typeContacts(world, ann.id, 600);
    let isGoing = true;
    const writing = (async () => {
      for (; isGoing; await Bun.sleep(1)) await typeContacts(world, ann.id, 20);
    })();

    const contents = await backUp(world.db, file);

    isGoing = false;
    await writing;
    expect(damageIn(file)).toBeNull();
    expect(contents).toMatchObject({ users: 1 });
    expect(contents.qsos % 20).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file))).toEqual(["copy.db"]);
  },
);
