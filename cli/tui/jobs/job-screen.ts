import {
  findFirstPart,
  NOTHING_IN,
  describePart,
  STORY_PARTS,
  type StoryPart,
} from "../../../src/domain/jobs/job-story.ts";
import type { JobView } from "../../../src/domain/jobs/sync-job.ts";
import type { ChangeView, LeftoverView } from "../../../src/logbook/contract.ts";
import { listJobHints, renderChange, renderJobSummary, renderLeftover } from "./lines.ts";
import { scrollTop } from "../cursor.ts";
import {
  backBy,
  keysIf,
  LIST_MOVES,
  runKey,
  UNSEEN,
  type Context,
  type KeyHint,
  type Keyboard,
  type Screen,
} from "../context.ts";
import { questionsOf, usePages, usePoll, type Latest } from "../hooks.ts";
import { askAboutLeftovers } from "../dialogs/leftovers.ts";
import { fitHeight, toPlainText, type Line } from "../line.ts";
import { getLetter, moveOf } from "../keymap.ts";
import { pressOnJob } from "../dialogs/jobs.ts";

/** The open job and the position in it. */
export interface OpenJob {
  id: number | null;
  shows: StoryPart;
  /** Shows every changed field in addition to the summary. */
  hasFields: boolean;
  top: number;
}

export const NO_JOB: OpenJob = { id: null, shows: "new", hasFields: false, top: 0 };

/** Opens a job at the first part that is not empty. */
export const openJob = (job: JobView): OpenJob => ({ ...NO_JOB, id: job.id, shows: findFirstPart(job.stats) });

/** The next or previous part. */
const getNextPart = (shows: StoryPart, step: 1 | -1): StoryPart => {
  const at = STORY_PARTS.findIndex(({ part }) => part === shows);
  return STORY_PARTS[(at + step + STORY_PARTS.length) % STORY_PARTS.length]!.part;
};

const PAGE = 100;
/** A preview next to the list of jobs follows the cursor when it rests. */
const AT_REST = { delayMs: 80 };

/** A job: its changes field by field, and its unmatched records. */
export const useJob = (context: Context, open: Latest<OpenJob>, isShown: boolean, isPreview = false): Screen => {
  const { client, size } = context;
  const { shows, hasFields, top } = open.now;
  const id = isShown ? open.now.id : null;
  const question = questionsOf(context, id !== null);
  const pace = isPreview ? AT_REST : {};
  const { value, problem } = usePoll(question(`job ${id}`, async () => (await client.job(id!)).job, pace));
  const blocks = usePages<Block>({
    subject: value ? `${id} ${shows} ${value.status} ${value.stats.fetched} ${context.refreshes}` : null,
    wanted: top + 2 * size.height,
    ask: async (cursor) => {
      const page = { limit: PAGE, cursor };
      if (shows === "left") {
        const { leftovers, nextCursor } = await client.leftovers(id!, page);
        return { rows: leftovers.map((leftover) => ({ leftover })), nextCursor };
      }
      const { changes, nextCursor } = await client.changes(id!, { ...page, kind: shows });
      return { rows: changes.map((change) => ({ change })), nextCursor };
    },
  });
  if (id === null) return UNSEEN;

  const head: Line[] = value ? [...renderJobSummary(value, context, size.width), renderTabs(value, shows)] : [];
  const told = blocks.rows.map((block) =>
    renderBlock(block, { width: size.width, hasFields, isPlain: context.isPlain }),
  );
  const lines = told.flat();
  const height = Math.max(1, size.height - head.length);
  const shown = lines.slice(top, top + height);
  const wrong = problem ?? blocks.problem;
  if (wrong) shown.push([[` ${wrong}`, "failed"]]);
  else if (value && blocks.isComplete && lines.length === 0) shown.push([[` ${describeEmpty(shows, value)}`, "quiet"]]);
  const goTo = (line: number) => open.change({ top: Math.max(0, Math.min(line, lines.length - 1)) });
  const showPart = (part: StoryPart) => open.change({ shows: part, top: 0 });
  const leftovers = blocks.rows.flatMap((block) => ("leftover" in block ? [block.leftover] : []));
  const copy = () => value && context.copy([...head, ...lines].map(toPlainText).join("\n"), `Job ${value.id}`);
  const hints: readonly KeyHint[] = [
    ...keysIf(shows === "left", ["t", "resolve one"]),
    ["c", "next part", () => showPart(getNextPart(shows, 1))],
    ...keysIf(shows !== "left", ["l", "unresolved", () => showPart("left")]),
    ...keysIf(hasOldValues(shows), ["v", "fields", () => open.change({ hasFields: !open.now.hasFields, top: 0 })]),
    ["n N", "next, previous"],
    ...listJobHints(value ?? undefined),
    ["y", "copy", copy],
    LIST_MOVES,
    backBy(() => open.change(NO_JOB)),
  ];
  const keys: Keyboard = (press) => {
    const move = moveOf(press);
    const letter = getLetter(press);
    if (runKey(hints, press) || (value && pressOnJob(context, press, value))) return true;
    if (press.name === "right") showPart(getNextPart(shows, 1));
    else if (press.name === "left") showPart(getNextPart(shows, -1));
    else if (letter === "t") askAboutLeftovers(context, leftovers);
    else if (letter === "n" || letter === "N") goTo(startOfBlock(told, open.now.top, letter === "n" ? 1 : -1));
    else if (move) open.change({ top: scrollTop(open.now.top, move, lines.length, height) });
    else return false;
    return true;
  };
  return { lines: fitHeight([...head, ...shown], size.height), keys, hints };
};

/** Only contacts that were there before have values before and after. */
const hasOldValues = (shows: StoryPart): boolean => shows === "confirmed" || shows === "changed";

type Block = { change: ChangeView } | { leftover: LeftoverView };

const renderBlock = (block: Block, telling: { width: number; hasFields: boolean; isPlain: boolean }): Line[] =>
  "leftover" in block ? renderLeftover(block.leftover) : renderChange(block.change, telling);

const describeEmpty = (shows: StoryPart, { stats }: JobView): string => {
  const isKnown = STORY_PARTS.some(({ part, of }) => part === shows && (of(stats) ?? 0) > 0);
  if (!isKnown) return NOTHING_IN[shows];
  if (shows !== "left") return "The change history of this job was removed.";
  return "Only records that are already unresolved in an earlier job, or dismissed.";
};

const renderTabs = ({ stats }: JobView, shows: StoryPart): Line => [
  " ",
  ...STORY_PARTS.flatMap((one): Line => {
    const words = describePart(one, stats);
    return [one.part === shows ? [`[${words}]`, "live"] : ` ${words} `, "  "];
  }),
];

/** The first line of the next or previous block. */
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
