import type { Command } from "commander";
import { AppError } from "../../src/domain/errors.ts";
import { jobView, type JobStatus, type JobView } from "../../src/domain/sync-job.ts";
import { SOURCES, type Source } from "../../src/domain/source.ts";
import { diffOf, type FieldDiff } from "../../src/sync/diff.ts";
import type { Leftover } from "../../src/storage/leftovers.ts";
import { countsInWords } from "../running-job.ts";
import type { Flags, Shell } from "../shell.ts";
import { table, utc } from "../table.ts";
import { whose } from "../whose.ts";
import { jobId } from "./rollback.ts";

type ListFlags = Flags & { user?: string; source?: string; status?: string; limit: string };
type ShowFlags = Flags & { diff?: boolean; leftovers?: boolean };

const STATUSES: readonly JobStatus[] = ["pending", "running", "completed", "failed", "cancelled"];
const PAGE = 500;

export const register = (program: Command, shell: Shell): void => {
  const jobs = program.command("jobs").description("what syncs and imports did");
  shell
    .command(jobs, "list", "list the jobs, newest first")
    .option("--user <username>", "whose jobs")
    .option("--source <source>", `only of this source: ${SOURCES.join(", ")}`)
    .option("--status <status>", `only in this state: ${STATUSES.join(", ")}`)
    .option("--limit <n>", "at most this many", "20")
    .action((flags: ListFlags) => list(shell, flags));
  shell
    .command(jobs, "show <job>", "show a job, and what it changed")
    .option("--diff", "every change, field by field")
    .option("--leftovers", "every record it could not match or read")
    .action((id: string, flags: ShowFlags) => show(shell, jobId(id), flags));
};

const list = (shell: Shell, flags: ListFlags): Promise<void> =>
  shell.inWorld(flags, { writes: false }, async (world) => {
    const user = await whose(shell, flags, world);
    const syncJobs = await import("../../src/storage/sync-jobs.ts");
    const filter = {
      userId: user.id,
      source: flags.source === undefined ? undefined : oneOf<Source>(flags.source, SOURCES, "--source"),
      statuses: flags.status === undefined ? undefined : [oneOf<JobStatus>(flags.status, STATUSES, "--status")],
      limit: limitOf(flags.limit),
    };
    const [found, active] = await world.db.read(function* () {
      return [yield* syncJobs.list(filter), yield* syncJobs.countActive(user.id)] as const;
    });
    const views = found.map((job) => jobView(job, world.clock()));
    shell.answer({ jobs: views, active, nextCursor: null }, () => asTable(views, shell.terminal.width));
  });

const oneOf = <T extends string>(text: string, allowed: readonly T[], name: string): T => {
  const found = allowed.find((word) => word === text);
  if (!found) throw new AppError("invalid", `${name} is one of ${allowed.join(", ")}.`);
  return found;
};

const limitOf = (text: string): number => {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 500)
    throw new AppError("invalid", "--limit is a whole number from 1 to 500.");
  return limit;
};

const asTable = (jobs: readonly JobView[], width: number): string => {
  if (jobs.length === 0) return "There are no jobs yet.";
  const right = ["ADDED", "UPDATED", "CONF", "LEFT"];
  const titles = ["JOB", "SOURCE", "STATE", "STARTED (UTC)", ...right, "WHAT"];
  return table(
    titles.map((title) => ({
      title,
      align: right.includes(title) ? ("right" as const) : ("left" as const),
      shrinks: title === "WHAT",
    })),
    jobs.map((job) => [
      String(job.id),
      job.source,
      job.stale ? `${job.status} (stale)` : job.status,
      utc(job.startedAt ?? job.createdAt),
      String(job.stats.added),
      String(job.stats.updated),
      String(job.stats.newlyConfirmed),
      String(job.stats.unmatched + job.stats.rejected),
      job.error?.message ?? (job.dryRun ? "dry run" : job.trigger),
    ]),
    width,
  );
};

const show = (shell: Shell, id: number, flags: ShowFlags): Promise<void> =>
  shell.inWorld(flags, { writes: false }, async ({ db, clock }) => {
    const syncJobs = await import("../../src/storage/sync-jobs.ts");
    const job = await db.read(() => syncJobs.getOfAnybody(id));
    const view = jobView(job, clock());
    const changes = flags.diff ? await allChanges(db, id) : undefined;
    const leftovers = flags.leftovers ? await allLeftovers(db, id) : undefined;
    shell.answer({ job: view, changes, leftovers }, () =>
      [summaryOf(view), ...(changes ?? []).map(changeInWords), ...(leftovers ?? []).map(leftoverInWords)].join("\n"),
    );
  });

type Reader = Pick<import("../../src/storage/database.ts").Database, "read">;

interface ShownChange {
  id: number;
  qsoId: number;
  kind: "added" | "updated";
  call: string;
  diff: FieldDiff[];
}

const allChanges = async (db: Reader, jobId: number): Promise<ShownChange[]> => {
  const qsoChanges = await import("../../src/storage/qso-changes.ts");
  const shown: ShownChange[] = [];
  for (let after = 0; ;) {
    const page = await db.read(() => qsoChanges.list(jobId, after, PAGE));
    for (const { id, qsoId, kind, before, after: now } of page) {
      shown.push({ id, qsoId, kind, call: now.call, diff: diffOf(before, now) });
    }
    if (page.length < PAGE) return shown;
    after = page.at(-1)!.id;
  }
};

const allLeftovers = async (db: Reader, jobId: number): Promise<Leftover[]> => {
  const storage = await import("../../src/storage/leftovers.ts");
  const found: Leftover[] = [];
  for (let afterId = 0; ;) {
    const page = await db.read(() => storage.list(jobId, { afterId, limit: PAGE }));
    found.push(...page);
    if (page.length < PAGE) return found;
    afterId = page.at(-1)!.id;
  }
};

const summaryOf = (job: JobView): string =>
  [
    `Job ${job.id}: ${job.source}, ${job.trigger}, ${job.status}${job.stale ? " (stale)" : ""}${job.dryRun ? ", dry run" : ""}`,
    `started ${utc(job.startedAt ?? job.createdAt)} UTC${job.durationMs === null ? "" : `, took ${(job.durationMs / 1000).toFixed(1)} s`}`,
    countsInWords(job),
    ...(job.error ? [`${job.error.code}: ${job.error.message}`] : []),
    job.actions.rollback
      ? `It can be taken back: qsolog rollback ${job.id}`
      : `Not to be rolled back: ${job.actions.reason}`,
  ].join("\n");

const changeInWords = ({ qsoId, kind, call, diff }: ShownChange): string =>
  [
    `${kind === "added" ? "+" : "~"} QSO ${qsoId} ${call}`,
    ...(kind === "added"
      ? []
      : diff.map(({ field, before, after }) => `    ${field}: ${shown(before)} -> ${shown(after)}`)),
  ].join("\n");

const leftoverInWords = ({ kind, reason, record }: Leftover): string => {
  const { CALL = "?", QSO_DATE = "", TIME_ON = "", BAND = "", MODE = "", APP_QSOLOG_EXCERPT } = record.fields;
  return `? ${kind}: ${APP_QSOLOG_EXCERPT ?? [CALL, QSO_DATE, TIME_ON, BAND, MODE].join(" ").trim()}: ${reason}`;
};

const shown = (value: unknown): string => (value === null || value === undefined ? "nothing" : JSON.stringify(value));
