import * as leftovers from "../../storage/log/leftovers.ts";
import { Backlog } from "../../storage/jobs/backlog.ts";
import { getBundleKey, type Incoming } from "../match/incoming.ts";
import { TOLERANCE } from "../match/match.ts";

/** More records than this go to a file. If a log's clock was wrong, every record of a service is deferred. */
const MAX_IN_MEMORY = 2_000;

interface Placed {
  incoming: Incoming;
  /** Position in the download. */
  place: number;
}

/** Records that are decided last, after the whole download: a few in memory, any number in a temporary file. */
export class Deferred {
  /** Returns the path of the temporary file, or null to keep everything in memory. */
  readonly #pathOf: (() => string) | null;
  readonly #maxInMemory: number;
  readonly #names = new Set<string>();
  #held: Incoming[] = [];
  #backlog: Backlog | null = null;
  #size = 0;

  constructor(pathOf: (() => string) | null = null, maxInMemory = MAX_IN_MEMORY) {
    this.#pathOf = pathOf;
    this.#maxInMemory = maxInMemory;
  }

  get size(): number {
    return this.#size;
  }

  /** If the record also waits as a leftover, that older copy is dropped. */
  add(incoming: Incoming): void {
    const name = nameOf(incoming);
    if (incoming.leftoverId !== undefined && (this.#names.has(name) || this.#backlog?.has(name))) return;
    this.#names.add(name);
    this.#held.push(incoming);
    this.#size += 1;
    if (this.#pathOf !== null && this.#held.length >= this.#maxInMemory)
      this.#putAway((this.#backlog ??= new Backlog(this.#pathOf())));
  }

  /** Removes and returns all records; only for jobs with few of them. */
  take(): Incoming[] {
    this.#size = 0;
    return this.#held.splice(0);
  }

  /** Yields groups of records of one station that could mean the same contacts, each in download order. */
  *groupNeighbours(): Generator<Incoming[]> {
    if (this.#backlog !== null) this.#putAway(this.#backlog);
    let near: Placed[] = [];
    for (const next of this.#inOrder()) {
      const last = near.at(-1);
      if (last && isApart(last.incoming, next.incoming)) {
        yield sortByPlace(near);
        near = [];
      }
      near.push(next);
    }
    if (near.length > 0) yield sortByPlace(near);
  }

  close(): void {
    this.#backlog?.close();
  }

  *#inOrder(): Generator<Placed> {
    if (this.#backlog === null) {
      const placed = this.#held.map((incoming, place) => ({ incoming, place }));
      for (const ofCall of Map.groupBy(placed, ({ incoming }) => incoming.key.call).values())
        yield* ofCall.sort((a, b) => a.incoming.key.at - b.incoming.key.at);
    } else {
      for (const { text, place } of this.#backlog.readInOrder())
        yield { incoming: JSON.parse(text) as Incoming, place };
    }
  }

  #putAway(backlog: Backlog): void {
    backlog.put(
      this.#held.map((incoming) => {
        const { call, at } = incoming.key;
        return { call, at, name: nameOf(incoming), text: JSON.stringify(incoming) };
      }),
    );
    this.#held = [];
    this.#names.clear();
  }
}

const nameOf = (incoming: Incoming): string =>
  leftovers.nameOf({ part: incoming.part, externalId: getBundleKey(incoming) });

const isApart = ({ key: a }: Incoming, { key: b }: Incoming): boolean =>
  a.call !== b.call || b.at - a.at > 2 * TOLERANCE;

const sortByPlace = (near: readonly Placed[]): Incoming[] =>
  near.toSorted((a, b) => a.place - b.place).map(({ incoming }) => incoming);
