import { useEffect, useState } from "react";

export interface Polled<T> {
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
