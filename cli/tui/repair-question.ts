import type { FilterParameters } from "../../src/logbook/contract.ts";
import { formatCount } from "../../src/kernel/number-text.ts";
import { parseChange, toRepairChange } from "../repair-request.ts";
import type { Context } from "./context.ts";
import type { Line } from "./line.ts";
import { askToChange } from "./bulk-change-question.ts";

const HELP: readonly Line[] = [
  [["station=YU1NEW   own-grid=KN04   -grid   shift=-1:00   ft=swap   by-frequency   delete", "quiet"]],
  [["several separated by ; — Enter previews the changes, Esc cancels.", "quiet"]],
];

/** Asks for a change of the displayed contacts, shows its preview, and runs it after confirmation. */
export const askToRepair = (context: Context, filter: FilterParameters, total: number): void => {
  const type = (text: string, problem: string | null) => {
    context.ask({
      title: `Bulk edit ${formatCount(total, "QSO")}: what should change?`,
      lines: [[`> ${text}_`], [], ...(problem === null ? HELP : [[[problem, "failed"]] as Line])],
      press(press) {
        if (press.name === "letter") return type(text + press.letter, null);
        if (press.name === "backspace") return type([...text].slice(0, -1).join(""), null);
        if (press.name === "clearLine") return type("", null);
        if (press.name !== "enter") return context.ask(null);
        try {
          askToChange(context, toRepairChange({ filter, ...parseChange(text) }));
        } catch (error) {
          type(text, (error as Error).message);
        }
      },
    });
  };
  type("", null);
};
