/** A program in a real pseudo-terminal of a given size, typed into and read like a screen. */
export const inTerminal = (command: readonly string[], env: Record<string, string>, size = { cols: 80, rows: 24 }) => {
  let shown = "";
  // A letter of several bytes may come in two pieces.
  const decoder = new TextDecoder();
  let wake = () => {};
  const child = Bun.spawn([...command], {
    env: { ...env, TERM: env.TERM ?? "xterm-256color" },
    terminal: {
      ...size,
      data(_terminal, bytes) {
        shown += decoder.decode(bytes, { stream: true });
        wake();
      },
    },
  });
  return {
    child,
    exited: child.exited,
    text: () => shown,
    /** Resolves when more is shown, or after this time. */
    more: (ms: number) => Promise.race([new Promise<void>((resolve) => (wake = resolve)), Bun.sleep(ms)]),
    type: (keys: string) => void child.terminal!.write(keys),
    /** Gives what came before the text, when it is on the screen; what the last call saw does not count. */
    async shows(text: string, patienceMs = 30_000): Promise<string> {
      const giveUpAt = performance.now() + patienceMs;
      while (!shown.includes(text)) {
        const left = giveUpAt - performance.now();
        if (left <= 0 || child.exitCode !== null) throw new Error(`never shown: ${text}\n--- shown:\n${shown}`);
        await Promise.race([new Promise<void>((resolve) => (wake = resolve)), Bun.sleep(Math.min(left, 100))]);
      }
      const before = shown.slice(0, shown.indexOf(text));
      shown = shown.slice(before.length + text.length);
      return before;
    },
  };
};
