interface Limits {
  /** How many can wait, in total and in one lane. */
  room?: number;
  roomOfLane?: number;
}

/** Thrown if the queue is full. */
export class SemaphoreFull extends Error {}

/** Runs a limited number of tasks at the same time. The others wait in lanes, which are served in turn. */
export class Semaphore {
  readonly #limit: number;
  readonly #room: number;
  readonly #roomOfLane: number;
  /** In the order in which they are served. */
  readonly #lanes = new Map<string, (() => void)[]>();
  #waiting = 0;
  #inside = 0;

  constructor(limit: number, { room = Infinity, roomOfLane = Infinity }: Limits = {}) {
    this.#limit = limit;
    this.#room = room;
    this.#roomOfLane = roomOfLane;
  }

  async run<T>(task: () => Promise<T>, lane = ""): Promise<T> {
    if (this.#inside >= this.#limit) await this.#turnOf(lane);
    else this.#inside += 1;
    try {
      return await task();
    } finally {
      this.#next();
    }
  }

  #turnOf(lane: string): Promise<void> {
    const line = this.#lanes.get(lane) ?? [];
    if (this.#waiting >= this.#room || line.length >= this.#roomOfLane) throw new SemaphoreFull("The line is full.");
    this.#lanes.set(lane, line);
    this.#waiting += 1;
    return new Promise((enter) => line.push(enter));
  }

  /** A served lane moves to the end. */
  #next(): void {
    const [lane] = this.#lanes.keys();
    if (lane === undefined) {
      this.#inside -= 1;
      return;
    }
    const line = this.#lanes.get(lane)!;
    const enter = line.shift()!;
    this.#lanes.delete(lane);
    if (line.length > 0) this.#lanes.set(lane, line);
    this.#waiting -= 1;
    enter();
  }
}
