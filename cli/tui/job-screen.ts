import { grouped } from "../../src/domain/figures.ts";
import type { Chapter } from "../../src/domain/job-story.ts";
import { leftOverOf } from "../../src/domain/job-words.ts";
import type { Labels } from "../../src/domain/source.ts";
import type { JobStats, JobView } from "../../src/domain/sync-job.ts";
import type { ChangeView, LeftoverView } from "../../src/logbook/contract.ts";
import { changeLines, leftoverLines } from "./change-lines.ts";
import { scrolled } from "./cursor.ts";
import { UNSEEN, type Desk, type Keyboard, type Screen } from "./desk.ts";
import type { Held } from "./held.ts";
import { jobSummary } from "./job-lines.ts";
import { askAboutLeftovers } from "./leftover-question.ts";
import { exactly, plain, type Line } from "./line.ts";
import { usePages } from "./pages.ts";
import { usePolled } from "./polled.ts";
import { letterOf, moveOf } from "./presses.ts";
import { askToRollBack } from "./rollback-question.ts";
import { askToStop } from "./stop-question.ts";

/** The job that is open, and where in it somebody looks. */
export interface OpenJob {
  id: number | null;
  shows: Part;
  /** Every field that changed, beside what that means. */
  hasFields: boolean;
  top: number;
}

type Part = Chapter | "leftovers";

/** What a job tells, in this order. */
const PARTS: readonly { part: Part; name: string; of: (stats: JobStats) => number }[] = [
  { part: "new", name: "New", of: ({ added }) => added },
  { part: "confirmed", name: "Confirmed", of: ({ newlyConfirmed }) => newlyConfirmed },
  { part: "changed", name: "Changed", of: ({ updated, deleted }) => updated + deleted },
  { part: "leftovers", name: "Left over", of: leftOverOf },
];

export const NO_JOB: OpenJob = { id: null, shows: "new", hasFields: false, top: 0 };

/** Opened where there is something to tell. */
export const opened = (job: JobView): OpenJob => {
  const first = (["confirmed", "new", "changed", "leftovers"] as const).find((part) => countOf(part, job.stats) > 0);
  return { ...NO_JOB, id: job.id, shows: first ?? "new" };
};

const countOf = (wanted: Part, stats: JobStats): number => PARTS.find(({ part }) => part === wanted)!.of(stats);

/** The part beside this one. */
const beside = (shows: Part, step: 1 | -1): Part => {
  const at = PARTS.findIndex(({ part }) => part === shows);
  return PARTS[(at + step + PARTS.length) % PARTS.length]!.part;
};

const PAGE = 100;

/** One job: what it did, field by field, and what it left over. */
export const useJob = (desk: Desk, open: Held<OpenJob>, isShown: boolean): Screen => {
  const { client, labels, size } = desk;
  const { shows, hasFields, top } = open.now;
  const id = isShown ? open.now.id : null;
  const version = `${desk.version} ${desk.refreshes}`;
  const { value, problem } = usePolled({
    subject: id === null ? null : `job ${id}`,
    version,
    ask: async () => (await client.job(id!)).job,
  });
  const blocks = usePages<Block>({
    subject: value ? `${id} ${shows} ${value.status} ${value.stats.fetched} ${desk.refreshes}` : null,
    wanted: top + 2 * size.height,
    ask: async (cursor) => {
      const page = { limit: PAGE, cursor };
      if (shows === "leftovers") {
        const { leftovers, nextCursor } = await client.leftovers(id!, page);
        return { rows: leftovers.map((leftover) => ({ leftover })), nextCursor };
      }
      const { changes, nextCursor } = await client.changes(id!, { ...page, kind: shows });
      return { rows: changes.map((change) => ({ change })), nextCursor };
    },
  });
  if (id === null) return UNSEEN;

  const head: Line[] = value ? [...jobSummary(value, labels, size.width), tabs(value, shows)] : [];
  const told = blocks.rows.map((block) => linesOf(block, { labels, width: size.width, hasFields }));
  const lines = told.flat();
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
    else if (letter === "c" || press.name === "right") open.change({ shows: beside(shows, 1), top: 0 });
    else if (press.name === "left") open.change({ shows: beside(shows, -1), top: 0 });
    else if (letter === "l" || letter === "w") open.change({ shows: "leftovers", top: 0 });
    else if (letter === "v") open.change({ hasFields: !open.now.hasFields, top: 0 });
    else if (letter === "t")
      askAboutLeftovers(
        desk,
        blocks.rows.flatMap((block) => ("leftover" in block ? [block.leftover] : [])),
      );
    else if (letter === "S" && value) askToStop(desk, value);
    else if (letter === "y" && value) desk.copy([...head, ...lines].map(plain).join("\n"), `Job ${value.id}`);
    else if (letter === "x" && value) askToRollBack(desk, value);
    else if (letter === "n" || letter === "N") goTo(startOfBlock(told, open.now.top, letter === "n" ? 1 : -1));
    else if (move) open.change({ top: scrolled(open.now.top, move, lines.length, height) });
    else return false;
    return true;
  };
  return {
    lines: exactly([...head, ...shown], size.height),
    keys,
    hint:
      shows === "leftovers"
        ? "t settle one   c next part   y copy   ? help   q back"
        : "c next part   l left over   v fields   n N next, previous   ? help   q back",
  };
};

type Block = { change: ChangeView } | { leftover: LeftoverView };

const linesOf = (
  block: Block,
  { labels, width, hasFields }: { labels: Labels; width: number; hasFields: boolean },
): Line[] =>
  "leftover" in block ? leftoverLines(block.leftover) : changeLines(block.change, { labels, width, hasFields });

const nothing = (shows: Part, { stats }: JobView): string => {
  if (shows !== "leftovers") return countOf(shows, stats) > 0 ? "What it changed is no longer kept." : NOTHING[shows];
  const isKnown = stats.unmatched + stats.rejected > 0;
  return isKnown ? "Only records that an earlier job left over too, or that were dismissed." : "It left nothing over.";
};

const NOTHING: Record<Chapter, string> = {
  new: "Nothing was new.",
  confirmed: "Nothing was confirmed.",
  changed: "Nothing else changed.",
};

const tabs = ({ stats }: JobView, shows: Part): Line => [
  " ",
  ...PARTS.flatMap(({ part, name, of }): Line => {
    const words = `${name} ${grouped(of(stats))}`;
    return [part === shows ? [`[${words}]`, "live"] : ` ${words} `, "  "];
  }),
];

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
