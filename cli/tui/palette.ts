import { AWARD_IDS, type AwardId } from "../../src/domain/awards/award.ts";
import { parseBand } from "../../src/domain/radio/band.ts";
import type { Context } from "./context.ts";
import { askToPick, type Choice } from "./picker.ts";
import { toPresses, type Press } from "./keymap.ts";

interface Command extends Choice {
  /** The keys with the same effect. */
  keys: string;
}

const COMMANDS: readonly Command[] = [
  { label: "Dashboard", keys: "1" },
  { label: "Log", keys: "2" },
  { label: "Awards", keys: "3" },
  { label: "Jobs", keys: "4" },
  { label: "Statistics", also: "figures charts", keys: "5" },
  { label: "New QSO", also: "add log enter contact", keys: "a" },
  { label: "Search the log", also: "find", keys: "2/" },
  { label: "Filter the log by year, entity, station …", also: "date country own call", keys: "2f" },
  { label: "Bulk edit the QSOs shown", also: "change edit many", keys: "2e" },
  { label: "Duplicates", also: "merge twice", keys: "2d" },
  { label: "Compare with both services", also: "compare missing left over differs settle", keys: "2R" },
  { label: "Clear the filters", also: "reset clear filter", keys: "2x" },
  { label: "Sync with a service", also: "download", keys: "s" },
  { label: "Reload everything", also: "refresh", keys: "r" },
  { label: "Keys", also: "help", keys: "?" },
  { label: "Quit qsolog", also: "quit exit", keys: "q" },
];

/** What "dxcc needed 20m" and "need 20m" ask for: without an award it is DXCC. */
const findNeeded = (typed: string): { id: AwardId; band: string | null }[] => {
  const words = typed.toLowerCase().trim().split(/\s+/);
  if (!words.some((word) => /^need(ed|s)?$/.test(word))) return [];
  const id = AWARD_IDS.find((one) => words.includes(one)) ?? "dxcc";
  const band = words.map((word) => parseBand(word)).find((one) => one !== null) ?? null;
  return [{ id, band }];
};

/** The command palette: every command by name, and a search of the log. */
export const askForCommand = (context: Context, press: (all: readonly Press[]) => void): void =>
  askToPick<Choice & { run: () => void }>(context, {
    title: "Go to",
    offers: COMMANDS.map(({ keys, ...command }) => ({
      ...command,
      says: keys,
      run: () => press(toPresses(keys)),
    })),
    meant: (typed) =>
      typed.trim() === ""
        ? []
        : [
            ...findNeeded(typed).map(({ id, band }) => ({
              label: `${id.toUpperCase()} needed${band === null ? "" : ` on ${band}`}`,
              says: "3 w",
              run: () => context.showNeeded(id, band),
            })),
            {
              label: `Search the log for ${typed.trim()}`,
              says: "2/",
              run: () => context.showQsos({ search: typed.trim() }),
            },
          ],
    onPick: ({ run }) => run(),
  });
