import { AT_TOP, keepInSight, moveCursor, type Cursor } from "./cursor.ts";
import { UNSEEN, type Context, type Screen } from "./context.ts";
import { useLatest } from "./use-latest.ts";
import { renderJobRow, renderJobTitles } from "./job-lines.ts";
import { NO_JOB, openJob, useJob, type OpenJob } from "./job-screen.ts";
import { invertLine, fitHeight, type Line } from "./line.ts";
import { usePoll } from "./use-poll.ts";
import { getLetter, moveOf } from "./keymap.ts";
import { askToStop } from "./stop-question.ts";

const MAX_JOBS = 500;

/** The list of jobs, newest first, and the details of one. */
export const useJobs = (context: Context, isShown: boolean): Screen => {
  const { client, labels, size } = context;
  const state = useLatest<{ cursor: Cursor }>({ cursor: AT_TOP });
  const open = useLatest<OpenJob>(NO_JOB);
  const { value, problem } = usePoll({
    subject: isShown ? "jobs" : null,
    version: `${context.version} ${context.refreshes}`,
    ask: () => client.jobs({ limit: MAX_JOBS }),
  });
  const job = useJob(context, open, isShown);
  if (!isShown) return UNSEEN;
  if (open.now.id !== null) return job;

  const jobs = value?.jobs ?? [];
  const height = size.height - 1;
  const { at, top } = keepInSight(state.now.cursor, jobs.length, height);
  const rows = jobs.slice(top, top + height).map((one, index): Line => {
    const row = renderJobRow(one, labels, size.width);
    return top + index === at ? invertLine([">", ...row], size.width) : [" ", ...row];
  });
  if (problem) rows.push([[` ${problem}`, "failed"]]);
  else if (value && jobs.length === 0) rows.push([["  There are no jobs yet. Press s to sync.", "quiet"]]);
  return {
    lines: fitHeight([renderJobTitles(size.width), ...rows], size.height),
    keys: (press) => {
      const move = moveOf(press);
      const here = jobs[keepInSight(state.now.cursor, jobs.length, height).at];
      const letter = getLetter(press);
      const clicked = press.name === "click" ? jobs[top + press.row - 1] : undefined;
      if (press.name === "enter" && here) open.change(openJob(here));
      else if (clicked && clicked === here) open.change(openJob(here));
      else if (clicked) state.change({ cursor: { at: jobs.indexOf(clicked), top } });
      else if (letter === "S" && here) askToStop(context, here);
      else if (move) state.change({ cursor: moveCursor(state.now.cursor, move, jobs.length, height) });
      else return false;
      return true;
    },
    hint: "Enter open   s sync   S stop   Ctrl-K go to   ? help   q quit",
  };
};
