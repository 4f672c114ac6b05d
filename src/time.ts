import type { Time } from "./domain/clock.ts";

/** Time as it passes outside. */
export const TIME: Time = {
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

  turn: () => new Promise((resolve) => setImmediate(resolve)),

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
