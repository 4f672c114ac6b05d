import { useLayoutEffect, useRef } from "react";
import type { Press } from "./keymap.ts";

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
