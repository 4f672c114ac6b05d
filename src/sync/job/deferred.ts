import * as leftovers from "../../storage/log/leftovers.ts";
import { Backlog } from "../../storage/jobs/backlog.ts";
import { getBundleKey, type Incoming } from "../match/incoming.ts";
import { TOLERANCE } from "../match/match.ts";

interface Placed {
  incoming: Incoming;
  /** Position in the download. */
  place: number;
}

/**
 * Records that are decided last, after the whole download. There can be any number: if a log's clock was wrong, every
 * record of a service is deferred.
 */
export class Deferred {
  readonly #directory: string;
  /** Opened for the first record, because most jobs have none. */
  #backlog: Backlog | null = null;
  #size = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  get size(): number {
    return this.#size;
  }

  /** If the record also waits as a leftover, that older copy is dropped. */
  push(incoming: Incoming): void {
    const backlog = (this.#backlog ??= new Backlog(this.#directory));
    const name = nameOf(incoming);
    if (incoming.leftoverId !== undefined && backlog.has(name)) return;
    const { call, at } = incoming.key;
    backlog.put({ call, at, name, text: JSON.stringify(incoming) });
    this.#size += 1;
  }

  /** Yields groups of records of one station that could mean the same contacts, each in download order. */
  *groupNeighbours(): Generator<Incoming[]> {
    let near: Placed[] = [];
    for (const { text, place } of this.#backlog?.readInOrder() ?? []) {
      const next = { incoming: JSON.parse(text) as Incoming, place };
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
}

const nameOf = (incoming: Incoming): string =>
  leftovers.nameOf({ part: incoming.part, externalId: getBundleKey(incoming) });

const isApart = ({ key: a }: Incoming, { key: b }: Incoming): boolean =>
  a.call !== b.call || b.at - a.at > 2 * TOLERANCE;

const sortByPlace = (near: readonly Placed[]): Incoming[] =>
  near.toSorted((a, b) => a.place - b.place).map(({ incoming }) => incoming);
