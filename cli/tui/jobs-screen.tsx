/** @jsxImportSource react */
import { AT_TOP, inSight, moved, type Cursor } from "./cursor.ts";
import type { ScreenProps } from "./desk.ts";
import { useHeld } from "./held.ts";
import { JobDetail } from "./job-detail.tsx";
import { JOB_TITLES, jobRow } from "./job-lines.ts";
import { chosen, exactly, type Line } from "./line.ts";
import { Lines } from "./lines.tsx";
import { usePolled } from "./polled.ts";
import { moveOf } from "./presses.ts";

interface State {
  cursor: Cursor;
  open: number | null;
}

const MOST_SHOWN = 500;

/** What syncs and imports did, newest first. */
export const JobsScreen = ({ desk, listen, isActive }: ScreenProps & { isActive: boolean }) => {
  const { client, labels, size, hasColour } = desk;
  const state = useHeld<State>({ cursor: AT_TOP, open: null });
  const { value, problem } = usePolled({
    subject: isActive ? "jobs" : null,
    version: `${desk.version} ${desk.refreshes}`,
    ask: () => client.jobs({ limit: MOST_SHOWN }),
  });
  if (!isActive) return null;

  const { open } = state.now;
  if (open !== null) {
    return <JobDetail key={open} id={open} desk={desk} listen={listen} onClose={() => state.change({ open: null })} />;
  }
  const jobs = value?.jobs ?? [];
  const height = size.height - 1;
  listen((press) => {
    const move = moveOf(press);
    const job = jobs[inSight(state.now.cursor, jobs.length, height).at];
    if (press.name === "enter" && job) state.change({ open: job.id });
    else if (move) state.change({ cursor: moved(state.now.cursor, move, jobs.length, height) });
    else return false;
    return true;
  }, "Enter open   s sync   ? help   q quit");
  const { at, top } = inSight(state.now.cursor, jobs.length, height);
  const rows = jobs.slice(top, top + height).map((job, index): Line => {
    const row = jobRow(job, labels);
    return top + index === at ? chosen([">", ...row], size.width) : [" ", ...row];
  });
  if (problem) rows.push([[` ${problem}`, "failed"]]);
  else if (value && jobs.length === 0) rows.push([["  There are no jobs yet. Press s to sync.", "quiet"]]);
  return <Lines lines={exactly([JOB_TITLES, ...rows], size.height)} hasColour={hasColour} />;
};
