/** Called with the share of the log that has been read, from 0 to 1. */
export type OnProgress = (share: number) => void;

export const READING = "Reading your log";

/** The listeners of one reading. A late listener immediately gets the current progress. */
export class Listeners {
  readonly #all = new Set<OnProgress>();
  #share: number | null = null;

  readonly tell: OnProgress = (share) => {
    this.#share = share;
    for (const hear of this.#all) hear(share);
  };

  add(hear: OnProgress): void {
    this.#all.add(hear);
    if (this.#share !== null) hear(this.#share);
  }
}
