import type { Witness } from "../../src/domain/awards/award.ts";
import { getMarks, type Mark } from "../../src/domain/contact/marks.ts";
import type { QsoParameters } from "../../src/domain/contact/qso-filter.ts";
import { describeQsoState, type QsoState } from "../../src/domain/contact/qso-state.ts";
import type { QsoView } from "../../src/domain/contact/qso-view.ts";
import { LABELS } from "../../src/domain/origins/labels.ts";
import type { Logbook } from "../client/logbook.ts";

/** What a row shows. The rest is loaded when the contact is opened. */
export type QsoRow = Pick<QsoView, (typeof SHOWN)[number]> & {
  marks: Record<Witness, Mark>;
  /** Its state in words. */
  state: QsoState;
};

const PAGE = "200";

/** The loaded rows at one end of the list. */
interface End {
  sort: string;
  rows: QsoRow[];
  cursor: string | null;
}

/**
 * A list of any length that loads only what is viewed: pages from the beginning, and backwards from the end, so that
 * both ends are one page away.
 */
export class QsoWindow {
  /** How long the slowest page took. */
  slowestMs = 0;

  readonly #client: Pick<Logbook, "qsos">;
  readonly #parameters: QsoParameters;
  readonly #head: End;
  readonly #tail: End;
  #total = Infinity;

  constructor(client: Pick<Logbook, "qsos">, parameters: QsoParameters) {
    const { sort = "-startedAt" } = parameters;
    this.#client = client;
    this.#parameters = parameters;
    this.#head = { sort, rows: [], cursor: null };
    this.#tail = { sort: sort.startsWith("-") ? sort.slice(1) : `-${sort}`, rows: [], cursor: null };
  }

  get total(): number {
    return Number.isFinite(this.#total) ? this.#total : 0;
  }

  getRow(index: number): QsoRow | null {
    return this.#head.rows[index] ?? this.#tail.rows[this.#total - 1 - index] ?? null;
  }

  has(from: number, to: number): boolean {
    if (!Number.isFinite(this.#total)) return false;
    for (let index = from; index < Math.min(to, this.#total); index++) if (!this.getRow(index)) return false;
    return true;
  }

  /** Loads pages from the nearer end until these rows are loaded. */
  async load(from: number, to: number, isWanted: () => boolean = () => true): Promise<void> {
    while (isWanted() && !this.has(from, to)) {
      const toHead = to - this.#head.rows.length;
      const toTail = this.#total - this.#tail.rows.length - from;
      if (!(await this.#extend(toHead <= toTail ? this.#head : this.#tail))) return;
    }
  }

  async #extend(end: End): Promise<boolean> {
    if (end.rows.length > 0 && end.cursor === null) return false;
    const began = performance.now();
    const page = { limit: PAGE, sort: end.sort, ...(end.cursor === null ? {} : { cursor: end.cursor }) };
    const { qsos, total, nextCursor } = await this.#client.qsos({ ...this.#parameters, ...page });
    this.slowestMs = Math.max(this.slowestMs, performance.now() - began);
    end.rows.push(...qsos.map(toRow));
    end.cursor = nextCursor;
    this.#total = total;
    return qsos.length > 0;
  }
}

const SHOWN = [
  "id",
  "startedAt",
  "call",
  "band",
  "mode",
  "submode",
  "name",
  "entity",
  "gridsquare",
  "qth",
  "comment",
] as const satisfies (keyof QsoView)[];

export const toRow = (qso: QsoView): QsoRow => ({
  ...(Object.fromEntries(SHOWN.map((name) => [name, qso[name]])) as Pick<QsoView, (typeof SHOWN)[number]>),
  marks: getMarks(qso),
  state: describeQsoState(qso, LABELS),
});
