import { SERVICES, type Service } from "../../src/domain/jobs/source.ts";
import type { Context } from "./context.ts";
import type { Line } from "./line.ts";
import type { Press } from "./keymap.ts";

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
