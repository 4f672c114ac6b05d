import { LABELS } from "../../src/domain/origins/labels.ts";
import type { News, NewsOfJob } from "../../src/awards/news.ts";
import { AUTO_SYNC_OFF, PAUSE_WORDS, describeDoubt, type AutoSyncSettings } from "../../src/domain/jobs/auto-sync.ts";
import { formatIsoDate } from "../../src/kernel/instant.ts";
import { PLACE_WORDS } from "../../src/domain/jobs/job-words.ts";
import { SERVICES, type Service } from "../../src/domain/jobs/source.ts";
import type { Statistics } from "../../src/domain/statistics/statistics.ts";
import { isActive, isWorthRollingBack } from "../../src/domain/jobs/sync-job.ts";
import { formatCount, formatNumber, formatShare } from "../../src/kernel/number-text.ts";
import { formatUntil } from "../../src/kernel/time-text.ts";
import type { Progress } from "../../src/domain/awards/award.ts";
import { describeActiveJob, renderJobBrief } from "./jobs/lines.ts";
import { renderQso, renderQsoTitles } from "./log/qso-lines.ts";
import { toRow, type QsoRow } from "./log/qso-window.ts";
import { formatCell } from "../table.ts";
import { drawBar, fitHeight, joinColumns, wrapText, type Line, type Size } from "./line.ts";
import { SERVICE_WORDS } from "../words.ts";
import { nameKey, renderNoAnswer, renderProblem, UNSEEN, type Context, type Screen } from "./context.ts";
import { questionsOf, usePoll } from "./hooks.ts";

export interface DashboardData extends Pick<Context, "jobs" | "isPlain" | "hasLetterKeys"> {
  stats: Statistics | null;
  schedule: AutoSyncSettings | null;
  news: News | null;
  goals: readonly Progress[] | null;
  /** The newest contacts, as many as may fit. */
  latest: readonly QsoRow[] | null;
  now: number;
}

const GAP = 2;
const MIN_TWO_COLUMN_WIDTH = 76;

/** What needs a decision and the totals at the top, then news and goals next to the bands. */
export const renderDashboard = (data: DashboardData, size: Size): Line[] => {
  const { stats } = data;
  if (stats?.total === 0) return fitHeight(renderFirstSteps(data, size.width), size.height);
  if (!stats) return fitHeight(renderNoAnswer(null, size, "Counting the log …"), size.height);
  const head = [...renderToDo(data, size.width), ...renderTotals(stats, data, size.width)];
  const room = size.height - head.length;
  const isWide = size.width >= MIN_TWO_COLUMN_WIDTH && !data.isPlain;
  const right = isWide ? renderBands(stats, Math.min(44, Math.floor(size.width * 0.42)), room) : [];
  const leftWidth = isWide ? size.width - Math.min(44, Math.floor(size.width * 0.42)) - GAP : size.width;
  const left = [
    ...renderActive(data, leftWidth),
    ...renderNews(data, leftWidth),
    ...renderGoals(data, leftWidth),
    [],
    ...renderUpcoming(data),
    ...renderLastJob(data, leftWidth),
  ];
  const height = Math.min(room, Math.max(left.length, right.length));
  const body = isWide ? joinColumns(fitHeight(left, height), right, leftWidth + GAP) : left;
  return fitHeight([...head, ...body, ...renderLatest(data, room - body.length, size.width)], size.height);
};

/** What fills an empty log. */
const renderFirstSteps = (data: DashboardData, width: number): Line[] => [
  ...renderToDo(data, width),
  [[" The log is empty. To fill it:", "title"]],
  [" ", [nameKey("n", data), "title"], " enters a QSO"],
  [
    " ",
    [nameKey("s", data), "title"],
    ` syncs; first connect a service in a shell: qsolog service set ${SERVICE_WORDS[0]}`,
  ],
  [" or import a file in a shell: qsolog import FILE"],
  [],
  ...renderActive(data, width),
  ...renderUpcoming(data),
  ...(data.jobs?.length ? renderLastJob(data, width) : []),
];

const MIN_LATEST_LINES = 3;
const LATEST_HEAD_LINES = 3;

/** Shown below if there is room. */
const renderLatest = ({ latest, isPlain }: DashboardData, room: number, width: number): Line[] => {
  if (latest === null || latest.length === 0 || room < LATEST_HEAD_LINES + MIN_LATEST_LINES) return [];
  const rows = latest.slice(0, room - LATEST_HEAD_LINES).map((row): Line => [" ", ...renderQso(row, width, isPlain)]);
  return [[], [[" LAST QSOs", "title"]], renderQsoTitles(width, isPlain), ...rows];
};

