import { renderDashboard } from "./dashboard-lines.ts";
import { renderProblem, UNSEEN, type Context, type Screen } from "./context.ts";
import { usePoll } from "./use-poll.ts";
import { toRow } from "./qso-window.ts";

const SECOND = 1000;
/** More than the tallest terminals can show. */
const MANY = { limit: "100" };

/** Totals, running jobs, next syncs and news. */
export const useDashboard = (context: Context, isShown: boolean): Screen => {
  const { client, jobs, labels, clock, size } = context;
  const version = `${context.version} ${context.refreshes}`;
  const asked = <T>(subject: string, ask: () => Promise<T>, everyMs?: number) => ({
    subject: isShown ? subject : null,
    version,
    ask,
    ...(everyMs === undefined ? {} : { everyMs }),
  });
  const stats = usePoll(asked("stats", () => client.stats(), 20 * SECOND));
  const schedule = usePoll(asked("schedule", () => client.schedule(), 5 * SECOND));
  const news = usePoll(asked("news", () => client.news()));
  const goals = usePoll(asked("goals", async () => (await client.awards({})).awards));
  const latest = usePoll(asked("latest", async () => (await client.qsos(MANY)).qsos.map(toRow)));
  if (!isShown) return UNSEEN;

  const problem = stats.problem ?? schedule.problem ?? news.problem ?? goals.problem ?? latest.problem;
  const data = {
    stats: stats.value,
    schedule: schedule.value,
    news: news.value,
    goals: goals.value,
    latest: latest.value,
    jobs,
    labels,
    isPlain: context.isPlain,
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
