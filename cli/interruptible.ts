import type { Shell } from "./shell.ts";
import { INTERRUPTED, Interrupted } from "./terminal.ts";

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

/** The same for work whose steps stay done: how far it came, and whether that was to its end. */
export const stepByStep = async <Done>(
  shell: Pick<Shell, "exitCode">,
  nothing: Done,
  work: (signal: AbortSignal, tell: (soFar: Done) => void) => Promise<Done>,
): Promise<Done & { isWhole: boolean }> => {
  let reached = nothing;
  try {
    const done = await interruptible((signal) => work(signal, (soFar) => (reached = { ...soFar })));
    return { ...done, isWhole: true };
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    shell.exitCode = INTERRUPTED;
    return { ...reached, isWhole: false };
  }
};
