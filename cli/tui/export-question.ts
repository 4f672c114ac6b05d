import { formatSize } from "../../src/kernel/number-text.ts";
import { assertNew, findFormat, writeWhole } from "../export-file.ts";
import type { Context } from "./context.ts";
import { askForText } from "./prompt.ts";
import type { Chosen } from "./repair-question.ts";

/** Asks for a file and writes the contacts to it, in the format that its name says. */
export const askToExport = (context: Context, { filter, words }: Chosen): void =>
  askForText(context, {
    title: `Export ${words} to which file?`,
    help: ["ADIF, or by the ending .adx, .csv or .jsonl. Enter writes it, Esc cancels."],
    typed: "log.adi",
    onEnter(text) {
      const file = text.trim();
      if (file === "") throw new Error("Enter a file name.");
      assertNew(file, "Choose another name.");
      context.ask(null);
      context.say(`Exporting to ${file} …`);
      const pieces = context.client.exportAdif({ ...filter, format: findFormat(file) });
      writeWhole(file, pieces, (bytes) => context.say(`${file}: ${formatSize(bytes)} so far`)).then(
        (bytes) => context.say(`Exported ${words} to ${file}, ${formatSize(bytes)}.`),
        (error: Error) => context.say(error.message),
      );
    },
  });
