import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Context } from "./context.ts";
import type { Press } from "./keymap.ts";

/** A state that can be read immediately, even between two keys that arrive before the screen is rendered again. */
export interface Latest<T> {
  readonly now: T;
  change(part: Partial<T>): void;
}

export const useLatest = <T extends object>(initial: T): Latest<T> => {
  const [, redraw] = useState(0);
  const ref = useRef<Latest<T> | null>(null);
  ref.current ??= createLatest(initial, () => redraw((count) => count + 1));
  return ref.current;
};

const createLatest = <T extends object>(initial: T, onChange: () => void): Latest<T> => {
  let now = initial;
  return {
    get now() {
      return now;
    },
    change(part) {
      now = { ...now, ...part };
      onChange();
    },
  };
};

interface Polled<T> {
  /** The newest answer about this subject; null if there is none yet. */
  value: T | null;
  problem: string | null;
}

interface Question<T> {
  /** What the question is about; null asks nothing. Answers about another subject are not shown. */
  subject: string | null;
  /** A new version of the same subject is requested immediately and replaces the old answer when it arrives. */
  version?: string;
  everyMs?: number;
  /** Waits before it asks, for subjects that change with every key. */
  delayMs?: number;
  ask: () => Promise<T>;
}

/** The questions of a screen: asked while it is shown, and again when the log may have changed. */
export const questionsOf =
  ({ version }: Pick<Context, "version">, isShown: boolean) =>
  <T>(
    subject: string | null,
    ask: () => Promise<T>,
    pace: Pick<Question<T>, "everyMs" | "delayMs"> = {},
  ): Question<T> => ({ subject: isShown ? subject : null, version, ask, ...pace });

interface Kept<T> extends Polled<T> {
  subject: string | null;
}

/** Repeats a question, one request at a time, and returns the last answer. */
export const usePoll = <T>({ subject, version = "", everyMs, delayMs = 0, ask }: Question<T>): Polled<T> => {
  const [kept, keep] = useState<Kept<T>>({ subject: null, value: null, problem: null });
  useEffect(() => {
    if (subject === null) return;
    let isWanted = true;
    let timer: Timer | undefined;
    const askOnce = async (): Promise<void> => {
      try {
        const value = await ask();
        if (isWanted) keep((before) => keepIfEqual(before, { subject, value, problem: null }));
      } catch (error) {
        const problem = (error as Error).message;
        if (isWanted) keep((before) => ({ subject, value: before.subject === subject ? before.value : null, problem }));
      }
      if (isWanted && everyMs !== undefined) timer = setTimeout(() => void askOnce(), everyMs);
    };
    if (delayMs === 0) void askOnce();
    else timer = setTimeout(() => void askOnce(), delayMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [subject, version, everyMs]);
  return kept.subject === subject ? kept : { value: null, problem: null };
};

/** An equal answer does not cause rendering. */
const keepIfEqual = <T>(before: Kept<T>, after: Kept<T>): Kept<T> => (Bun.deepEquals(before, after) ? before : after);

interface Page<T> {
  rows: T[];
  nextCursor: string | null;
}

interface Paging<T> {
  /** What the list is about; null loads nothing. */
  subject: string | null;
  /** How many rows may be visible. */
  wanted: number;
  ask: (cursor: string | undefined) => Promise<Page<T>>;
}

interface KeptPages<T> {
  subject: string | null;
  rows: T[];
  /** Undefined before the first page, null after the last. */
  cursor: string | null | undefined;
  problem: string | null;
}

/** Loads rows page by page, as far as the user scrolls. */
export const usePages = <T>({ subject, wanted, ask }: Paging<T>) => {
  const kept = useRef<KeptPages<T>>({ subject: null, rows: [], cursor: undefined, problem: null });
  const [, redraw] = useState(0);
  if (kept.current.subject !== subject) kept.current = { subject, rows: [], cursor: undefined, problem: null };
  const { rows, cursor, problem } = kept.current;
  const isMissing = subject !== null && problem === null && cursor !== null && rows.length < wanted;

  useEffect(() => {
    if (!isMissing) return;
    const about = kept.current;
    const keep = (part: Partial<KeptPages<T>>) => {
      if (kept.current !== about) return;
      kept.current = { ...about, ...part };
      redraw((count) => count + 1);
    };
    ask(about.cursor ?? undefined).then(
      (page) => keep({ rows: [...about.rows, ...page.rows], cursor: page.nextCursor }),
      (error: Error) => keep({ problem: error.message }),
    );
  }, [subject, isMissing, rows.length]);

  return { rows, problem, isComplete: cursor === null };
};

/** Passes keys on one by one, so that each goes to the screen that the previous key led to. */
export const usePresses = (press: (one: Press) => void): ((all: readonly Press[]) => void) => {
  const newest = useRef(press);
  useLayoutEffect(() => void (newest.current = press));
  const waiting = useRef<Press[]>([]);
  const next = (): void => {
    const one = waiting.current[0];
    if (!one) return;
    newest.current(one);
    waiting.current.shift();
    if (waiting.current.length > 0) setImmediate(next);
  };
  return (all) => {
    const isIdle = waiting.current.length === 0;
    waiting.current.push(...all);
    if (isIdle) next();
  };
};
