import type { World } from "../../src/world.ts";
import { DAY } from "../../src/kernel/clock.ts";
import { AppError } from "../../src/kernel/errors.ts";
import type { Pruned } from "../../src/upkeep/prune.ts";
import { formatCount, formatNumber, formatSize } from "../../src/kernel/number-text.ts";
import { runSteps } from "../interruptible.ts";
import type { Flags, Shell } from "../shell.ts";

export type PruneFlags = Flags & { olderThan: string; compact?: boolean };

export const prune = (shell: Shell, flags: PruneFlags): Promise<void> => {
  const { olderThan, dryRun = false, compact = false } = flags;
  const olderThanMs = parseAge(olderThan);
  if (dryRun && compact) throw new AppError("invalid", "Use either --dry-run or --compact.");
  return shell.withWorld(flags, { writes: true }, async (world) => {
    const { db } = world;
    if (compact) await assertCompactable(db);
    const upkeep = await import("../../src/upkeep/prune.ts");
    const sizeBefore = await db.sizeBytes();
    const { isWhole, ...pruned } = await runSteps(
      shell,
      NOTHING,
      ({ changes, bytes }) => shell.progress.show(`${formatCount(changes, "record")}, ${formatSize(bytes)}`, null),
      (steps) => upkeep.prune(world, { olderThanMs, dryRun, ...steps }),
    );
    if (compact && isWhole) {
      const { compact: makeSmaller } = await import("../../src/upkeep/database.ts");
      makeSmaller(db.location);
    }
    const gained = compact && isWhole ? sizeBefore - (await db.sizeBytes()) : 0;
    shell.answer({ ...pruned, dryRun, gainedOnDisk: gained }, () =>
      isWhole ? describePruned(pruned, dryRun, compact ? gained : null).join("\n") : describeSoFar(pruned, dryRun),
    );
  });
};

const NOTHING: Pruned = { jobs: 0, changes: 0, leftovers: 0, bytes: 0, kept: 0 };

const assertCompactable = async (db: World["db"]) => {
  const { assertEmbedded } = await import("../../src/upkeep/backup.ts");
  assertEmbedded(db, "made smaller", `vacuumdb --full ${db.location}`);
};

const UNITS: Record<string, number> = { d: DAY, w: 7 * DAY, y: 365 * DAY };

const parseAge = (text: string): number => {
  const [, count, unit = ""] = text.trim().match(/^(\d{1,5})([dwy])$/i) ?? [];
  if (count === undefined) {
    throw new AppError("invalid", `--older-than ${JSON.stringify(text)} is not an age such as 90d, 26w or 2y.`);
  }
  return Number(count) * UNITS[unit.toLowerCase()]!;
};

const describePruned = (
  { jobs, changes, leftovers, bytes, kept }: Pruned,
  dryRun: boolean,
  gained: number | null,
): string[] => {
  const left = leftovers > 0 ? ` and ${formatNumber(leftovers)} unresolved records of dry runs` : "";
  const records = `${formatCount(changes, "record")} of ${formatCount(jobs, "job")}${left}, ${formatSize(bytes)}`;
  if (jobs === 0 && kept === 0 && gained === null) return ["Nothing to remove."];
  const room = gained === null ? "The database reuses the space. To return it to the disk: --compact" : "";
  return [
    dryRun ? `Would remove ${records}. This was a dry run: nothing was removed.` : `Removed: ${records}.`,
    ...(kept > 0
      ? [
          `${formatCount(kept, "job keeps its records", "jobs keep their records")}, because a later rollback may need them.`,
        ]
      : []),
    ...(gained === null
      ? dryRun || jobs === 0
        ? []
        : [room]
      : [`The database is now ${formatSize(gained)} smaller on disk.`]),
  ];
};

const describeSoFar = ({ jobs, changes, leftovers, bytes }: Pruned, dryRun: boolean): string => {
  const records = changes + leftovers;
  const much = `${formatCount(records, "record")} of ${formatCount(jobs, "job")}, ${formatSize(bytes)}`;
  return `Interrupted. ${dryRun ? "Would remove" : "Removed"} ${much} so far. Run the command again for the rest.`;
};
