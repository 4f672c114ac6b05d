/** Hears which share of a log is read, between 0 and 1. */
export type HearProgress = (share: number) => void;

export const READING = "Reading every QSO of the log";

/** Those who wait for the same reading. Whoever comes later hears at once how far it is. */
export class Hearers {
  readonly #all = new Set<HearProgress>();
  #share: number | null = null;

  readonly tell: HearProgress = (share) => {
    this.#share = share;
    for (const hear of this.#all) hear(share);
  };

  add(hear: HearProgress): void {
    this.#all.add(hear);
    if (this.#share !== null) hear(this.#share);
  }
}
