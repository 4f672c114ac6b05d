/** Lets a limited number of tasks run at once; the others wait in line. */
export class Gate {
  readonly #limit: number;
  readonly #line: (() => void)[] = [];
  #inside = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  async pass<T>(task: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#limit) await new Promise<void>((enter) => this.#line.push(enter));
    else this.#inside += 1;
    try {
      return await task();
    } finally {
      const next = this.#line.shift();
      if (next) next();
      else this.#inside -= 1;
    }
  }
}
