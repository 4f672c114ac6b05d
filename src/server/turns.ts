import type { Time } from "../domain/clock.ts";

/** So long one turn of the event loop may last; what comes after waits for the next. */
const STRETCH_MS = 8;

/**
 * Lets requests in. A crowd of them would hold up everybody else for as long as all of them take, because what has
 * arrived together is answered in one turn of the event loop. Beyond a few milliseconds they stand in line, a lane for
 * each address, and the lanes are served by turns.
 */
export class Turns {
  readonly #time: Pick<Time, "ticks" | "next">;
  readonly #lanes = new Map<string, (() => void)[]>();
  #began: number | null = null;

  constructor(time: Pick<Time, "ticks" | "next">) {
    this.#time = time;
  }

  /** Null where there is nothing to wait for, which is nearly always. */
  wait(lane: () => string): Promise<void> | null {
    if (this.#began === null) {
      this.#began = this.#time.ticks();
      void this.#nextTurn();
    }
    if (this.#lanes.size === 0 && this.#time.ticks() - this.#began < STRETCH_MS) return null;
    const name = lane();
    const line = this.#lanes.get(name) ?? [];
    this.#lanes.set(name, line);
    return new Promise((enter) => line.push(enter));
  }

  async #nextTurn(): Promise<void> {
    await this.#time.next();
    for (; this.#lanes.size > 0; await this.#time.next()) this.#letOneIn();
    this.#began = null;
  }

  /** The lane that was served goes to the end. */
  #letOneIn(): void {
    const [name, line] = this.#lanes.entries().next().value!;
    const enter = line.shift()!;
    this.#lanes.delete(name);
    if (line.length > 0) this.#lanes.set(name, line);
    enter();
  }
}
