import type { KeyHint, Screen } from "./context.ts";
import { isLetters } from "./hints.ts";
import { joinColumns, type Line } from "./line.ts";

const EVERYWHERE: readonly KeyHint[] = [
  ["1 2 3 4 5", "the tabs"],
  ["Tab", "next tab (Shift: previous)"],
  ["PgUp PgDn", "one page up or down"],
  ["n", "new QSO"],
  ["s", "sync with a service"],
  ["r", "reload"],
  ["Ctrl-K", "all commands by name"],
  ["Ctrl-T", "letter keys on or off"],
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

const NO_LETTERS: Line = [["Letter keys are off: Ctrl-K has every command.", "quiet"]];

/** The keys of the current screen, then those that work everywhere. */
export const renderHelp = ({ hints }: Pick<Screen, "hints">, hasLetterKeys: boolean, width: number): Line[] => {
  const works = (hint: KeyHint) => hasLetterKeys || !isLetters(hint);
  const working = hints.filter(works);
  const here = working.length === 0 ? [] : renderHints("On this screen", working);
  const everywhere = [
    ...renderHints("Everywhere", EVERYWHERE.filter(works)),
    ...(hasLetterKeys ? [] : [[], NO_LETTERS]),
  ];
  return width < MIN_TWO_COLUMN_WIDTH || here.length === 0
    ? [...here, ...everywhere]
    : joinColumns(here, everywhere, COLUMN_WIDTH);
};
