import { isActive, type JobView } from "../../src/domain/jobs/sync-job.ts";
import type { Context } from "./context.ts";
import { getLetter } from "./keymap.ts";

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
