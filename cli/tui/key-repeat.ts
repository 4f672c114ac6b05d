import { useRef, useState } from "react";

/** A state that can be read immediately, even between two keys that arrive before the screen is rendered again. */
export interface Held<T> {
  readonly now: T;
  change(part: Partial<T>): void;
}

export const useHeld = <T extends object>(initial: T): Held<T> => {
  const [, redraw] = useState(0);
  const ref = useRef<Held<T> | null>(null);
  ref.current ??= heldOf(initial, () => redraw((count) => count + 1));
  return ref.current;
};

const heldOf = <T extends object>(initial: T, onChange: () => void): Held<T> => {
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
