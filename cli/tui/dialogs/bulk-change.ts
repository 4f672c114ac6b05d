import { formatSize } from "../../../src/kernel/number-text.ts";
import type { FilterParameters } from "../../../src/logbook/contract.ts";
import { endInWords, formatRepairPreview, type BulkChange } from "../../bulk-change.ts";
import { assertNew, findFormat, writeWhole } from "../../export-file.ts";
import { parseChange, toRepairChange } from "../../repair-request.ts";
import type { Context } from "../context.ts";
import { confirm, showLoading } from "./confirm.ts";
import { askForText } from "./prompt.ts";

/** Lines of the screen that a preview cannot use. */
const ROOM_FOR_OTHERS = 8;
const MIN_LINES = 6;

/** Shows the preview of a change of many contacts, and runs it after confirmation. */
export const askToChange = (
  context: Context,
  { name, verb, question, preview, start }: BulkChange,
  onBegun: () => void = () => {},
): void => {
  const { client, size } = context;
  const begin = () => {
    context.say(`The ${name.toLowerCase()} is under way.`);
    onBegun();
    start(client)
      .then(({ job }) => client.untilEnd(job.id))
      .then(({ job }) => context.say(endInWords(job)), context.fail);
  };
  showLoading(context, [name, "Checking what would change …"], preview(client), (found) => {
    const room = Math.max(MIN_LINES, size.height - ROOM_FOR_OTHERS);
    const lines = formatRepairPreview(found.preview).slice(0, room);
    confirm(context, { title: question, lines: lines.map((words) => [words]), yes: verb }, begin);
  });
};

/** Contacts to change, in words too. */
export interface Chosen {
  filter: FilterParameters;
  /** 2 selected QSOs, 51 QSOs. */
  words: string;
}

const HELP = [
  "station=YU1NEW; own-grid=KN04; -grid; shift=-1:00; ft=swap; by-frequency; delete",
  "Separate several with ; Enter previews the changes, Esc cancels.",
];

/** Asks for a change of contacts, shows its preview, and runs it after confirmation. */
export const askToRepair = (context: Context, { filter, words }: Chosen, onBegun: () => void): void =>
  askForText(context, {
    title: `Bulk edit ${words}: what should change?`,
    help: HELP,
    onEnter: (text) => askToChange(context, toRepairChange({ filter, ...parseChange(text) }), onBegun),
  });

/** Shows the contacts that would be deleted, and deletes them after confirmation. */
export const askToDelete = (context: Context, { filter }: Chosen, onBegun: () => void): void =>
  askToChange(context, toRepairChange({ filter, delete: true }), onBegun);

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
        context.fail,
      );
    },
  });
