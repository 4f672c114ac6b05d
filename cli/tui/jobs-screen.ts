import { AT_TOP, inSight, moved, type Cursor } from "./cursor.ts";
import { UNSEEN, type Desk, type Screen } from "./desk.ts";
import { useHeld } from "./held.ts";
import { JOB_TITLES, jobRow } from "./job-lines.ts";
import { NO_JOB, useJob, type OpenJob } from "./job-screen.ts";
import { chosen, exactly, type Line } from "./line.ts";
import { usePolled } from "./polled.ts";
import { moveOf } from "./presses.ts";

const MOST_SHOWN = 500;

/** What syncs and imports did, newest first; of one job everything. */
export const useJobs = (desk: Desk, isShown: boolean): Screen => {
  const { client, labels, size } = desk;
  const state = useHeld<{ cursor: Cursor }>({ cursor: AT_TOP });
  const open = useHeld<OpenJob>(NO_JOB);
  const { value, problem } = usePolled({
    subject: isShown ? "jobs" : null,
    version: `${desk.version} ${desk.refreshes}`,
    ask: () => client.jobs({ limit: MOST_SHOWN }),
  });
  const job = useJob(desk, open, isShown);
  if (!isShown) return UNSEEN;
  if (open.now.id !== null) return job;

  const jobs = value?.jobs ?? [];
  const height = size.height - 1;
  const { at, top } = inSight(state.now.cursor, jobs.length, height);
  const rows = jobs.slice(top, top + height).map((one, index): Line => {
    const row = jobRow(one, labels);
    return top + index === at ? chosen([">", ...row], size.width) : [" ", ...row];
  });
  if (problem) rows.push([[` ${problem}`, "failed"]]);
  else if (value && jobs.length === 0) rows.push([["  There are no jobs yet. Press s to sync.", "quiet"]]);
  return {
    lines: exactly([JOB_TITLES, ...rows], size.height),
    keys: (press) => {
      const move = moveOf(press);
      const here = jobs[inSight(state.now.cursor, jobs.length, height).at];
      if (press.name === "enter" && here) open.change({ ...NO_JOB, id: here.id });
      else if (move) state.change({ cursor: moved(state.now.cursor, move, jobs.length, height) });
      else return false;
      return true;
    },
    hint: "Enter open   s sync   ? help   q quit",
  };
};
