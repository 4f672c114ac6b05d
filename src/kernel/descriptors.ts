import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import type { Cancel, Time } from "./clock.ts";

/** What the database, jobs and logs need while connections take all others. */
const RESERVED = 64;
/** Looks are rarer while much is free, so that an idle server sleeps. */
const MIN_LOOK_MS = 100;
const MAX_LOOK_MS = 1_000;
/** More connections than the runtime can accept in a millisecond. */
const MAX_ACCEPTED_PER_MS = 20;
/** Fewer open files than this are not enough for a server on the internet. */
export const MIN_DESCRIPTORS = 4_096;

/** How many files and connections this process can have open; null where the system does not say. */
export const getDescriptorLimit = (): number | null => {
  try {
    const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]);
    return Number.isSafeInteger(limit) ? limit : null;
  } catch {
    return null;
  }
};

const countOpen = (): number => {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return Infinity;
  }
};

interface Guarded {
  /** Stops accepting connections. */
  pause(): void;
  /** Accepts connections again. Can throw. */
  resume(): void;
}

/**
 * Keeps descriptors free. They are held open until connections have taken all others; then no more connections are
 * accepted until some have ended.
 */
export const guardDescriptors = (limit: number, { after }: Pick<Time, "after">, { pause, resume }: Guarded): Cancel => {
  let held: number[] = [];
  let isPaused = false;
  const release = () => {
    for (const descriptor of held) closeSync(descriptor);
    held = [];
  };
  const hold = () => {
    try {
      while (held.length < RESERVED) held.push(openSync("/dev/null", "r"));
    } catch {
      release();
    }
  };
  hold();
  const look = (free: number) => {
    if (!isPaused && free < RESERVED) {
      pause();
      release();
      isPaused = true;
    } else if (isPaused && free > 3 * RESERVED) {
      try {
        resume();
        isPaused = false;
        hold();
      } catch {
        // The next look tries again.
      }
    }
  };
  let end: Cancel = () => {};
  const lookAfter = (free: number) => {
    const ms = (free - RESERVED) / MAX_ACCEPTED_PER_MS;
    end = after(Math.min(Math.max(ms, MIN_LOOK_MS), MAX_LOOK_MS), () => {
      const now = limit - countOpen();
      look(now);
      lookAfter(now);
    });
  };
  lookAfter(limit - countOpen());
  return () => {
    end();
    release();
  };
};
