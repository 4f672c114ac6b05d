import type { ReservedSQL, SQL } from "bun";

/** A connection that one has to oneself until it is given back. */
export interface Connection {
  ask: ReservedSQL["unsafe"];
  /** Whoever waits for an answer on it is told that none comes. */
  hangUp(): void;
}

interface Open extends Connection {
  isBroken: boolean;
}

const CLOSED = Object.assign(new Error("The connections are closed."), { code: "CONNECTION_CLOSED" });

/**
 * The connections of one program, each made when none is free, so that a command makes one and not all there may be. The
 * one that was used last is used next: it knows most of the statements already. Where the server has no room for another,
 * those that are there do the work.
 */
export class Connections {
  readonly #connect: (onClose: () => void) => SQL;
  readonly #most: number;
  readonly #isFull: (error: unknown) => boolean;
  /** As many as the server seems to have room for. */
  #limit: number;
  readonly #free: Open[] = [];
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  readonly #all = new Set<SQL>();
  /** How many of them are not there yet. */
  #making = 0;
  #isClosed = false;

  constructor(connect: (onClose: () => void) => SQL, most: number, isFull: (error: unknown) => boolean) {
    this.#connect = connect;
    this.#most = most;
    this.#isFull = isFull;
    this.#limit = most;
  }

  async take(): Promise<Connection> {
    for (;;) {
      if (this.#isClosed) throw CLOSED;
      const free = this.#free.pop();
      if (free) return free;
      if (this.#all.size < this.#limit) {
        const made = await this.#make().catch((error: unknown) => this.#unlessOthers(error));
        if (made) return made;
        // One may have come free meanwhile.
        continue;
      }
      const turn = Promise.withResolvers<void>();
      this.#waiting.push(turn);
      await turn.promise;
    }
  }

  /** Those that are there come free. */
  #unlessOthers(error: unknown): null {
    if (!this.#isFull(error) || this.#all.size === this.#making) throw error;
    return null;
  }

  /** Where one has broken the others are not trusted either: most often it is the server that was away. */
  give(connection: Connection, isBroken: boolean): void {
    const open = connection as Open;
    if (isBroken || this.#isClosed) {
      for (const one of [open, ...this.#free]) one.hangUp();
    } else if (!open.isBroken) {
      this.#free.push(open);
    }
    // There may be room again: the next who finds none free looks.
    this.#limit = Math.min(this.#most, this.#limit + 1);
    this.#next();
  }

  /** Those under way have so long to come to their end. */
  async close(timeout: number): Promise<void> {
    this.#isClosed = true;
    for (const turn of this.#waiting.splice(0)) turn.resolve();
    for (const one of this.#free.splice(0)) one.hangUp();
    await Promise.all([...this.#all].map((sql) => sql.close({ timeout }).catch(() => {})));
  }

  async #make(): Promise<Open> {
    const open: Open = { ask: () => Promise.reject(CLOSED) as never, hangUp: () => forget(), isBroken: false };
    let isThere = false;
    const sql = this.#connect(() => isThere && forget());
    const forget = () => {
      open.isBroken = true;
      if (!this.#all.delete(sql)) return;
      const place = this.#free.indexOf(open);
      if (place >= 0) this.#free.splice(place, 1);
      void sql.close({ timeout: 0 }).catch(() => {});
      this.#next();
    };
    this.#all.add(sql);
    this.#making += 1;
    try {
      const reserved = await sql.reserve();
      open.ask = reserved.unsafe.bind(reserved);
      isThere = true;
      return open;
    } catch (error) {
      if (this.#isFull(error)) this.#limit = Math.max(1, this.#all.size - 1);
      forget();
      throw error;
    } finally {
      this.#making -= 1;
    }
  }

  #next(): void {
    if (this.#free.length > 0 || this.#all.size < this.#limit) this.#waiting.shift()?.resolve();
  }
}
