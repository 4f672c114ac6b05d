/** Hears which share of a log is read, between 0 and 1. */
export type OnProgress = (share: number) => void;

export const READING = "Reading every QSO of the log";

/** Those who wait for the same reading. Whoever comes later hears at once how far it is. */
export class Hearers {
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
