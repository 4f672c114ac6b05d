import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { HOUR, MINUTE, type Cancel } from "../kernel/clock.ts";
import { enqueueBackupFailed } from "../notices/enqueue.ts";
import { listAdministratorIds } from "../storage/people/users.ts";
import type { World } from "../world.ts";
import { getBackupName, listBackups, removeOldBackups } from "../kernel/backup-files.ts";

const LOOK_EVERY = 1 * MINUTE;

type Deps = Pick<World, "config" | "clock" | "db" | "log" | "every">;

/** Writes a verified backup into a file. Rejects with what went wrong. */
export type MakeBackup = (file: string, signal: AbortSignal) => Promise<void>;

/** Backs up the database when the newest backup is old enough. The files say when that was, so a restart changes nothing. */
export class AutomaticBackups {
  readonly #deps: Deps;
  readonly #make: MakeBackup;
  readonly #stopping = new AbortController();
  #endLooks: Cancel = () => {};
  #underWay: Promise<void> | null = null;
  #failedAt: number | null = null;

  constructor(deps: Deps, make: MakeBackup) {
    this.#deps = deps;
    this.#make = make;
  }

  start(): void {
    this.#endLooks = this.#deps.every(LOOK_EVERY, () => void this.look());
    void this.look();
  }

  async stop(): Promise<void> {
    this.#endLooks();
    this.#stopping.abort();
    await this.#underWay;
  }

  look(): Promise<void> {
    if (!this.#isDue()) return Promise.resolve();
    return (this.#underWay ??= this.#backUp().finally(() => (this.#underWay = null)));
  }

  /** After a failure it tries again in an hour. A file from the future, written before the clock was corrected, is ignored. */
  #isDue(): boolean {
    const { config, clock } = this.#deps;
    if (config.backupHours === null) return false;
    const now = clock();
    if (this.#failedAt !== null && now - this.#failedAt < HOUR) return false;
    const interval = config.backupHours * HOUR;
    return !listBackups(config.backupDir).some(({ at }) => at <= now && now - at < interval);
  }

  async #backUp(): Promise<void> {
    const { config, clock, log } = this.#deps;
    const { backupDir: directory, backupKeep } = config;
    const began = clock();
    const name = getBackupName(began);
    const file = join(directory, name);
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      await this.#make(file, this.#stopping.signal);
      removeOldBackups(directory, backupKeep, name);
      this.#failedAt = null;
      log.info("backup.made", { file, ms: clock() - began });
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      const isFirst = this.#failedAt === null;
      this.#failedAt = clock();
      log.error("backup.failed", { file, error });
      if (isFirst)
        await this.#tell((error as Error).message).catch((problem) =>
          log.error("notices.delivery_failed", { error: problem }),
        );
    }
  }

  #tell(reason: string): Promise<void> {
    const { db, clock } = this.#deps;
    return db.write(function* () {
      for (const id of yield* listAdministratorIds()) yield* enqueueBackupFailed(id, reason, clock());
    });
  }
}