const renderTotals = (stats: Statistics, data: DashboardData, width: number): Line[] => {
  const { isPlain } = data;
  const { total, callsigns, entities, bands, modes, confirmation, unknownEntity } = stats;
  const share = confirmation.any / total;
  const barWidth = Math.max(10, Math.min(40, width - 60));
  return [
    [
      " ",
      [formatNumber(total), "title"],
      ` ${total === 1 ? "QSO" : "QSOs"}  ${formatCount(callsigns, "call")}  ${formatCount(entities, "entity", "entities")}  ${formatCount(bands, "band")}  ${formatCount(modes, "mode")}  `,
      [stats.firstQsoAt === null ? "" : `since ${formatIsoDate(stats.firstQsoAt)}`, "quiet"],
    ],
    [
      " Confirmed ",
      [`${isPlain ? "" : `${drawBar(share, barWidth)} `}${formatShare(confirmation.any, total)}`, "confirmed"],
      `  ${LABELS.first} ${formatNumber(confirmation.first)} · ${LABELS.second} ${formatNumber(confirmation.second)} · card ${formatNumber(confirmation.card)}`,
    ],
    unknownEntity > 0 ? [[` ${formatCount(unknownEntity, "QSO is", "QSOs are")} without a known entity`, "quiet"]] : [],
    ...(unknownEntity > 0 ? [[] as Line] : []),
  ];
};

const renderActive = ({ jobs }: DashboardData, width: number): Line[] => {
  const running = (jobs ?? []).filter((job) => isActive(job) && !job.stale);
  return running.length === 0
    ? []
    : [[[" RUNNING", "title"]], ...running.slice(0, 4).flatMap((job) => renderJobBrief(job, width)), []];
};

const renderLastJob = (data: DashboardData, width: number): Line[] => {
  const { jobs } = data;
  const last = jobs?.find((job) => !isActive(job));
  const words = last
    ? describeActiveJob(last)
    : jobs?.length === 0
      ? `No jobs yet. Press ${nameKey("s", data)} to sync.`
      : null;
  if (words === null) return [];
  const rows = wrapText(words, width - 2).slice(0, MAX_LAST_JOB_LINES);
  return [[], [[" LAST JOB", "title"]], ...rows.map((text): Line => [[` ${text}`, "quiet"]])];
};

/** The jobs that need a decision: stuck ones, and services whose last sync failed. */
const renderToDo = (data: DashboardData, width: number): Line[] => {
  const { jobs } = data;
  const latest = SERVICES.flatMap((source) => jobs?.find((job) => job.source === source && !isActive(job)) ?? []);
  const open = [...(jobs ?? []).filter(({ stale }) => stale), ...latest.filter(({ status }) => status === "failed")];
  const lines = open.slice(0, MAX_TO_DO).map((job): Line => {
    const words = job.stale ? "has been stuck for over an hour" : (job.error?.message ?? "failed");
    const hint = job.stale
      ? `${nameKey("4", data)} ${isWorthRollingBack(job) ? "roll back" : "see"} job ${job.id}`
      : `${nameKey("s", data)} sync again`;
    const subject = words.includes(LABELS[job.source]) ? "" : `${LABELS[job.source]} `;
    return [
      [` ! ${formatCell(`${subject}${words}`, width - hint.length - 5)} `, "failed"],
      [hint, "title"],
    ];
  });
  return lines.length === 0 ? [] : [...lines, []];
};

/** The awards that are nearest to their next step. */
const renderGoals = ({ goals, isPlain }: DashboardData, width: number): Line[] => {
  const near = (goals ?? [])
    .flatMap(({ next, ...award }) => (next === null || award.confirmed === 0 ? [] : [{ ...award, next }]))
    .toSorted((a, b) => b.confirmed / b.next - a.confirmed / a.next)
    .slice(0, MAX_GOALS);
  if (near.length === 0) return [];
  const barWidth = Math.max(6, Math.min(24, width - GOAL_WIDTH));
  return [
    [],
    [[" CLOSEST GOALS", "title"]],
    ...near.map(({ label, next, confirmed, worked }): Line => {
      const solid = Math.min(barWidth - 1, Math.round((confirmed / next) * barWidth));
      const waiting = Math.min(barWidth - solid - 1, Math.round(((worked - confirmed) / next) * barWidth));
      const rest = barWidth - solid - waiting - 1;
      const bar: Line = [
        ["█".repeat(solid), "confirmed"],
        ["┃", "failed"],
        ["▒".repeat(Math.max(0, waiting)), "worked"],
        "·".repeat(Math.max(0, rest)),
        " ",
      ];
      return [
        ` ${formatCell(label, 12)} `,
        ...(isPlain ? [] : bar),
        `${formatNumber(next - confirmed)} to go of ${formatNumber(next)}`,
      ];
    }),
  ];
};

const renderUpcoming = ({ schedule, now }: DashboardData): Line[] => [
  [[" NEXT SYNCS", "title"]],
  ...(schedule === null ? [] : SERVICES.map((source) => nextSync(source, schedule, now))),
];

