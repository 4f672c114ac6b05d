import { isActive, type JobView } from "../../src/domain/jobs/sync-job.ts";
import type { Desk } from "./context.ts";
import { letterOf } from "./keymap.ts";

/** Asks for confirmation and stops a job. */
export const askToStop = (desk: Desk, job: JobView): void => {
  if (!isActive(job)) return desk.say(`Job ${job.id} has ended.`);
  desk.ask({
    title: `Stop job ${job.id} (${desk.labels[job.source]})?`,
    lines: [
      ["The job ends as failed after its current batch. Its changes stay, and you can roll them back."],
      [],
      [["y", "title"], " stop it   ", ["N", "title"], " cancel"],
    ],
    press(press) {
      desk.ask(null);
      if (letterOf(press)?.toLowerCase() !== "y") return;
      desk.client.interrupt(job.id).then(
        () => desk.say(`Job ${job.id} stops after its current batch.`),
        (error: Error) => desk.say(error.message),
      );
    },
  });
};
