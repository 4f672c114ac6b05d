import { version } from "../../../package.json";
import type { App } from "../../app.ts";
import { listBackups } from "../../kernel/backup-files.ts";
import { getDiskSpace } from "../../people/disk.ts";
import { countJobs } from "../../people/installation.ts";

type Sample = readonly [labels: string, value: number];

/** In Prometheus text format. Moments are in seconds since 1970; what never happened has no sample. */
export const metricsOf = async (app: App): Promise<string> => {
  const { db, scheduler, gauges } = app;
  const { jobs, durations, successes } = await countJobs(app);
  return `${[
    ...family("qsolog_build_info", "gauge", "Version of the program and of its runtime.", [
      [`version="${version}",bun="${Bun.version}"`, 1],
    ]),
    ...family("process_start_time_seconds", "gauge", "When the server started.", [["", app.startedAt / 1000]]),
    ...family("process_resident_memory_bytes", "gauge", "Memory used by the process.", [
      ["", process.memoryUsage.rss()],
    ]),
    ...family("qsolog_requests_total", "counter", "Number of requests answered.", gauges.answered()),
    ...parts("qsolog_request_duration_seconds", "histogram", "Time spent on requests.", {
      bucket: gauges.buckets(),
      sum: [["", gauges.seconds]],
      count: [["", gauges.requests]],
    }),
    ...family("qsolog_longest_stall_seconds", "gauge", "Longest block of the event loop in the last five minutes.", [
      ["", gauges.longestStallMs / 1000],
    ]),
    ...family(
      "qsolog_jobs",
      "gauge",
      "Number of jobs by source and state.",
      jobs.map(({ source, status, n }) => [`source="${source}",status="${status}"`, n]),
    ),
    ...parts("qsolog_job_duration_seconds", "summary", "Run time of the recorded jobs that have ended.", {
      sum: durations.map(({ source, milliseconds }) => [`source="${source}"`, milliseconds / 1000]),
      count: durations.map(({ source, n }) => [`source="${source}"`, n]),
    }),
    ...family(
      "qsolog_last_success_timestamp_seconds",
      "gauge",
      "When a job of the source last completed.",
      successes.map(({ source, at }) => [`source="${source}"`, at / 1000]),
    ),
    ...family(
      "qsolog_last_tick_timestamp_seconds",
      "gauge",
      "When the scheduler last ran.",
      moment(scheduler.lastTickAt),
    ),
    ...family(
      "qsolog_last_backup_timestamp_seconds",
      "gauge",
      "When the newest backup in the directory for automatic backups was made.",
      moment(listBackups(app.config.backupDir).at(-1)?.at ?? null),
    ),
    ...family("qsolog_jobs_running", "gauge", "Number of jobs running in this process.", [["", app.runner.size]]),
    ...family("qsolog_database_size_bytes", "gauge", "Size of the database.", [["", await db.sizeBytes()]]),
    ...family(
      "qsolog_disk_free_bytes",
      "gauge",
      "Free space for the data directory and for a database file.",
      getDiskSpace(app.config).map(({ use, freeBytes }) => [`use="${use}"`, freeBytes]),
    ),
  ].join("\n")}\n`;
};

const moment = (at: number | null): Sample[] => (at === null ? [] : [["", at / 1000]]);

/** A histogram or summary, whose samples have names of their own. */
const parts = (name: string, type: string, help: string, samples: Record<string, readonly Sample[]>): string[] => [
  ...family(name, type, help, []),
  ...Object.entries(samples).flatMap(([part, of]) => of.map((sample) => line(`${name}_${part}`, sample))),
];

const line = (name: string, [labels, value]: Sample): string => `${name}${labels === "" ? "" : `{${labels}}`} ${value}`;

const family = (name: string, type: string, help: string, samples: readonly Sample[]): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...samples.map((sample) => line(name, sample)),
];
