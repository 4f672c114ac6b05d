import type { Clock } from "../../src/kernel/clock.ts";
import type { Labels } from "../../src/domain/jobs/source.ts";
import type { JobView } from "../../src/domain/jobs/sync-job.ts";
import type { FilterParameters, Logbook } from "../../src/logbook/contract.ts";
import { wrapped, type Line, type Size } from "./text-input.ts";
import type { Press } from "./keymap.ts";

export const TABS = ["Dashboard", "Log", "Awards", "Jobs", "Stats"] as const;
export type Tab = (typeof TABS)[number];

/** Something that is asked over a screen: it has all keys until it is closed. */
export interface Question {
  title: string;
  lines: readonly Line[];
  press(press: Press): void;
}

/** What every screen has at hand. */
export interface Desk {
  client: Logbook;
  clock: Clock;
  labels: Labels;
  size: Size;
  hasColour: boolean;
  /** The newest jobs; null until they are known. */
  jobs: readonly JobView[] | null;
  /** Another one whenever the log may have changed. */
  version: string;
  /** Another one whenever somebody asks to see everything anew. */
  refreshes: number;
  /** Says something at the bottom of the screen, until the next key. */
  say(words: string): void;
  ask(question: Question | null): void;
  /** Shows everything as it is now. */
  reload(): void;
  /** Gives text to the clipboard, where the terminal takes it. */
  copy(text: string, what: string): void;
  showQsos(filter: FilterParameters): void;
  goBack(): void;
}

/** What a screen does with a key; false where the key means nothing to it. */
export type Keyboard = (press: Press) => boolean;

/** A screen as it is now: what it shows, what it does with a key, and which keys it names at the bottom. */
export interface Screen {
  lines: readonly Line[];
  keys: Keyboard;
  hint: string;
}

/** A screen that is not in sight. */
export const UNSEEN: Screen = { lines: [], keys: () => false, hint: "" };

export const problemLines = (problem: string, { width }: Size): Line[] => [
  [],
  ...wrapped(problem, width - 2).map((row): Line => [[` ${row}`, "failed"]]),
];
