import { useEffect, useRef, useState } from "react";

interface Page<T> {
  rows: T[];
  nextCursor: string | null;
}

interface Question<T> {
  /** What the list is about; null loads nothing. */
  subject: string | null;
  /** How many rows may be visible. */
  wanted: number;
  ask: (cursor: string | undefined) => Promise<Page<T>>;
}

interface Kept<T> {
  subject: string | null;
  rows: T[];
  /** Undefined before the first page, null after the last. */
  cursor: string | null | undefined;
  problem: string | null;
}

/** Loads rows page by page, as far as the user scrolls. */
export const usePages = <T>({ subject, wanted, ask }: Question<T>) => {
  const kept = useRef<Kept<T>>({ subject: null, rows: [], cursor: undefined, problem: null });
  const [, redraw] = useState(0);
  if (kept.current.subject !== subject) kept.current = { subject, rows: [], cursor: undefined, problem: null };
  const { rows, cursor, problem } = kept.current;
  const isMissing = subject !== null && problem === null && cursor !== null && rows.length < wanted;

  useEffect(() => {
    if (!isMissing) return;
    const about = kept.current;
    const keep = (part: Partial<Kept<T>>) => {
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
