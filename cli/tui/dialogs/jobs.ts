import { SERVICES, type Service } from "../../../src/domain/jobs/source.ts";
import { isActive, type JobView } from "../../../src/domain/jobs/sync-job.ts";
import { formatCount, formatNumber } from "../../../src/kernel/number-text.ts";
import { describeKept, describeOthers, groupRollbackContacts } from "../../../src/domain/jobs/rollback-words.ts";
import type { RolledBackDocument } from "../../../src/logbook/contract.ts";
import type { RollbackPreview } from "../../../src/sync/undo/rollback.ts";
import { formatRollbackContacts } from "../../words.ts";
import type { Context } from "../context.ts";
import { wrapText, type Line, type Tone } from "../line.ts";
import { getLetter, type Press } from "../keymap.ts";

interface SyncStart {
  full: boolean;
  onStarted(jobId: number): void;
}

export const startSync = (context: Context, source: Service, { full, onStarted }: SyncStart): void =>
  void context.client.startSync(source, full ? { full } : {}).then(
    ({ job }) => {
      const where = context.client.runsJobsHere ? "It runs while this screen is open." : "It runs on the server.";
      context.say(`Started the ${context.labels[source]} sync as job ${job.id}. ${where}`);
      onStarted(job.id);
    },
    (error: Error) => context.say(error.message),
  );

/** Asks for the service and whether to download everything, and starts the sync. */
export const askToSync = (context: Context, onStarted: (jobId: number) => void, full = false): void => {
  const start = (source: Service): void => {
    context.ask(null);
    startSync(context, source, { full, onStarted });
  };
  context.ask({
    title: "Start a sync",
    lines: [
      ...SERVICES.map((source, index): Line => [[String(index + 1), "title"], ` ${context.labels[source]}`]),
      [],
      [["a", "title"], full ? " download everything again [x]" : " download everything again [ ]"],
      [["Esc", "title"], " cancel"],
    ],
    press(press: Press) {
      const letter = press.name === "letter" ? press.letter.toLowerCase() : "";
      if (letter === "a") return askToSync(context, onStarted, !full);
      const source = SERVICES.find((_, index) => letter === String(index + 1));
      if (source) start(source);
      else if (press.name === "escape" || letter === "q" || letter === "n") context.ask(null);
    },
  });
};

/** Asks for confirmation and stops a job. */
export const askToStop = (context: Context, job: JobView): void => {
  if (!isActive(job)) return context.say(`Job ${job.id} has ended.`);
  context.ask({
    title: `Stop job ${job.id} (${context.labels[job.source]})?`,
    lines: [
      ["The job ends as failed after its current batch. Its changes stay, and you can roll them back."],
      [],
      [["y", "title"], " stop it   ", ["N", "title"], " cancel"],
    ],
    press(press) {
      context.ask(null);
      if (getLetter(press)?.toLowerCase() !== "y") return;
      context.client.interrupt(job.id).then(
        () => context.say(`Job ${job.id} stops after its current batch.`),
        (error: Error) => context.say(error.message),
      );
    },
  });
};

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
