import { dashboardLines } from "./dashboard-lines.ts";
import { problemLines, UNSEEN, type Context, type Screen } from "./context.ts";
import { usePolled } from "./use-poll.ts";
import { rowOf } from "./qso-window.ts";

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
  const stats = usePolled(asked("stats", () => client.stats(), 20 * SECOND));
  const schedule = usePolled(asked("schedule", () => client.schedule(), 5 * SECOND));
  const news = usePolled(asked("news", () => client.news()));
  const latest = usePolled(asked("latest", async () => (await client.qsos(MANY)).qsos.map(rowOf)));
  if (!isShown) return UNSEEN;

  const problem = stats.problem ?? schedule.problem ?? news.problem ?? latest.problem;
  const data = {
    stats: stats.value,
    schedule: schedule.value,
    news: news.value,
    latest: latest.value,
    jobs,
    labels,
    now: clock(),
  };
  return {
    lines: problem === null ? dashboardLines(data, size) : problemLines(problem, size),
    keys: () => false,
    hint: "s sync   r reload   ? help   q quit",
  };
};
