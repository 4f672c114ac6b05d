import type { FilterParameters } from "../../src/logbook/contract.ts";
import { parseChange, toRepairChange } from "../repair-request.ts";
import type { Context } from "./context.ts";
import { askToChange } from "./bulk-change-question.ts";
import { askForText } from "./prompt.ts";

const HELP = [
  "station=YU1NEW; own-grid=KN04; -grid; shift=-1:00; ft=swap; by-frequency; delete",
  "Separate several with ; Enter previews the changes, Esc cancels.",
];

/** Contacts to change, in words too. */
export interface Chosen {
  filter: FilterParameters;
  /** 2 selected QSOs, 51 QSOs. */
  words: string;
}

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
