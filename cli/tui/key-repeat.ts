import { useRef, useState } from "react";

/** A state that is read as it is now, also between two keys that came before the screen was drawn again. */
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
