import type { Clock } from "../../src/kernel/clock.ts";
import type { JobView } from "../../src/domain/jobs/sync-job.ts";
import type { FilterParameters } from "../../src/logbook/contract.ts";
import type { Logbook } from "../client/logbook.ts";
import { wrapLines, type Line, type Size } from "./line.ts";
import type { Press } from "./keymap.ts";

export const TABS = ["Dashboard", "Log", "Awards", "Jobs", "Stats"] as const;
export type Tab = (typeof TABS)[number];

/** A dialog over a screen. It receives all keys until it is closed. */
export interface Question {
  title: string;
  lines: readonly Line[];
  press(press: Press): void;
}

/** The award that another screen wants to see. A new object is a new request. */
export type AwardWish = { id: string; isNeeded: boolean; band: string | null; group: string | null } | null;

/** What every screen can use. */
export interface Context {
  client: Logbook;
  clock: Clock;
  size: Size;
  /** For screen readers: one column, words instead of signs, no boxes. */
  isPlain: boolean;
  /** Whether single letters are commands. */
  hasLetterKeys: boolean;
  /** The newest jobs; null until they are loaded. */
  jobs: readonly JobView[] | null;
  /** Changes whenever the log may have changed, and when the user asks to reload. */
  version: string;
  /** Changes only when the user asks to reload. */
  refreshes: number;
  /** Shows a message at the bottom until the next key. */
  say(words: string): void;
  fail(error: Error): void;
  ask(question: Question | null): void;
  /** Reloads everything. */
  reload(): void;
  /** Copies text to the clipboard, if the terminal supports it. */
  copy(text: string, what: string): void;
  /** Shows an award, or what it still needs. */
  showAward(award: Exclude<AwardWish, null>): void;
  showJob(id: number): void;
  showQsos(filter: FilterParameters): void;
  goBack(): void;
}

/** Handles a key; returns false if the screen does not use it. */
export type Keyboard = (press: Press) => boolean;

/** A key and what it means. Without an action it only stands in the hints, and the screen handles it. */
export type KeyHint = readonly [key: string, meaning: string, act?: () => unknown];

/** What a screen shows, how it handles keys, and the keys that work now, the most useful first. */
export interface Screen {
  lines: readonly Line[];
  keys: Keyboard;
  hints: readonly KeyHint[];
  /** Letters are text now, so that only the keys of the screen itself work. */
  isTyping?: boolean;
}

/** A screen that is not visible. */
export const UNSEEN: Screen = { lines: [], keys: () => false, hints: [] };

/** Keys that are there only now and then. */
export const keysIf = (isThere: boolean, ...keys: KeyHint[]): readonly KeyHint[] => (isThere ? keys : []);

/** Does what a key is for. Returns false if it has no action here. */
export const runKey = (hints: readonly KeyHint[], press: Press): boolean => {
  const names = press.name === "letter" ? [press.letter] : (KEY_NAMES[press.name] ?? []);
  const [, , act] = hints.find(([key, , act]) => names.includes(key) && act !== undefined) ?? [];
  act?.();
  return act !== undefined;
};

/** Esc also leaves where q does. */
const KEY_NAMES: Partial<Record<Press["name"], readonly string[]>> = { enter: ["Enter"], escape: ["Esc", "q"] };

export const LIST_MOVES: KeyHint = ["j k g G", "down, up, first, last"];
export const backBy = (act: () => unknown): KeyHint => ["q", "back", act];

/** The key to name for a command. Without letter keys the palette has it. */
export const nameKey = (letter: string, { hasLetterKeys }: Pick<Context, "hasLetterKeys">): string =>
  hasLetterKeys ? letter : "Ctrl-K";

/** A letter before what it does; nothing while letter keys are off. */
export const renderKey = (letter: string, hasLetterKeys: boolean): Line =>
  hasLetterKeys ? [[letter, "title"], " "] : [];

/** The keys of a dialog in one line. */
export const renderKeyLine = (...hints: readonly KeyHint[]): Line =>
  hints.flatMap(([key, meaning], index): Line => [index === 0 ? "" : "   ", [key, "title"], ` ${meaning}`]);

export const renderProblem = (problem: string, { width }: Size): Line[] => [[], ...wrapLines(problem, width, "failed")];

/** What a screen shows while it has no answer. */
export const renderNoAnswer = (problem: string | null, size: Size, words = "Loading …"): Line[] =>
  problem === null ? [[], [[`  ${words}`, "quiet"]]] : renderProblem(problem, size);
