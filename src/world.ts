import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import type { Config } from "./config.ts";
import type { Clock, Time } from "./kernel/clock.ts";
import type { CallFacts } from "./domain/radio/call-facts.ts";
import { AppError } from "./kernel/errors.ts";
import { describeFileError } from "./kernel/files.ts";
import { HourlyLimits } from "./kernel/hourly-limits.ts";
import { removeStalePartialFiles } from "./kernel/partial-files.ts";
import { Semaphore } from "./kernel/semaphore.ts";
import type { SyncJob } from "./domain/jobs/sync-job.ts";
import { RunningJobs } from "./kernel/running-jobs.ts";
import type { LastAsked, Provider } from "./domain/jobs/provider.ts";
import type { Service } from "./domain/jobs/source.ts";
import { providers } from "./providers/registry.ts";
import { createVault, type Vault } from "./kernel/vault.ts";
import { createFactsLoader, followCountryFile } from "./callsign/country-tables.ts";
import type { Log } from "./kernel/log.ts";
import { createMailer, type SendMail } from "./kernel/mail.ts";
import { lookupHost, type Lookup } from "./kernel/dns.ts";
import { LastAskedTable } from "./storage/jobs/last-asked.ts";
import { assertSecretFits } from "./storage/engine/secret-fingerprint.ts";
import { DatabaseClock } from "./storage/engine/database-clock.ts";
import type { Database } from "./storage/engine/database.ts";
import { LogCache } from "./storage/log/log-cache.ts";
import { migrate, NewerDatabase } from "./storage/engine/migrate.ts";
import type { Migration } from "./storage/engine/migrations.ts";
import { assertWhole } from "./storage/engine/copy-tables.ts";
import { databaseFile, openDatabase } from "./storage/engine/connect.ts";
import { SYSTEM_TIME } from "./kernel/time.ts";
import { findNewestCopy, finishCopy, keepCopy } from "./storage/engine/upgrade-copy.ts";

/** Everything that the program takes from outside. */
export interface World extends Time {
  config: Config;
  db: Database;
  /** Answers computed from logs. */
  cache: LogCache;
  limits: HourlyLimits;
  clock: Clock;
  /** Adjusts the clock to that of the database server, which all instances share. */
  compareClocks: () => Promise<void>;
  random: (bytes: number) => Uint8Array;
  log: Log;
  /** Argon2 cost parameters. Tests lower them. */
  passwordCost: { memoryCost: number; timeCost: number };
  hashing: Semaphore;
  /** The active jobs of this process. */
  underWay: RunningJobs<SyncJob>;
  /** Callsign look-ups with large tables, loaded on first use. */
  callFacts: () => Promise<CallFacts>;
  vault: Vault;
  providers: Record<Service, Provider>;
  lastAsked: LastAsked;
  lookup: Lookup;
  /** Null without a mail server. */
  sendMail: SendMail | null;
  /** Opens a separate database in a new file. */
  openBeside: (file: string) => Promise<Database>;
}

export const PASSWORD_COST = { memoryCost: 65_536, timeCost: 2 };
/** Each hash uses a core for a moment, so one core is left for other work if there are several. */
const MAX_PARALLEL_HASHES = Math.max(1, Math.min(2, availableParallelism() - 1));
/** A few seconds of hashing; later callers are refused. */
export const MAX_QUEUED_HASHES = { room: 60, roomOfLane: 10 };
const SECRET_BYTES = 32;

interface WorldOptions {
  clock: Clock;
  random: World["random"];
  log: Log;
  backgroundThread?: URL;
  maxConnections?: number;
  /** False leaves the tables as they are. */
  migrate?: boolean;
  /** Called with the copy that was made before an upgrade. */
  onCopy?: (file: string) => void;
}

export const openWorld = async (config: Config, options: WorldOptions): Promise<World> => {
  const { log, backgroundThread, maxConnections } = options;
  const db = await openDatabase(config.databaseUrl, { time: SYSTEM_TIME, backgroundThread, maxConnections });
  const world = worldOn(db, config, options);
  const { clock, vault } = world;
  try {
    await world.compareClocks();
    if (options.migrate !== false) await migrateSafely(db, config, clock, log, undefined, options.onCopy);
    await db.read(assertWhole);
    await followCountryFile({ db, dataDir: config.dataDir });
    await assertSecretFits({ db, vault: hasSecret(config) ? vault : null }, secretFile(config));
  } catch (error) {
    await db.close();
    throw error;
  }
  return world;
};

/** Creates the world on an open, migrated database. */
export const worldOn = (db: Database, config: Config, options: WorldOptions): World => {
  const { random, log } = options;
  const shared = db.isShared ? new DatabaseClock(options.clock, db) : null;
  const clock = shared?.now ?? options.clock;
  const vault = lazyVault(config, random);
  return {
    config,
    db,
    cache: new LogCache({ db, clock }),
    limits: new HourlyLimits(clock),
    clock,
    compareClocks: async () => shared?.compare(),
    random,
    log,
    passwordCost: PASSWORD_COST,
    hashing: new Semaphore(MAX_PARALLEL_HASHES, MAX_QUEUED_HASHES),
    underWay: new RunningJobs(),
    callFacts: createFactsLoader(db, config.dataDir),
    vault,
    providers,
    lastAsked: new LastAskedTable(db, clock, vault),
    lookup: lookupHost,
    sendMail: config.smtpUrl === null ? null : createMailer(config.smtpUrl, config.mailFrom!),
    openBeside: (file) => openDatabase(file, { time: SYSTEM_TIME, backgroundThread: options.backgroundThread }),
    ...SYSTEM_TIME,
  };
};

