import { LABELS } from "../../src/domain/origins/labels.ts";
import { isActive, type JobView } from "../../src/domain/jobs/sync-job.ts";
import { describeCountsSoFar, describeProgress } from "../../src/domain/jobs/job-words.ts";
import { TABS, type KeyHint, type Screen, type Tab } from "./context.ts";
import { getShare } from "./jobs/lines.ts";
import { drawBar, fitLine, joinColumns, measureLine, type Line, type Span } from "./line.ts";

export const FRAME_HEIGHT = 4;
export const HEAD_HEIGHT = 2;
export const NARROWEST = 60;
export const LOWEST = 14;

/** The tabs and the user. */
export const renderHead = (tab: Tab, who: string, width: number, isPlain: boolean): Line[] => {
  const left: Line = [
    [NAME, "title"],
    ...TABS.map((name, index): Span =>
      name === tab ? [`[${index + 1} ${name}]`, "chosen"] : ` ${index + 1} ${name} `,
    ),
  ];
  const room = width - measureLine(left);
  return [
    [...left, ...fitLine([" ".repeat(Math.max(1, room - who.length - 1)), who], room)],
    isPlain ? [] : renderRule(width),
  ];
};

const NAME = " qsolog ";
/** The digit and spaces around a tab's name. */
const BESIDE_TAB = 4;

/** The tab at a column of the first row. */
export const findTab = (column: number): Tab | null => {
  let end = NAME.length;
  for (const tab of TABS) {
    const begin = end;
    end += tab.length + BESIDE_TAB;
    if (column >= begin && column < end) return tab;
  }
  return null;
};

interface Foot {
  tab: Tab;
  screen: Screen;
  said: string | null;
  problem: string | null;
  jobs: readonly JobView[] | null;
  isPlain: boolean;
  hasLetterKeys: boolean;
}

/** The last message, otherwise the running job, otherwise the keys. */
export const renderFoot = (
  { tab, screen, said, problem, jobs, isPlain, hasLetterKeys }: Foot,
  width: number,
): Line[] => {
  const active = tab === "Dashboard" ? undefined : jobs?.find((job) => isActive(job) && !job.stale);
  const hints: Line = [[renderHints(screen, hasLetterKeys, width), "quiet"]];
  const line: Line =
    problem !== null
      ? [[` ${problem}`, "failed"]]
      : said !== null
        ? [[` ${said}`, "live"]]
        : active
          ? renderActive(active, isPlain)
          : hints;
  return [isPlain ? [] : renderRule(width), fitLine(line, width)];
};

/** As many keys as fit. Help and the way out are always there. */
const renderHints = (screen: Screen, hasLetterKeys: boolean, width: number): string => {
  const { here, last } = listWorkingKeys(screen, hasLetterKeys);
  const shown: KeyHint[] = [];
  const write = (all: readonly KeyHint[]) =>
    all
      .map(([key, meaning]) => `   ${key} ${meaning}`)
      .join("")
      .slice(2);
  for (const hint of here) if (Bun.stringWidth(write([...shown, hint, ...last])) <= width) shown.push(hint);
  return write([...shown, ...last]);
};

const renderActive = (job: JobView, isPlain: boolean): Line => {
  const share = getShare(job);
  return [
    [` ${LABELS[job.source]} ${share === null || isPlain ? describeProgress(job) : drawBar(share, 16)}`, "live"],
    `  ${describeCountsSoFar(job.stats)}`,
  ];
};

const renderRule = (width: number): Line => [["─".repeat(width), "quiet"]];

/** The single-character keys of a hint with the meaning of each. Keys for moving, which share one, have others too. */
export const splitHint = ([keys, meaning]: KeyHint): KeyHint[] => {
  const [all, meanings] = [keys.split(" "), meaning.split(", ")];
  if (!isLetters([keys, meaning]) || all.length !== meanings.length) return [];
  return all.map((key, index) => [key, meanings[index]!]);
};

const isLetters = ([key]: KeyHint): boolean => key.split(" ").every((one) => one.length === 1);

const GO_TO: KeyHint = ["Ctrl-K", "go to"];
const HELP: KeyHint = ["?", "help"];
const QUIT: KeyHint = ["q", "quit"];
const isOut = ([key]: KeyHint): boolean => key === "q";

interface WorkingKeys {
  /** The keys of the screen itself. */
  here: readonly KeyHint[];
  /** Always shown, at the end. */
  last: readonly KeyHint[];
}

/** The keys that work now. Without single-letter keys the palette offers what they do. */
const listWorkingKeys = ({ hints, isTyping = false }: Screen, hasLetterKeys: boolean): WorkingKeys => {
  if (isTyping) return { here: hints, last: [] };
  const out = hints.find(isOut);
  const here = hints.filter((hint) => !isOut(hint));
  if (hasLetterKeys) return { here: [...here, GO_TO], last: [HELP, out ?? QUIT] };
  return {
    here: [...here.filter((hint) => !isLetters(hint)), ["Tab", "next tab"]],
    last: [["Ctrl-K", "all commands"], ["Ctrl-T", "letter keys on"], out ? ["Esc", out[1]] : ["Ctrl-C", "quit"]],
  };
};

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

const renderKeys = (title: string, hints: readonly KeyHint[]): Line[] => [
  [[title, "title"]],
  ...hints.map(([key, meaning]): Line => [[`${key.padEnd(KEY_WIDTH - 1)} `, "live"], meaning]),
];

const NO_LETTERS: Line = [["Letter keys are off: Ctrl-K has every command.", "quiet"]];

/** The keys of the current screen, then those that work everywhere. */
export const renderHelp = ({ hints }: Pick<Screen, "hints">, hasLetterKeys: boolean, width: number): Line[] => {
  const works = (hint: KeyHint) => hasLetterKeys || !isLetters(hint);
  const working = hints.filter(works);
  const here = working.length === 0 ? [] : renderKeys("On this screen", working);
  const everywhere = [
    ...renderKeys("Everywhere", EVERYWHERE.filter(works)),
    ...(hasLetterKeys ? [] : [[], NO_LETTERS]),
  ];
  return width < MIN_TWO_COLUMN_WIDTH || here.length === 0
    ? [...here, ...everywhere]
    : joinColumns(here, everywhere, COLUMN_WIDTH);
};
