import type { Command } from "commander";
import type { News, NewsOfJob } from "../../src/awards/news.ts";
import type { Places } from "../../src/domain/jobs/gains.ts";
import { formatCount, formatPlural } from "../../src/kernel/number-text.ts";
import { PLACE_WORDS } from "../../src/domain/jobs/job-words.ts";
import { LABELS } from "../../src/domain/origins/labels.ts";
import { formatUtc } from "../../src/kernel/time-text.ts";
import { withLog } from "../open-log.ts";
import type { Flags, Shell } from "../shell.ts";

type NewsFlags = Flags & { since?: string };

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "news", null, ["qsolog news", "qsolog news --since 2026-07-01"])
    .option("--since <date>", "since this day, as YYYY-MM-DD; default: the last 30 days")
    .action((flags: NewsFlags) => show(shell, flags));
};

const show = (shell: Shell, flags: NewsFlags): Promise<void> =>
  withLog(shell, flags, { writes: false }, async (log) => {
    const found = await log.news({ since: flags.since });
    shell.answer(found, () => formatNews(found));
  });

const formatNews = ({ since, jobs }: News): string =>
  jobs.length === 0 ? `Nothing new since ${formatUtc(since)} UTC.` : jobs.map(formatJob).join("\n");

const formatJob = ({ jobId, source, finishedAt, worked, confirmed }: NewsOfJob): string =>
  [
    `Job ${jobId}, ${LABELS[source]}, ${formatUtc(finishedAt)} UTC`,
    ...Object.entries({ worked, confirmed }).flatMap(([level, { entities, bands, states, zones, grids }]) =>
      formatGains(level, { entities: entities.map(({ label }) => label), bands, states, zones, grids }),
    ),
  ].join("\n");

const MAX_NAMES = 12;

/** Lists a few names. For many, as after a first download, only the number. */
const formatGains = (level: string, gains: Record<keyof Places, readonly (string | number)[]>): string[] => {
  const kinds = (Object.keys(PLACE_WORDS) as (keyof Places)[]).map((kind) => [PLACE_WORDS[kind], gains[kind]] as const);
  const many = kinds.filter(([, names]) => names.length > MAX_NAMES);
  const few = kinds.filter(([, names]) => names.length > 0 && names.length <= MAX_NAMES);
  const counts = many.map(([kind, { length }]) => formatCount(length, ...kind)).join(", ");
  return [
    ...(many.length > 0 ? [`  newly ${level}: ${counts} (their names: --json)`] : []),
    ...few.map(([kind, names]) => `  newly ${level} ${formatPlural(names.length, ...kind)}: ${names.join(", ")}`),
  ];
};
