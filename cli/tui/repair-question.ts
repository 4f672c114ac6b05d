import type { FilterParameters } from "../../src/logbook/contract.ts";
import type { RepairWishes } from "../../src/logbook/contract.ts";
import { countsInWords, STATE_WORDS } from "../../src/domain/job-words.ts";
import { counted } from "../../src/domain/figures.ts";
import { previewInWords } from "../repair-words.ts";
import { changeIn } from "../repair-wishes.ts";
import type { Desk } from "./desk.ts";
import type { Line } from "./line.ts";

const HELP: readonly Line[] = [
  [["station=YU1NEW   own-grid=KN04   -grid   shift=-1:00   ft=swap   by-frequency   delete", "quiet"]],
  [["several with ; between them. Enter shows what would happen, Esc leaves everything as it is.", "quiet"]],
];

/** Asks what is to become of the contacts that are shown, shows what that would do, and does it on yes. */
export const askToRepair = (desk: Desk, filter: FilterParameters, total: number): void => {
  const failed = (error: Error) => {
    desk.ask(null);
    desk.say(error.message);
  };
  const begin = (wishes: RepairWishes) => {
    desk.ask(null);
    desk.say("The repair is under way.");
    desk.client
      .startRepair(wishes)
      .then(({ job }) => desk.client.untilEnd(job.id))
      .then(({ job }) => desk.say(`Job ${job.id} ${STATE_WORDS[job.status]}: ${countsInWords(job.stats)}`), failed);
  };
  const confirm = (wishes: RepairWishes, preview: readonly Line[]) => {
    desk.ask({
      title: "Repair?",
      lines: [...preview, [], [["y", "title"], " repair   ", ["N", "title"], " leave it"]],
      press: (press) =>
        press.name === "letter" && press.letter.toLowerCase() === "y" ? begin(wishes) : desk.ask(null),
    });
  };
  const look = (wishes: RepairWishes) => {
    let isLeft = false;
    const press = () => {
      isLeft = true;
      desk.ask(null);
    };
    desk.ask({ title: "Repair", lines: [["Looking at what would happen …"]], press });
    desk.client.previewRepair(wishes).then(({ preview }) => {
      const room = Math.max(6, desk.size.height - 8);
      const lines = previewInWords(preview, desk.labels).slice(0, room);
      if (!isLeft)
        confirm(
          wishes,
          lines.map((words): Line => [words]),
        );
    }, failed);
  };
  const type = (text: string, problem: string | null) => {
    desk.ask({
      title: `Repair ${counted(total, "QSO")}: what is to change?`,
      lines: [[`> ${text}_`], [], ...(problem === null ? HELP : [[[problem, "failed"]] as Line])],
      press(press) {
        if (press.name === "letter") return type(text + press.letter, null);
        if (press.name === "backspace") return type([...text].slice(0, -1).join(""), null);
        if (press.name === "clearLine") return type("", null);
        if (press.name !== "enter") return desk.ask(null);
        try {
          look({ filter, ...changeIn(text) });
        } catch (error) {
          type(text, (error as Error).message);
        }
      },
    });
  };
  type("", null);
};
