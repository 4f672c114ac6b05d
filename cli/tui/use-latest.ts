import { useRef, useState } from "react";

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
