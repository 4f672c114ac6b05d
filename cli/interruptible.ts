import type { Shell } from "./shell.ts";
import { INTERRUPTED, Interrupted } from "./terminal.ts";

/** Runs work that Ctrl-C aborts through a signal, so that it can clean up. */
export const runInterruptible = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
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

/** For work whose finished steps stay: returns how far it came and whether it reached the end. */
export const runSteps = async <Done>(
  shell: Pick<Shell, "exitCode">,
  nothing: Done,
  work: (signal: AbortSignal, tell: (soFar: Done) => void) => Promise<Done>,
): Promise<Done & { isWhole: boolean }> => {
  let reached = nothing;
  try {
    const done = await runInterruptible((signal) => work(signal, (soFar) => (reached = { ...soFar })));
    return { ...done, isWhole: true };
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    shell.exitCode = INTERRUPTED;
    return { ...reached, isWhole: false };
  }
};
