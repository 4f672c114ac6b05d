import { statSync } from "node:fs";
import { getLogFile } from "../../config.ts";
import { HOUR, MINUTE } from "../../kernel/clock.ts";
import * as health from "../../storage/engine/health.ts";
import { databaseFile } from "../../storage/engine/connect.ts";
import type { World } from "../../world.ts";
import { formatDuration, formatMoment } from "../../kernel/time-text.ts";
import { aheadOf } from "../../storage/engine/database-clock.ts";
import { createFindings, type Finding } from "../diagnostic.ts";

const TOLERANCE = 2 * MINUTE;
const SET_BOTH = "timedatectl set-ntp true   (here and on the database server)";
const SET_IT = "timedatectl set-ntp true   (or set the clock by hand)";

/** Checks for timestamps in the future, and compares this clock with those of servers on the network. */
export const checkClocks = async (
  { config, clock, db }: Pick<World, "config" | "clock"> & { db: World["db"] | null },
  dates: readonly number[],
): Promise<Finding[]> => {
  const say = createFindings("clock");
  const now = clock();
  const newest = db === null ? null : await db.read(health.newestTime);
  const findings: Finding[] = [];
  if (newest !== null && newest > now + TOLERANCE) {
    findings.push(
      say.fail(
        `The time here is ${formatMoment(now)}, but the database contains an entry from ${formatMoment(newest)}.`,
        SET_IT,
      ),
    );
  }
  for (const file of [databaseFile(config.databaseUrl), getLogFile(config)]) {
    const { mtimeMs = 0 } = (file !== null && statSync(file, { throwIfNoEntry: false })) || {};
    if (mtimeMs <= now + TOLERANCE) continue;
    findings.push(
      say.warn(`The time here is ${formatMoment(now)}, but ${file} was written at ${formatMoment(mtimeMs)}.`, SET_IT),
    );
  }
  const apart = dates.map((date) => Math.abs(date - now));
  if (apart.length > 0 && Math.min(...apart) > TOLERANCE) {
    const words = `The time here is ${formatMoment(now)}, but the services say ${formatMoment(dates[0]!)}.`;
    findings.push(Math.min(...apart) > HOUR ? say.fail(words, SET_IT) : say.warn(words, SET_IT));
  }
  if (findings.length > 0) return findings;
  return [say.ok(`The time is ${formatMoment(now)}${apart.length > 0 ? ", and the services agree" : ""}.`)];
};

/** All instances use the database's clock, and nobody notices an error unless it is compared. */
export const checkServerClock = async ({ clock, db }: Pick<World, "clock" | "db">): Promise<Finding[]> => {
  const say = createFindings("clock");
  const aheadMs = await aheadOf(clock, db);
  if (aheadMs === 0) return [say.ok("The database server has the same time.")];
  const now = clock();
  const apart = formatDuration(Math.abs(aheadMs));
  const words = `The time here is ${formatMoment(now)}. The clock of the database server, which qsolog uses, is ${apart} ${aheadMs > 0 ? "behind" : "ahead"}.`;
  if (Math.abs(aheadMs) > HOUR) return [say.fail(words, SET_BOTH)];
  return [Math.abs(aheadMs) > TOLERANCE ? say.warn(words, SET_BOTH) : say.note(words, SET_BOTH)];
};
