import { useEffect, useState } from "react";

export interface Polled<T> {
  /** The newest answer about this subject; null where there is none yet. */
  value: T | null;
  problem: string | null;
}

interface Question<T> {
  /** Whom or what it is about; null asks nothing. An answer about another subject is not shown. */
  subject: string | null;
  /** Another version of the same subject is asked for at once, and shown when it is there. */
  version?: string;
  everyMs?: number;
  ask: () => Promise<T>;
}

interface Kept<T> extends Polled<T> {
  subject: string | null;
}

/** The answer to a question that is asked again and again, one after the other. */
export const usePolled = <T>({ subject, version = "", everyMs, ask }: Question<T>): Polled<T> => {
  const [kept, keep] = useState<Kept<T>>({ subject: null, value: null, problem: null });
  useEffect(() => {
    if (subject === null) return;
    let isWanted = true;
    let timer: Timer | undefined;
    const askOnce = async (): Promise<void> => {
      try {
        const value = await ask();
        if (isWanted) keep((before) => answered(before, { subject, value, problem: null }));
      } catch (error) {
        const problem = (error as Error).message;
        if (isWanted) keep((before) => ({ subject, value: before.subject === subject ? before.value : null, problem }));
      }
      if (isWanted && everyMs !== undefined) timer = setTimeout(() => void askOnce(), everyMs);
    };
    void askOnce();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [subject, version, everyMs]);
  return kept.subject === subject ? kept : { value: null, problem: null };
};

/** The same answer once more draws nothing. */
const answered = <T>(before: Kept<T>, after: Kept<T>): Kept<T> => (Bun.deepEquals(before, after) ? before : after);