const nextSync = (source: Service, { [source]: schedule }: AutoSyncSettings, now: number): Line => {
  const { enabled, intervalHours, lastSyncAt, nextSyncAt, paused } = schedule;
  const name = ` ${formatCell(LABELS[source], 8)} `;
  if (describeDoubt(schedule, now) !== null) return [name, ["the server's clock is or was wrong", "failed"]];
  if (enabled && paused) return [name, [PAUSE_WORDS[paused], "failed"]];
  if (enabled && nextSyncAt !== null) {
    return [name, `${formatUntil(nextSyncAt, now)}, `, [`every ${formatCount(intervalHours, "hour")}`, "quiet"]];
  }
  return [name, [lastSyncAt === null ? AUTO_SYNC_OFF : `${AUTO_SYNC_OFF}, last ${formatIsoDate(lastSyncAt)}`, "quiet"]];
};

const renderNews = (data: DashboardData, width: number): Line[] => {
  const { news } = data;
  const title: Line = [[" NEW IN 30 DAYS", "title"]];
  if (news === null) return [title];
  if (news.jobs.length === 0) return [title, [[" Nothing new.", "quiet"]]];
  return [title, ...news.jobs.flatMap((job) => renderNewsOfJob(job, data, width))];
};

const renderNewsOfJob = (job: NewsOfJob, { isPlain }: DashboardData, width: number): Line[] => [
  [` ${formatIsoDate(job.finishedAt)} `, [LABELS[job.source], "quiet"]],
  ...(["confirmed", "worked"] as const).flatMap((level) => {
    const { entities, bands, states, zones, grids } = job[level];
    const names = [
      ...shortenNames(
        entities.map(({ label }) => label),
        PLACE_WORDS.entities[1],
      ),
      ...shortenNames(bands, PLACE_WORDS.bands[1]),
      ...shortenNames(states, PLACE_WORDS.states[1]),
      ...shortenNames(
        zones.map((zone) => `zone ${zone}`),
        PLACE_WORDS.zones[1],
      ),
      ...shortenNames(grids, PLACE_WORDS.grids[1], 3),
    ];
    if (names.length === 0) return [];
    const sign = isPlain ? `${level}:` : level === "confirmed" ? "C" : "W";
    const rows = wrapText(names.join(", "), width - 5);
    const shown = rows.length > 2 ? [rows[0]!, `${rows[1]!.slice(0, width - 8)} …`] : rows;
    return shown.map((text, index): Line => [
      index === 0 ? "  " : "    ",
      ...(index === 0 ? [[`${sign} `, level] as const] : []),
      text,
    ]);
  }),
];

const MAX_TO_DO = 3;
const MAX_LAST_JOB_LINES = 3;
const MAX_GOALS = 4;
/** A goal without its bar. */
const GOAL_WIDTH = 34;
const MAX_NAMES = 6;

/** A first download brings more names than anyone wants to read here. */
const shortenNames = (names: readonly string[], kind: string, most = MAX_NAMES): readonly string[] =>
  names.length > most ? [`${formatNumber(names.length)} ${kind}`] : names;

/** One bar per band: contacts, and the confirmed part. */
const renderBands = ({ byBand }: Statistics, width: number, room: number): Line[] => {
  const most = Math.max(1, ...byBand.map(({ total }) => total));
  const barWidth = width - 23;
  const rows = byBand.slice(0, room - 2).map(({ band, total, confirmed }): Line => {
    const whole = Math.max(1, Math.round((total / most) * barWidth));
    const part = Math.round((confirmed / total) * whole);
    return [
      `${formatCell(band, 5, "right")} `,
      ["█".repeat(part), "confirmed"],
      ["▒".repeat(whole - part), "worked"],
      " ".repeat(barWidth - whole + 1),
      formatCell(formatNumber(total), 7, "right"),
      [` ${formatCell(formatShare(confirmed, total), 6, "right")}`, "confirmed"],
    ];
  });
  return [
    [
      ["BANDS  ", "title"],
      ["█ confirmed ", "confirmed"],
      ["▒ worked", "worked"],
    ],
    ...rows,
  ];
};

const SECOND = 1000;
/** More than the tallest terminals can show. */
const MANY = { limit: "100" };

/** Totals, running jobs, next syncs and news. */
export const useDashboard = (context: Context, isShown: boolean): Screen => {
  const { client, clock, size } = context;
  const question = questionsOf(context, isShown);
  const stats = usePoll(question("stats", () => client.stats(), { everyMs: 20 * SECOND }));
  const schedule = usePoll(question("schedule", () => client.schedule(), { everyMs: 5 * SECOND }));
  const news = usePoll(question("news", () => client.news()));
  const goals = usePoll(question("goals", async () => (await client.awards({})).awards));
  const latest = usePoll(question("latest", async () => (await client.qsos(MANY)).qsos.map(toRow)));
  if (!isShown) return UNSEEN;

  const problem = stats.problem ?? schedule.problem ?? news.problem ?? goals.problem ?? latest.problem;
  const data = {
    ...context,
    stats: stats.value,
    schedule: schedule.value,
    news: news.value,
    goals: goals.value,
    latest: latest.value,
    now: clock(),
  };
  return {
    lines: problem === null ? renderDashboard(data, size) : renderProblem(problem, size),
    keys: () => false,
    hints: [
      ["n", "new QSO"],
      ["s", "sync"],
      ["r", "reload"],
    ],
  };
};
