import type { Time } from "./clock.ts";

/** Lets one waiting caller continue in each turn of the event loop. */
export const createTurn = (): (() => Promise<void>) => {
  const line: (() => void)[] = [];
  const letOneThrough = () => {
    line.shift()!();
    if (line.length > 0) setImmediate(letOneThrough);
  };
  return () =>
    new Promise((enter) => {
      if (line.push(enter) === 1) setImmediate(letOneThrough);
    });
};

/** The real clock and timers. */
export const SYSTEM_TIME: Time = {
  ticks: () => performance.now(),

  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal!.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", onAbort, { once: true });
    }),

  turn: createTurn(),

  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },

  every(ms, task) {
    const timer = setInterval(task, ms);
    timer.unref();
    return () => clearInterval(timer);
  },

  deadline: (ms) => AbortSignal.timeout(ms),
};
