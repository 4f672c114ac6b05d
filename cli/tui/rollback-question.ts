import type { JobView } from "../../src/domain/sync-job.ts";
import { counted, grouped } from "../../src/domain/figures.ts";
import { othersInWords } from "../../src/domain/rollback-words.ts";
import type { RolledBackDocument } from "../../src/logbook/contract.ts";
import { keptInWords } from "../words.ts";
import type { Desk } from "./desk.ts";
import type { Line } from "./line.ts";

const KEPT_SHOWN = 8;

/** Shows what rolling the job back would do, and does it when somebody says yes. */
export const askToRollBack = (desk: Desk, job: JobView): void => {
  const isUndo = job.actions.undo;
  if (!isUndo && !job.actions.rollback) return desk.say(job.actions.undoReason ?? "This job cannot be rolled back.");
  const rollBack = () => (isUndo ? desk.client.undo(job.id) : desk.client.rollback(job.id));
  const failed = (error: Error) => {
    desk.ask(null);
    desk.say(error.message);
  };
  const yes = isUndo ? " undo it   " : " roll it back   ";
  const ask = (preview: Line[]) => {
    const lines = [...preview, [], [["y", "title"] as const, yes, ["N", "title"] as const, " leave it"]];
    let isAnswered = false;
    desk.ask({
      title: `${isUndo ? "Undo" : "Roll back"} job ${job.id} (${desk.labels[job.source]})?`,
      lines,
      press(press) {
        if (isAnswered) return;
        if (press.name !== "letter" || press.letter.toLowerCase() !== "y") return desk.ask(null);
        isAnswered = true;
        rollBack().then((done) => {
          desk.ask(null);
          desk.say(doneInWords(done, isUndo));
        }, failed);
      },
    });
  };
  let isLeft = false;
  const leave = () => {
    isLeft = true;
    desk.ask(null);
  };
  desk.ask({ title: `Job ${job.id}`, lines: [["Looking at what would happen …"]], press: leave });
  desk.client.rollbackPreview(job.id, { undo: isUndo }).then(({ deleted, restored, kept, later, stopped }) => {
    if (isLeft) return;
    ask([
      [`${counted(deleted, "QSO")} would be deleted, ${grouped(restored)} restored,`],
      [`${counted(kept.length, "value")} kept, because something newer said so.`],
      ...[...othersInWords({ later, stopped }, desk.labels), ...keptInWords(kept, desk.labels, KEPT_SHOWN)].map(
        (words): Line => [`  ${words}`],
      ),
    ]);
  }, failed);
};

const doneInWords = ({ job, rollback: { deleted, restored, kept } }: RolledBackDocument, isUndo: boolean): string =>
  `Job ${job.id} is ${isUndo ? "undone" : "rolled back"}: ${counted(deleted, "QSO")} deleted, ${grouped(restored)} restored, ${counted(kept, "value")} kept.`;
