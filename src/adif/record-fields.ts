import type { Fields } from "../domain/contact/adif-record.ts";
import { NAME_SLOTS } from "./intern.ts";

/** The fields of the record that is being read. */
export interface RecordFields {
  /** `slot` is the name's place among all names. */
  put(name: string, value: string, slot: number): void;
  get(name: string): string | undefined;
  all(): Fields;
  clear(): void;
}

/** In the order in which they come, which in a log is much the same for every record. */
export class FieldsAsGiven implements RecordFields {
  private fields: Fields = {};

  put(name: string, value: string): void {
    this.fields[name] = value;
  }

  get(name: string): string | undefined {
    return this.fields[name];
  }

  all(): Fields {
    return this.fields;
  }

  clear(): void {
    this.fields = {};
  }
}

const MOST_RANKED = 255;
/** By slot, from 1 in the order in which names were first met; 0 for those that were not, or came too late. */
const ranks = new Uint8Array(NAME_SLOTS);
let lastRank = 0;

/**
 * In the order in which they were first met in any record. A service that shuffles the fields of each record would make
 * every object one of a kind to the engine, and everything that is done with it slow.
 */
export class FieldsInOneOrder implements RecordFields {
  private readonly names: string[] = Array(MOST_RANKED + 1).fill("");
  private readonly values: string[] = Array(MOST_RANKED + 1).fill("");
  /** In which record a name of each rank came last. */
  private readonly lastIn = new Int32Array(MOST_RANKED + 1);
  private record = 1;
  private lowest = MOST_RANKED + 1;
  private highest = 0;
  /** Names beyond those that have a rank, and those whose rank another name of this record has. */
  private others: Fields | null = null;

  put(name: string, value: string, slot: number): void {
    const rank = ranks[slot]! || rankOf(slot);
    if (rank === 0 || (this.lastIn[rank] === this.record && this.names[rank] !== name)) {
      (this.others ??= {})[name] = value;
      return;
    }
    this.names[rank] = name;
    this.values[rank] = value;
    this.lastIn[rank] = this.record;
    if (rank < this.lowest) this.lowest = rank;
    if (rank > this.highest) this.highest = rank;
  }

  get(name: string): string | undefined {
    for (let rank = this.lowest; rank <= this.highest; rank++) {
      if (this.names[rank] === name && this.lastIn[rank] === this.record) return this.values[rank];
    }
    return this.others?.[name];
  }

  all(): Fields {
    const fields: Fields = {};
    for (let rank = this.lowest; rank <= this.highest; rank++) {
      if (this.lastIn[rank] === this.record) fields[this.names[rank]!] = this.values[rank]!;
    }
    return this.others === null ? fields : Object.assign(fields, this.others);
  }

  clear(): void {
    this.record += 1;
    this.lowest = MOST_RANKED + 1;
    this.highest = 0;
    this.others = null;
  }
}

const rankOf = (slot: number): number => {
  if (lastRank < MOST_RANKED) ranks[slot] = ++lastRank;
  return ranks[slot]!;
};
