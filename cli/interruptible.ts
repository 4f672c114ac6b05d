import { Interrupted } from "./terminal.ts";

/** Work that Ctrl-C ends in good order: the signal fires, and what is half done can be cleared away. */
export const interruptible = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const control = new AbortController();
  const interrupt = () => control.abort(new Interrupted());
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  try {
    return await work(control.signal);
  } finally {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
  }
};