export const secretFile = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "secret");

export const hasSecret = (config: Pick<Config, "secret" | "dataDir">): boolean =>
  config.secret !== null || existsSync(secretFile(config));

/** Creates the installation's secret if there is none, and ties the database to it. */
export const settleSecret = async ({ config, db, vault, random }: World): Promise<void> => {
  readSecret(config, random);
  await assertSecretFits({ db, vault }, secretFile(config));
};

/** The secret is read or created when something is first encrypted or decrypted. */
export const lazyVault = (config: Config, random: World["random"]): Vault => {
  let vault: Vault | null = null;
  const made = () => (vault ??= createVault(readSecret(config, random), random));
  return {
    seal: (text, binding) => made().seal(text, binding),
    open: (sealed, binding) => made().open(sealed, binding),
    fingerprint: (purpose, text) => made().fingerprint(purpose, text),
    key: (purpose) => made().key(purpose),
  };
};

/** Migrates after making a copy of an embedded database that contains data. */
export const migrateSafely = async (
  db: Database,
  config: Config,
  clock: Clock,
  log: Log,
  migrations?: readonly Migration[],
  onCopy: (file: string) => void = () => {},
): Promise<string[]> => {
  const directory = backupsIn(config.dataDir);
  const isEmbedded = db.engine === "sqlite";
  const copyFirst = async (next: string) => {
    makeDirectory(directory);
    await keepCopy(db, directory, clock(), next);
  };
  const applied = await migrate(db, clock(), { migrations, beforeChange: isEmbedded ? copyFirst : undefined }).catch(
    (error: unknown) => Promise.reject(isEmbedded ? addCopy(error, directory) : error),
  );
  const isCopied = isEmbedded && finishCopy(directory);
  const copy = isCopied ? findNewestCopy(directory) : null;
  if (applied.length > 0) log.info("database.migrated", { applied, copy });
  if (copy !== null) onCopy(copy);
  return applied;
};

/** Names the copy that the old program can open. */
const addCopy = (error: unknown, directory: string): unknown => {
  const copy = error instanceof NewerDatabase ? findNewestCopy(directory) : null;
  if (copy === null) return error;
  const message = `${(error as Error).message} Or go back to the copy made before the upgrade: qsolog db restore ${copy}`;
  return new AppError("unavailable", message, { cause: error });
};

/** The folder of automatic copies. */
const backupsIn = (dataDir: string): string => join(dataDir, "backups");

/** Removes incomplete files of copies and restores that were killed. */
export const sweepKilledCopies = ({ dataDir, databaseUrl, backupDir }: Config): void => {
  const file = databaseFile(databaseUrl);
  if (file !== null) removeStalePartialFiles(dirname(file));
  for (const directory of new Set([backupsIn(dataDir), backupDir])) removeStalePartialFiles(directory);
};

/** Creates the data directory, readable only by its owner. */
export const prepareDataDir = ({ dataDir }: Config): void => makeDirectory(dataDir);

const makeDirectory = (path: string): void => {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw directoryProblem(path, error);
  }
};

/** Whether there is a database, so that a command does not create an empty log in the wrong place. */
export const databaseExists = ({ databaseUrl }: Config): boolean => {
  const file = databaseFile(databaseUrl);
  try {
    return file === null || statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw directoryProblem(dirname(file!), error);
  }
};

const directoryProblem = (path: string, error: unknown): AppError =>
  new AppError("unavailable", `Could not use the directory ${path}: ${describeFileError(error)}.`, { cause: error });

/**
 * The installation's secret: from the configuration, or from a file that is created on first use and that only its
 * owner can read.
 */
export const readSecret = (config: Config, random: World["random"]): Uint8Array => {
  if (config.secret !== null) return Buffer.from(config.secret);
  const file = secretFile(config);
  writeOnce(file, random);
  const kept = Buffer.from(readSecretFile(file).trim(), "base64url");
  const mode = statSync(file).mode & 0o077;
  if (mode !== 0) {
    throw new AppError("invalid", `Other users can read the secret file ${file}. Run: chmod 600 ${file}`);
  }
  if (kept.length < SECRET_BYTES) {
    throw new AppError("invalid", `The secret file ${file} is damaged: it contains fewer than ${SECRET_BYTES} bytes.`);
  }
  return kept;
};

const readSecretFile = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const message = `Could not read the secret file ${file}: ${describeFileError(error)}. Run qsolog as the user who owns it.`;
    throw new AppError("unavailable", message, { cause: error });
  }
};

/**
 * Writes a temporary file and links it into place, so that two processes starting at the same time agree on one
 * complete secret.
 */
const writeOnce = (file: string, random: World["random"]): void => {
  if (existsSync(file)) return;
  const draft = `${file}.${Buffer.from(random(8)).toString("hex")}`;
  try {
    writeFileSync(draft, `${Buffer.from(random(SECRET_BYTES)).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw directoryProblem(dirname(file), error);
  } finally {
    rmSync(draft, { force: true });
  }
};
