import type { JobView } from "../../src/domain/jobs/sync-job.ts";
import { formatCount, formatNumber } from "../../src/kernel/number-text.ts";
import { groupRollbackContacts, describeKept, describeOthers } from "../../src/domain/jobs/rollback-words.ts";
import type { RolledBackDocument } from "../../src/logbook/contract.ts";
import type { RollbackPreview } from "../../src/sync/undo/rollback.ts";
import { formatRollbackContacts } from "../words.ts";
import type { Context } from "./context.ts";
import { wrapText, type Line, type Tone } from "./line.ts";

const KEPT_SHOWN = 8;
/** The frame, the keys, and the row above them. */
const AROUND = 4;
/** The frame and the indentation. */
const BESIDE_WORDS = 8;
/** The heading of a kind, and the line with the number of further names. */
const BESIDE_NAMES = 2;

/** Previews a rollback and runs it after confirmation. */
export const askToRollBack = (context: Context, job: JobView): void => {
  const isUndo = job.actions.undo;
  if (!isUndo && !job.actions.rollback) return context.say(job.actions.undoReason ?? "This job cannot be rolled back.");
  const rollBack = () => (isUndo ? context.client.undo(job.id) : context.client.rollback(job.id));
  const failed = (error: Error) => {
    context.ask(null);
    context.say(error.message);
  };
  const yes = isUndo ? " undo it   " : " roll it back   ";
  const ask = (preview: Line[]) => {
    const lines = [...preview, [], [["y", "title"] as const, yes, ["N", "title"] as const, " cancel"]];
    let isAnswered = false;
    context.ask({
      title: `${isUndo ? "Undo" : "Roll back"} job ${job.id} (${context.labels[job.source]})?`,
      lines,
      press(press) {
        if (isAnswered) return;
        if (press.name !== "letter" || press.letter.toLowerCase() !== "y") return context.ask(null);
        isAnswered = true;
        rollBack().then((done) => {
          context.ask(null);
          context.say(describeDone(done, isUndo));
        }, failed);
      },
    });
  };
  let isLeft = false;
  const leave = () => {
    isLeft = true;
    context.ask(null);
  };
  context.ask({ title: `Job ${job.id}`, lines: [["Checking what would change …"]], press: leave });
  context.client.rollbackPreview(job.id, { undo: isUndo }).then((preview) => {
    if (!isLeft) ask(previewLines(preview, context));
  }, failed);
};

const previewLines = (preview: RollbackPreview, { labels, size }: Context): Line[] => {
  const { deleted, restored, keptTotal, later, stopped } = preview;
  const wrap = (words: string, indent: string, tone: Tone | null): Line[] =>
    wrapText(words, size.width - BESIDE_WORDS).map((row): Line => [tone ? [indent + row, tone] : indent + row]);
  const head: Line[] = [
    ...describeOthers({ later: [], stopped }, labels).flatMap((words) => wrap(words, "! ", "failed")),
    [`${formatCount(deleted, "QSO")} would be deleted, ${formatNumber(restored)} restored,`],
    [`${formatCount(keptTotal, "value")} kept${keptTotal > 0 ? " because of newer changes" : ""}.`],
    ...[...describeOthers({ later, stopped: [] }, labels), ...describeKept(preview, labels, KEPT_SHOWN)].flatMap(
      (words) => wrap(words, "  ", null),
    ),
  ];
  const fates = groupRollbackContacts(preview).length;
  const share = Math.floor((size.height - AROUND - head.length) / Math.max(1, fates)) - BESIDE_NAMES;
  return [...head, ...formatRollbackContacts(preview, Math.max(1, share)).map((row): Line => [row])];
};

const describeDone = ({ job, rollback: { deleted, restored, kept } }: RolledBackDocument, isUndo: boolean): string =>
  `Job ${job.id} is ${isUndo ? "undone" : "rolled back"}: ${formatCount(deleted, "QSO")} deleted, ${formatNumber(restored)} restored, ${formatCount(kept, "value")} kept.`;
