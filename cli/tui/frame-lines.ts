import type { Labels } from "../../src/domain/jobs/source.ts";
import { isActive, type JobView } from "../../src/domain/jobs/sync-job.ts";
import { describeCountsSoFar, describeProgress } from "../../src/domain/jobs/job-words.ts";
import { TABS, type KeyHint, type Screen, type Tab } from "./context.ts";
import { listWorkingKeys } from "./hints.ts";
import { getShare } from "./job-lines.ts";
import { drawBar, fitLine, measureLine, type Line, type Span } from "./line.ts";

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
  labels: Labels;
  isPlain: boolean;
  hasLetterKeys: boolean;
}

/** The last message, otherwise the running job, otherwise the keys. */
export const renderFoot = (
  { tab, screen, said, problem, jobs, labels, isPlain, hasLetterKeys }: Foot,
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
          ? renderActive(active, labels, isPlain)
          : hints;
  return [isPlain ? [] : renderRule(width), fitLine(line, width)];
};

/** As many keys as fit. Help and the way out are always there. */
const renderHints = (screen: Screen, hasLetterKeys: boolean, width: number): string => {
  const { here, last } = listWorkingKeys(screen, hasLetterKeys);
  const shown: KeyHint[] = [];
  const write = (all: readonly KeyHint[]) =>
    all
      .map((hint) => `   ${hint.join(" ")}`)
      .join("")
      .slice(2);
  for (const hint of here) if (Bun.stringWidth(write([...shown, hint, ...last])) <= width) shown.push(hint);
  return write([...shown, ...last]);
};

const renderActive = (job: JobView, labels: Labels, isPlain: boolean): Line => {
  const share = getShare(job);
  return [
    [` ${labels[job.source]} ${share === null || isPlain ? describeProgress(job) : drawBar(share, 16)}`, "live"],
    `  ${describeCountsSoFar(job.stats)}`,
  ];
};

const renderRule = (width: number): Line => [["─".repeat(width), "quiet"]];
