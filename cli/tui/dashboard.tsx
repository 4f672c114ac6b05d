/** @jsxImportSource react */
import { dashboardLines } from "./dashboard-lines.ts";
import type { ScreenProps } from "./desk.ts";
import { Lines } from "./lines.tsx";
import { usePolled } from "./polled.ts";

const SECOND = 1000;

/** Totals, what is under way, what comes next and what is new. */
export const Dashboard = ({ desk, listen }: ScreenProps) => {
  const { client, jobs, labels, clock, size, hasColour } = desk;
  const version = `${desk.version} ${desk.refreshes}`;
  const stats = usePolled({ subject: "stats", version, everyMs: 20 * SECOND, ask: () => client.stats() });
  const schedule = usePolled({ subject: "schedule", version, everyMs: 5 * SECOND, ask: () => client.schedule() });
  const news = usePolled({ subject: "news", version, ask: () => client.news() });
  listen(() => false, "s sync   r reload   ? help   q quit");
  const problem = stats.problem ?? schedule.problem ?? news.problem;
  if (problem) return <Lines lines={[[], [[` ${problem}`, "failed"]]]} hasColour={hasColour} />;
  const data = { stats: stats.value, schedule: schedule.value, news: news.value, jobs, labels, now: clock() };
  return <Lines lines={dashboardLines(data, size)} hasColour={hasColour} />;
};
