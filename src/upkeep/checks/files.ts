import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { getLogFile } from "../../config.ts";
import { databaseFile } from "../../storage/engine/connect.ts";
import type { World } from "../../world.ts";
import { HOUR } from "../../kernel/clock.ts";
import { getFreeBytes } from "../../kernel/files.ts";
import { formatSize } from "../../kernel/number-text.ts";
import { formatMoment } from "../../kernel/time-text.ts";
import { listStalePartialFiles } from "../../kernel/partial-files.ts";
import { listBackups } from "../../kernel/backup-files.ts";
import { createFindings, type Finding } from "../diagnostic.ts";

type Deps = Pick<World, "config">;

const ROOM_NEEDED = 50_000_000;
const OTHERS = 0o077;

/** Checks that private files are closed to others and belong to the owner of the data directory. */
export const checkPermissions = ({ config }: Deps): Finding[] => {
  const say = createFindings("permissions");
  const { dataDir } = config;
  if (!existsSync(dataDir)) {
    return [say.fail(`There is no data directory ${dataDir}.`, "qsolog serve   (creates it), or use --data-dir")];
  }
  const files = listPrivateFiles(config).filter(existsSync);
  const open = files.filter((file) => (statSync(file).mode & OTHERS) !== 0);
  const { uid: owner } = statSync(dataDir);
  const foreign = files.filter((file) => statSync(file).uid !== owner);
  const findings = [
    ...open.map((file) =>
      say.warn(`Other users can read ${file}.`, `chmod ${statSync(file).isDirectory() ? 700 : 600} ${quoted(file)}`),
    ),
    ...foreign.map((file) =>
      say.warn(`${file} belongs to another user than the data directory.`, `chown ${owner} ${quoted(file)}`),
    ),
  ];
  return findings.length > 0 ? findings : [say.ok("Private files are readable only by their owner.")];
};

const listPrivateFiles = (config: Deps["config"]): string[] => {
  const { dataDir, databaseUrl } = config;
  const database = databaseFile(databaseUrl);
  const backups = join(dataDir, "backups");
  return [
    dataDir,
    ...(database === null ? [] : [database, `${database}-wal`, `${database}-shm`]),
    ...["secret", "qsolog.toml", "spool"].map((name) => join(dataDir, name)),
    getLogFile(config),
    backups,
    ...(existsSync(backups) ? readdirSync(backups).map((name) => join(backups, name)) : []),
  ];
};

const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

/** Checks for what killed backups and restores left, and how old the newest automatic backup is. */
export const checkBackups = ({ config, clock }: Deps & Pick<World, "clock">): Finding[] => {
  const say = createFindings("backups");
  const { databaseUrl, dataDir, backupDir, backupHours } = config;
  const database = databaseFile(databaseUrl);
  const places = new Set([join(dataDir, "backups"), backupDir, ...(database === null ? [] : [dirname(database)])]);
  const findings = [...places]
    .flatMap(listStalePartialFiles)
    .map((file) => say.note(`${file} is left from an interrupted backup or restore.`, "qsolog serve   (removes it)"));
  if (backupHours === null) return findings;
  const newest = listBackups(backupDir).at(-1);
  if (!newest)
    return [...findings, say.warn(`There is no automatic backup in ${backupDir} yet.`, "qsolog logs --level error")];
  const words = `The newest automatic backup is from ${formatMoment(newest.at)}.`;
  const isOld = clock() - newest.at > 2 * backupHours * HOUR;
  return [...findings, isOld ? say.warn(words, "qsolog logs --level error") : say.ok(words)];
};

/** A backup, or the copy before an update, needs as much space as the database. */
export const checkDisk = ({ config }: Deps): Finding[] => {
  const say = createFindings("disk");
  const database = databaseFile(config.databaseUrl);
  const place = database === null ? config.dataDir : dirname(database);
  if (!existsSync(place)) return [];
  const free = getFreeBytes(place);
  const taken = database === null ? 0 : getSize(database) + getSize(`${database}-wal`);
  const words = `${formatSize(free)} free in ${place}`;
  if (free < ROOM_NEEDED) return [say.fail(`${words}. Syncs will fail soon.`, "qsolog db prune --compact")];
  if (free < taken) {
    return [
      say.warn(
        `${words}, but the database takes ${formatSize(taken)}. There is no space for a copy.`,
        "qsolog db prune --compact",
      ),
    ];
  }
  return [say.ok(`${words}; the database takes ${formatSize(taken)}.`)];
};

const getSize = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
