import { AT_TOP, inSight, moved, type Cursor } from "./cursor.ts";
import { UNSEEN, type Context, type Screen } from "./context.ts";
import { useHeld } from "./key-repeat.ts";
import { jobRow, jobTitles } from "./job-lines.ts";
import { NO_JOB, opened, useJob, type OpenJob } from "./job-screen.ts";
import { chosen, exactly, type Line } from "./text-input.ts";
import { usePolled } from "./use-poll.ts";
import { letterOf, moveOf } from "./keymap.ts";
import { askToStop } from "./stop-question.ts";

const MAX_JOBS = 500;

/** The list of jobs, newest first, and the details of one. */
export const useJobs = (context: Context, isShown: boolean): Screen => {
  const { client, labels, size } = context;
  const state = useHeld<{ cursor: Cursor }>({ cursor: AT_TOP });
  const open = useHeld<OpenJob>(NO_JOB);
  const { value, problem } = usePolled({
    subject: isShown ? "jobs" : null,
    version: `${context.version} ${context.refreshes}`,
    ask: () => client.jobs({ limit: MAX_JOBS }),
  });
  const job = useJob(context, open, isShown);
  if (!isShown) return UNSEEN;
  if (open.now.id !== null) return job;

  const jobs = value?.jobs ?? [];
  const height = size.height - 1;
  const { at, top } = inSight(state.now.cursor, jobs.length, height);
  const rows = jobs.slice(top, top + height).map((one, index): Line => {
    const row = jobRow(one, labels, size.width);
    return top + index === at ? chosen([">", ...row], size.width) : [" ", ...row];
  });
  if (problem) rows.push([[` ${problem}`, "failed"]]);
  else if (value && jobs.length === 0) rows.push([["  There are no jobs yet. Press s to sync.", "quiet"]]);
  return {
    lines: exactly([jobTitles(size.width), ...rows], size.height),
    keys: (press) => {
      const move = moveOf(press);
      const here = jobs[inSight(state.now.cursor, jobs.length, height).at];
      const letter = letterOf(press);
      const clicked = press.name === "click" ? jobs[top + press.row - 1] : undefined;
      if (press.name === "enter" && here) open.change(opened(here));
      else if (clicked && clicked === here) open.change(opened(here));
      else if (clicked) state.change({ cursor: { at: jobs.indexOf(clicked), top } });
      else if (letter === "S" && here) askToStop(context, here);
      else if (move) state.change({ cursor: moved(state.now.cursor, move, jobs.length, height) });
      else return false;
      return true;
    },
    hint: "Enter open   s sync   S stop   Ctrl-K go to   ? help   q quit",
  };
};
