import { LABELS } from "../../../src/domain/origins/labels.ts";
import { SERVICES, type Service } from "../../../src/domain/jobs/source.ts";
import { isActive, type JobView } from "../../../src/domain/jobs/sync-job.ts";
import {
  describeKept,
  describeOthers,
  describeRollback,
  describeRollbackPreview,
  groupRollbackContacts,
} from "../../../src/domain/jobs/rollback-words.ts";
import type { RollbackPreview } from "../../../src/sync/undo/rollback.ts";
import { formatRollbackContacts } from "../../words.ts";
import type { Context } from "../context.ts";
import { getLetter, type Press } from "../keymap.ts";
import { wrapLines, type Line } from "../line.ts";
import { confirm, showLoading } from "./confirm.ts";

interface SyncStart {
  full: boolean;
  onStarted(jobId: number): void;
}

export const startSync = (context: Context, source: Service, { full, onStarted }: SyncStart): void =>
  void context.client.startSync(source, full ? { full } : {}).then(({ job }) => {
    const where = context.client.runsJobsHere ? "It runs while this screen is open." : "It runs on the server.";
    context.say(`Started the ${LABELS[source]} sync as job ${job.id}. ${where}`);
    onStarted(job.id);
  }, context.fail);

/** Asks for the service and whether to download everything, and starts the sync. */
export const askToSync = (context: Context, onStarted: (jobId: number) => void, full = false): void =>
  context.ask({
    title: "Start a sync",
    lines: [
      ...SERVICES.map((source, index): Line => [[String(index + 1), "title"], ` ${LABELS[source]}`]),
      [],
      [["a", "title"], full ? " download everything again [x]" : " download everything again [ ]"],
      [["Esc", "title"], " cancel"],
    ],
    press(press) {
      const letter = getLetter(press)?.toLowerCase() ?? "";
      if (letter === "a") return askToSync(context, onStarted, !full);
      const source = SERVICES.find((_, index) => letter === String(index + 1));
      if (source || press.name === "escape" || letter === "q" || letter === "n") context.ask(null);
      if (source) startSync(context, source, { full, onStarted });
    },
  });

/** The keys of a job. Where one does nothing, it says why. */
export const pressOnJob = (context: Context, press: Press, job: JobView): boolean => {
  const letter = getLetter(press);
  if (letter === "S") askToStop(context, job);
  else if (letter === "x") askToRollBack(context, job);
  else return false;
  return true;
};

/** Asks for confirmation and stops a job. */
const askToStop = (context: Context, job: JobView): void => {
  if (!isActive(job)) return context.say(`Job ${job.id} has ended.`);
  const question = {
    title: `Stop job ${job.id} (${LABELS[job.source]})?`,
    lines: [["The job ends as failed after its current batch. Its changes stay, and you can roll them back."]],
    yes: "stop it",
  };
  confirm(context, question, () =>
    context.client
      .interrupt(job.id)
      .then(() => context.say(`Job ${job.id} stops after its current batch.`), context.fail),
  );
};

const KEPT_SHOWN = 8;
/** The frame, the keys, and the row above them. */
const AROUND = 4;
/** The frame and the indentation. */
const BESIDE_WORDS = 4;
/** The heading of a kind, and the line with the number of further names. */
const BESIDE_NAMES = 2;

/** Previews a rollback and runs it after confirmation. */
export const askToRollBack = (context: Context, job: JobView): void => {
  const { client } = context;
  const isUndo = job.actions.undo;
  if (!isUndo && !job.actions.rollback) return context.say(job.actions.undoReason ?? "This job cannot be rolled back.");
  const rollBack = () => {
    context.say(`${isUndo ? "Undoing" : "Rolling back"} job ${job.id} …`);
    (isUndo ? client.undo(job.id) : client.rollback(job.id)).then(
      ({ rollback }) =>
        context.say(`Job ${job.id} is ${isUndo ? "undone" : "rolled back"}: ${describeRollback(rollback)}.`),
      context.fail,
    );
  };
  const answer = client.rollbackPreview(job.id, { undo: isUndo });
  showLoading(context, [`Job ${job.id}`, "Checking what would change …"], answer, (preview) => {
    const title = `${isUndo ? "Undo" : "Roll back"} job ${job.id} (${LABELS[job.source]})?`;
    const yes = isUndo ? "undo it" : "roll it back";
    confirm(context, { title, lines: renderPreview(preview, context), yes }, rollBack);
  });
};

const renderPreview = (preview: RollbackPreview, { size }: Context): Line[] => {
  const { deleted, restored, keptTotal, later, stopped } = preview;
  const width = size.width - BESIDE_WORDS;
  const head: Line[] = [
    ...describeOthers({ later: [], stopped }).flatMap((words) => wrapLines(`! ${words}`, width, "failed", "")),
    ...wrapLines(describeRollbackPreview({ deleted, restored, kept: keptTotal }), width, null, ""),
    ...[...describeOthers({ later, stopped: [] }), ...describeKept(preview, KEPT_SHOWN)].flatMap((words) =>
      wrapLines(words, width, null, "  "),
    ),
  ];
  const kinds = groupRollbackContacts(preview).length;
  const share = Math.floor((size.height - AROUND - head.length) / Math.max(1, kinds)) - BESIDE_NAMES;
  return [...head, ...formatRollbackContacts(preview, Math.max(1, share)).map((row): Line => [row])];
};
