import { useEffect, useState } from "react";
import type { Witness } from "../../../src/domain/awards/award.ts";
import { getMarks, type Mark } from "../../../src/domain/contact/marks.ts";
import type { QsoParameters } from "../../../src/domain/contact/qso-filter.ts";
import { describeQsoState, type QsoState } from "../../../src/domain/contact/qso-state.ts";
import type { QsoView } from "../../../src/domain/contact/qso-view.ts";
import type { Logbook } from "../../client/logbook.ts";

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
    const page = { limit: PAGE, sort: end.sort, cursor: end.cursor ?? undefined };
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
  state: describeQsoState(qso),
});

interface Wish {
  parameters: QsoParameters;
  /** A new version reloads the same list. */
  version: string;
  from: number;
  to: number;
}

interface Shown {
  window: QsoWindow | null;
  name: string;
  problem: string | null;
}

const MIN_PAUSE_MS = 120;
const MAX_PAUSE_MS = 700;

/**
 * The visible rows. A new list is requested after a short pause in typing, and replaces the old one when its first rows
 * arrive.
 */
export const useQsoWindow = (client: Logbook, { parameters, version, from, to }: Wish, isActive: boolean) => {
  const name = JSON.stringify(parameters);
  const [shown, show] = useState<Shown>({ window: null, name: "", problem: null });
  const [, redraw] = useState(0);
  const { window } = shown;

  useEffect(() => {
    if (!isActive) return;
    let isWanted = true;
    const ask = async (): Promise<void> => {
      const next = new QsoWindow(client, parameters);
      try {
        await next.load(from, to, () => isWanted);
        if (isWanted) show({ window: next, name, problem: null });
      } catch (error) {
        if (isWanted) show((before) => ({ ...before, name, problem: (error as Error).message }));
      }
    };
    const timer = setTimeout(() => void ask(), window === null ? 0 : pauseAfter(window.slowestMs));
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [name, version, isActive]);

  useEffect(() => {
    if (window === null || shown.name !== name || window.has(from, to)) return;
    let isWanted = true;
    window
      .load(from, to, () => isWanted)
      .then(
        () => isWanted && redraw((count) => count + 1),
        (error: Error) => isWanted && show((before) => ({ ...before, problem: error.message })),
      );
    return () => void (isWanted = false);
  }, [window, shown.name, name, from, to]);

  return { window, problem: shown.problem, isSearching: shown.name !== name };
};

/** If searching is slow, it waits longer after typing, so that keys stay responsive. */
const pauseAfter = (slowestMs: number): number => Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, 2 * slowestMs));
