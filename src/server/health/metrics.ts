import type { App } from "../../app.ts";
import { countJobs } from "../../people/installation.ts";

/** In Prometheus text format. */
export const metricsOf = async (app: App): Promise<string> => {
  const { db, clock, scheduler, gauges } = app;
  const now = clock();
  const { jobs, durations, successes } = await countJobs(app);
  const memory = process.memoryUsage.rss();
  return `${[
    ...family("qsolog_requests_total", "counter", "Number of requests answered.", gauges.answered()),
    ...family("qsolog_request_seconds_sum", "counter", "Total time spent on requests.", [["", gauges.seconds]]),
    ...family("qsolog_request_seconds_count", "counter", "Number of requests timed.", [["", gauges.requests]]),
    ...family("qsolog_longest_stall_seconds", "gauge", "Longest time the event loop was blocked.", [
      ["", gauges.longestStallMs / 1000],
    ]),
    ...family(
      "qsolog_jobs",
      "gauge",
      "Number of jobs by source and state.",
      jobs.map(({ source, status, n }) => [`source="${source}",status="${status}"`, n]),
    ),
    ...family(
      "qsolog_job_seconds_sum",
      "gauge",
      "Total run time of the recorded jobs.",
      durations.map(({ source, milliseconds }) => [`source="${source}"`, milliseconds / 1000]),
    ),
    ...family(
      "qsolog_job_seconds_count",
      "gauge",
      "Number of recorded jobs that have ended.",
      durations.map(({ source, n }) => [`source="${source}"`, n]),
    ),
    ...family(
      "qsolog_last_success_age_seconds",
      "gauge",
      "Time since the last completed job of the source.",
      successes.map(({ source, at }) => [`source="${source}"`, (now - at) / 1000]),
    ),
    ...family("qsolog_tick_age_seconds", "gauge", "Time since the scheduler last ran.", [
      ["", scheduler.lastTickAt === null ? NaN : (now - scheduler.lastTickAt) / 1000],
    ]),
    ...family("qsolog_jobs_running", "gauge", "Number of jobs running in this process.", [["", app.runner.size]]),
    ...family("qsolog_database_bytes", "gauge", "Size of the database.", [["", await db.sizeBytes()]]),
    ...family("qsolog_resident_bytes", "gauge", "Memory used by the process.", [["", memory]]),
  ].join("\n")}\n`;
};

const family = (
  name: string,
  type: string,
  help: string,
  samples: readonly (readonly [string, number])[],
): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...samples.map(([labels, value]) => `${name}${labels === "" ? "" : `{${labels}}`} ${value}`),
];
