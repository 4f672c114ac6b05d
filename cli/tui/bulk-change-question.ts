import { endInWords, type BulkChange } from "../bulk-change.ts";
import { formatRepairPreview } from "../repair-words.ts";
import type { Context } from "./context.ts";
import type { Line } from "./line.ts";
import { getLetter } from "./keymap.ts";

/** Lines of the screen that a preview cannot use. */
const ROOM_FOR_OTHERS = 8;
const MIN_LINES = 6;

/** Closes the question and shows the error. */
export const createFailureHandler =
  (context: Context) =>
  (error: Error): void => {
    context.ask(null);
    context.say(error.message);
  };

/** Shows the preview of a change of many contacts, and runs it after confirmation. */
export const askToChange = (
  context: Context,
  { name, verb, question, preview, start }: BulkChange,
  onBegun: () => void = () => {},
): void => {
  const failed = createFailureHandler(context);
  let isLeft = false;
  const leave = () => {
    isLeft = true;
    context.ask(null);
  };
  const begin = () => {
    context.ask(null);
    context.say(`The ${name.toLowerCase()} is under way.`);
    onBegun();
    start(context.client)
      .then(({ job }) => context.client.untilEnd(job.id))
      .then(({ job }) => context.say(endInWords(job)), failed);
  };
  context.ask({ title: name, lines: [["Checking what would change …"]], press: leave });
  preview(context.client).then((found) => {
    if (isLeft) return;
    const room = Math.max(MIN_LINES, context.size.height - ROOM_FOR_OTHERS);
    const lines = formatRepairPreview(found.preview, context.labels).slice(0, room);
    const keys: Line = [["y", "title"], ` ${verb}   `, ["N", "title"], " cancel"];
    context.ask({
      title: question,
      lines: [...lines.map((words): Line => [words]), [], keys],
      press: (press) => (getLetter(press)?.toLowerCase() === "y" ? begin() : leave()),
    });
  }, failed);
};
