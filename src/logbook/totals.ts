import type { QsoFilter } from "../domain/qso-filter.ts";
import type { VersionedTotal } from "../storage/qso-list.ts";

const MOST = 500;

/** How many contacts of a log fit a filter: counted once while the log stays as it is, and not for each page again. */
export class Totals {
  readonly #known = new Map<string, VersionedTotal>();

  find(userId: number, filter: QsoFilter): VersionedTotal | null {
    return this.#known.get(nameOf(userId, filter)) ?? null;
  }

  keep(userId: number, filter: QsoFilter, { version, total }: VersionedTotal): void {
    const name = nameOf(userId, filter);
    this.#known.delete(name);
    this.#known.set(name, { version, total });
    if (this.#known.size > MOST) this.#known.delete(this.#known.keys().next().value!);
  }
}

const nameOf = (userId: number, filter: QsoFilter): string =>
  Bun.hash(JSON.stringify([userId, Object.entries(filter).sort()])).toString(36);
