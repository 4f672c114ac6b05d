import { endInWords, type MassChange } from "../mass-change.ts";
import { formatRepairPreview } from "../repair-words.ts";
import type { Desk } from "./context.ts";
import type { Line } from "./text-input.ts";
import { letterOf } from "./keymap.ts";

/** Lines of the screen that a preview cannot use. */
const ROOM_FOR_OTHERS = 8;
const MIN_LINES = 6;

/** Closes the question and shows the error. */
export const failedIn =
  (desk: Desk) =>
  (error: Error): void => {
    desk.ask(null);
    desk.say(error.message);
  };

/** Shows the preview of a change of many contacts, and runs it after confirmation. */
export const askToChange = (desk: Desk, { verb, preview, start }: MassChange): void => {
  const failed = failedIn(desk);
  let isLeft = false;
  const leave = () => {
    isLeft = true;
    desk.ask(null);
  };
  const begin = () => {
    desk.ask(null);
    desk.say(`The ${verb.toLowerCase()} is under way.`);
    start(desk.client)
      .then(({ job }) => desk.client.untilEnd(job.id))
      .then(({ job }) => desk.say(endInWords(job)), failed);
  };
  desk.ask({ title: verb, lines: [["Checking what would change …"]], press: leave });
  preview(desk.client).then((found) => {
    if (isLeft) return;
    const room = Math.max(MIN_LINES, desk.size.height - ROOM_FOR_OTHERS);
    const lines = formatRepairPreview(found.preview, desk.labels).slice(0, room);
    const keys: Line = [["y", "title"], ` ${verb.toLowerCase()}   `, ["N", "title"], " cancel"];
    desk.ask({
      title: `${verb}?`,
      lines: [...lines.map((words): Line => [words]), [], keys],
      press: (press) => (letterOf(press)?.toLowerCase() === "y" ? begin() : leave()),
    });
  }, failed);
};
