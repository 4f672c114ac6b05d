import type { JobView } from "../../src/domain/sync-job.ts";
import { changeLines, leftoverLines } from "./change-lines.ts";
import { scrolled } from "./cursor.ts";
import { UNSEEN, type Desk, type Keyboard, type Screen } from "./desk.ts";
import type { Held } from "./held.ts";
import { jobSummary } from "./job-lines.ts";
import { exactly, type Line } from "./line.ts";
import { usePages } from "./pages.ts";
import { usePolled } from "./polled.ts";
import { letterOf, moveOf } from "./presses.ts";
import { askToRollBack } from "./rollback-question.ts";

/** The job that is open, and where in it somebody looks. */
export interface OpenJob {
  id: number | null;
  shows: "changes" | "leftovers";
  top: number;
}

export const NO_JOB: OpenJob = { id: null, shows: "changes", top: 0 };

const PAGE = 100;

/** One job: what it did, field by field, and what it left over. */
export const useJob = (desk: Desk, open: Held<OpenJob>, isShown: boolean): Screen => {
  const { client, labels, size } = desk;
  const { shows, top } = open.now;
  const id = isShown ? open.now.id : null;
  const version = `${desk.version} ${desk.refreshes}`;
  const { value, problem } = usePolled({
    subject: id === null ? null : `job ${id}`,
    version,
    ask: async () => (await client.job(id!)).job,
  });
  const blocks = usePages<Line[]>({
    subject: value ? `${id} ${shows} ${value.status} ${value.stats.fetched} ${desk.refreshes}` : null,
    wanted: top + 2 * size.height,
    ask: async (cursor) => {
      const page = { limit: PAGE, cursor };
      if (shows === "leftovers") {
        const { leftovers, nextCursor } = await client.leftovers(id!, page);
        return { rows: leftovers.map(leftoverLines), nextCursor };
      }
      const { changes, nextCursor } = await client.changes(id!, page);
      return { rows: changes.map((change) => changeLines(change, labels, size.width)), nextCursor };
    },
  });
  if (id === null) return UNSEEN;

  const head: Line[] = value ? [...jobSummary(value, labels, size.width), tabs(value, shows)] : [];
  const lines = blocks.rows.flat();
  const height = Math.max(1, size.height - head.length);
  const shown = lines.slice(top, top + height);
  const wrong = problem ?? blocks.problem;
  if (wrong) shown.push([[` ${wrong}`, "failed"]]);
  else if (value && blocks.isComplete && lines.length === 0) shown.push([[` ${nothing(shows, value)}`, "quiet"]]);
  const goTo = (line: number) => open.change({ top: Math.max(0, Math.min(line, lines.length - 1)) });
  const keys: Keyboard = (press) => {
    const move = moveOf(press);
    const letter = letterOf(press);
    if (press.name === "escape" || letter === "q") open.change(NO_JOB);
    else if (letter === "c") open.change({ shows: "changes", top: 0 });
    else if (letter === "l" || letter === "w") open.change({ shows: "leftovers", top: 0 });
    else if (letter === "x" && value) askToRollBack(desk, value);
    else if (letter === "n" || letter === "N") goTo(startOfBlock(blocks.rows, open.now.top, letter === "n" ? 1 : -1));
    else if (move) open.change({ top: scrolled(open.now.top, move, lines.length, height) });
    else return false;
    return true;
  };
  return {
    lines: exactly([...head, ...shown], size.height),
    keys,
    hint: "c changes   l leftovers   n N next, previous   ? help   q back",
  };
};

const nothing = (shows: OpenJob["shows"], { stats }: JobView): string => {
  if (shows === "changes") return "It changed nothing, or what it changed is no longer kept.";
  const isKnown = stats.unmatched + stats.rejected > 0;
  return isKnown ? "Only records that an earlier job left over too, or that were dismissed." : "It left nothing over.";
};

const tabs = ({ stats }: JobView, shows: OpenJob["shows"]): Line => {
  const tab = (key: string, name: OpenJob["shows"], count: number) =>
    [["   ", [key, "title"], ` ${name} ${count}`], [[`  [${key} ${name} ${count}]`, "live"]]][
      shows === name ? 1 : 0
    ] as Line;
  return [
    ...tab("c", "changes", stats.added + stats.updated),
    ...tab("l", "leftovers", stats.unmatched + stats.rejected),
  ];
};

/** The first line of the next block, or of the one before. */
const startOfBlock = (blocks: readonly (readonly Line[])[], top: number, step: 1 | -1): number => {
  let line = 0;
  let before = 0;
  for (const block of blocks) {
    if (step === 1 && line > top) return line;
    if (step === -1 && line >= top) return before;
    before = line;
    line += block.length;
  }
  return step === 1 ? top : before;
};
