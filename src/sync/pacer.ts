const MOST = 500;
const FIRST = 60;
const AIM_MS = 18;
const PAUSE_MS = 2;

/**
 * Finds the page size that keeps a write short, and leaves the database to others between two pages: whoever waits for
 * a synchronous connection waits for a whole page.
 */
export class PagePacer {
  readonly most: number;
  #size: number;

  constructor(most = MOST) {
    this.most = Math.min(most, MOST);
    this.#size = Math.min(this.most, FIRST);
  }

  get size(): number {
    return this.#size;
  }

  async pace<T>(write: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await write();
    const took = Math.max(1, performance.now() - began);
    const wanted = Math.round(this.#size * Math.min(2, Math.max(0.5, AIM_MS / took)));
    this.#size = Math.min(this.most, Math.max(1, wanted));
    await Bun.sleep(PAUSE_MS);
    return result;
  }
}
