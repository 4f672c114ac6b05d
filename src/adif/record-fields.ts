import type { Fields } from "../domain/adif-record.ts";

/** The fields of the record that is being read. */
export interface RecordFields {
  put(name: string, value: string): void;
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

const MOST_RANKED = 256;
const ranked: string[] = [];
const isRanked = new Set<string>();

/**
 * In the order in which they were first met in any record. A service that shuffles the fields of each record would make
 * every object one of a kind to the engine, and everything that is done with it slow.
 */
export class FieldsInOneOrder implements RecordFields {
  private readonly values = new Map<string, string>();

  put(name: string, value: string): void {
    this.values.set(name, value);
    if (isRanked.has(name) || ranked.length === MOST_RANKED) return;
    isRanked.add(name);
    ranked.push(name);
  }

  get(name: string): string | undefined {
    return this.values.get(name);
  }

  all(): Fields {
    const fields: Fields = {};
    for (const name of ranked) {
      const value = this.values.get(name);
      if (value !== undefined) fields[name] = value;
    }
    for (const [name, value] of this.values) if (!isRanked.has(name)) fields[name] = value;
    return fields;
  }

  clear(): void {
    this.values.clear();
  }
}
