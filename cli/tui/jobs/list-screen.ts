import { useEffect } from "react";
import { AT_TOP, keepInSight, moveCursor, type Cursor } from "../cursor.ts";
import { LIST_MOVES, nameKey, UNSEEN, type Context, type Screen } from "../context.ts";
import { questionsOf, useLatest, usePoll } from "../hooks.ts";
import { listJobHints, renderJobRow, renderJobTitles, WIDE_ENOUGH_FOR_STORY } from "./lines.ts";
import { NO_JOB, openJob, useJob, type OpenJob } from "./job-screen.ts";
import { fitHeight, joinPane, renderRow, splitWidth } from "../line.ts";
import { moveOf } from "../keymap.ts";
import { pressOnJob } from "../dialogs/jobs.ts";

const MAX_JOBS = 500;

/** The job that another screen wants to see. A new object is a new request. */
export type JobWish = { id: number } | null;

/** The list of jobs, newest first, and the details of one. */
export const useJobs = (context: Context, isShown: boolean, wish: JobWish): Screen => {
  const { client, size } = context;
  const state = useLatest<{ cursor: Cursor }>({ cursor: AT_TOP });
  const open = useLatest<OpenJob>(NO_JOB);
  const question = questionsOf(context, isShown);
  const { value, problem } = usePoll(question("jobs", () => client.jobs({ limit: MAX_JOBS })));
  useEffect(() => {
    if (wish) client.job(wish.id).then(({ job }) => open.change(openJob(job)), context.fail);
  }, [wish]);
  const jobs = value?.jobs ?? [];
  const height = size.height - 1;
  const { at, top } = keepInSight(state.now.cursor, jobs.length, height);
  const split = context.isPlain || open.now.id !== null ? null : splitWidth(size);
  const here = jobs[at];
  const preview = { now: here ? openJob(here) : NO_JOB, change: () => {} };
  const detail = split ? { ...context, size: { ...size, width: split.pane } } : context;
  const job = useJob(detail, split ? preview : open, isShown, split !== null);
  if (!isShown) return UNSEEN;
  if (open.now.id !== null) return job;

  // The detail tells what each job did.
  const width = split ? Math.min(split.list, WIDE_ENOUGH_FOR_STORY - 1) : size.width;
  const rows = jobs
    .slice(top, top + height)
    .map((one, index) => renderRow(renderJobRow(one, width), top + index === at, width));
  if (problem) rows.push([[` ${problem}`, "failed"]]);
  else if (value && jobs.length === 0)
    rows.push([[`  There are no jobs yet. Press ${nameKey("s", context)} to sync.`, "quiet"]]);
  const lines = fitHeight([renderJobTitles(width), ...rows], size.height);
  return {
    lines: split ? joinPane(lines, job.lines, split) : lines,
    keys: (press) => {
      const move = moveOf(press);
      const here = jobs[keepInSight(state.now.cursor, jobs.length, height).at];
      const clicked = press.name === "click" ? jobs[top + press.row - 1] : undefined;
      if (press.name === "enter" && here) open.change(openJob(here));
      else if (clicked && clicked === here) open.change(openJob(here));
      else if (clicked) state.change({ cursor: { at: jobs.indexOf(clicked), top } });
      else if (here && pressOnJob(context, press, here)) return true;
      else if (move) state.change({ cursor: moveCursor(state.now.cursor, move, jobs.length, height) });
      else return false;
      return true;
    },
    hints: [["Enter", "open"], ["s", "sync"], ...listJobHints(here), LIST_MOVES],
  };
};
