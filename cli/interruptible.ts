import type { Shell } from "./shell.ts";
import { INTERRUPTED, Interrupted } from "./terminal.ts";

/** `bun run` and npx pass a signal on that the terminal has sent to this process too. */
const SAME_SIGNAL_MS = 500;

interface Signalled {
  /** On the first signal. */
  first: () => void;
  /** On each later one. */
  again: () => void;
  signals?: readonly NodeJS.Signals[];
}

/** Listens for Ctrl-C and the like. Returns a function that stops listening. */
export const onSignals = (
  clock: () => number,
  { first, again, signals = ["SIGINT", "SIGTERM"] }: Signalled,
): (() => void) => {
  let firstAt: number | null = null;
  const hear = () => {
    if (firstAt === null) {
      firstAt = clock();
      first();
    } else if (clock() - firstAt >= SAME_SIGNAL_MS) again();
  };
  for (const signal of signals) process.on(signal, hear);
  return () => signals.forEach((signal) => process.off(signal, hear));
};

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

/** For work whose finished steps stay: shows and returns how far it came, and whether it reached the end. */
export const runSteps = async <Done>(
  shell: Pick<Shell, "exitCode">,
  nothing: Done,
  show: (soFar: Done) => void,
  work: (steps: { signal: AbortSignal; onProgress: (soFar: Done) => void }) => Promise<Done>,
): Promise<Done & { isWhole: boolean }> => {
  let reached = nothing;
  const onProgress = (soFar: Done) => {
    reached = { ...soFar };
    show(soFar);
  };
  try {
    const done = await runInterruptible((signal) => work({ signal, onProgress }));
    return { ...done, isWhole: true };
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    shell.exitCode = INTERRUPTED;
    return { ...reached, isWhole: false };
  }
};
