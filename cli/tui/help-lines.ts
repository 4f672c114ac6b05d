import type { KeyHint, Screen } from "./context.ts";
import { joinColumns, type Line } from "./line.ts";

const EVERYWHERE: readonly KeyHint[] = [
  ["1 to 5", "the tabs"],
  ["Tab", "next tab (Shift: previous)"],
  ["PgUp PgDn", "one page up or down"],
  ["n", "new QSO"],
  ["s", "sync with a service"],
  ["r", "reload"],
  ["Ctrl-K", "run a command by name"],
  ["q", "quit, or back"],
  ["Ctrl-C", "quit immediately"],
];

const KEY_WIDTH = 11;
const COLUMN_WIDTH = 38;
const MIN_TWO_COLUMN_WIDTH = 80;

const renderHints = (title: string, hints: readonly KeyHint[]): Line[] => [
  [[title, "title"]],
  ...hints.map(([key, meaning]): Line => [[`${key.padEnd(KEY_WIDTH - 1)} `, "live"], meaning]),
];

/** The keys of the current screen, then those that work everywhere. */
export const renderHelp = ({ hints }: Pick<Screen, "hints">, width: number): Line[] => {
  const here = hints.length === 0 ? [] : renderHints("On this screen", hints);
  const everywhere = renderHints("Everywhere", EVERYWHERE);
  return width < MIN_TWO_COLUMN_WIDTH || here.length === 0
    ? [...here, ...everywhere]
    : joinColumns(here, everywhere, COLUMN_WIDTH);
};
