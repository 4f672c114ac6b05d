import type { Clock } from "../../src/kernel/clock.ts";
import type { Labels } from "../../src/domain/jobs/source.ts";
import type { JobView } from "../../src/domain/jobs/sync-job.ts";
import type { FilterParameters } from "../../src/logbook/contract.ts";
import type { Logbook } from "../client/logbook.ts";
import { wrapText, type Line, type Size } from "./line.ts";
import type { Press } from "./keymap.ts";

export const TABS = ["Dashboard", "Log", "Awards", "Jobs", "Stats"] as const;
export type Tab = (typeof TABS)[number];

/** A dialog over a screen. It receives all keys until it is closed. */
export interface Question {
  title: string;
  lines: readonly Line[];
  press(press: Press): void;
}

/** What every screen can use. */
export interface Context {
  client: Logbook;
  clock: Clock;
  labels: Labels;
  size: Size;
  hasColour: boolean;
  /** The newest jobs; null until they are loaded. */
  jobs: readonly JobView[] | null;
  /** Changes whenever the log may have changed. */
  version: string;
  /** Changes whenever the user asks to reload. */
  refreshes: number;
  /** Shows a message at the bottom until the next key. */
  say(words: string): void;
  ask(question: Question | null): void;
  /** Reloads everything. */
  reload(): void;
  /** Copies text to the clipboard, if the terminal supports it. */
  copy(text: string, what: string): void;
  showQsos(filter: FilterParameters): void;
  goBack(): void;
}

/** Handles a key; returns false if the screen does not use it. */
export type Keyboard = (press: Press) => boolean;

/** What a screen shows, how it handles keys, and the keys listed at the bottom. */
export interface Screen {
  lines: readonly Line[];
  keys: Keyboard;
  hint: string;
}

/** A screen that is not visible. */
export const UNSEEN: Screen = { lines: [], keys: () => false, hint: "" };

export const renderProblem = (problem: string, { width }: Size): Line[] => [
  [],
  ...wrapText(problem, width - 2).map((row): Line => [[` ${row}`, "failed"]]),
];
