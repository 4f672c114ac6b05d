import type { Terminal } from "./terminal.ts";

const BAR_WIDTH = 24;
const EVERY_MS = 100;

/** A progress line that overwrites itself on a terminal and is silent elsewhere. */
export class ProgressBar {
  readonly #terminal: Terminal;
  #shownAt = -Infinity;
  #isShown = false;
  /** The last line had no total. */
  #wasOpen = true;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(words: string, share: number | null): void {
    const isOfAnotherKind = (share === null) !== this.#wasOpen;
    const isSoon = performance.now() - this.#shownAt < EVERY_MS;
    if (!this.#terminal.errIsTerminal || (isSoon && !isOfAnotherKind)) return;
    this.#wasOpen = share === null;
    this.#shownAt = performance.now();
    this.#isShown = true;
    this.#terminal.over(share === null ? words : `${drawBar(share)} ${words}`);
  }

  clear(): void {
    if (this.#isShown) this.#terminal.over("");
    this.#isShown = false;
  }
}

const drawBar = (share: number): string => {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * BAR_WIDTH);
  return `[${"#".repeat(filled)}${".".repeat(BAR_WIDTH - filled)}]`;
};
