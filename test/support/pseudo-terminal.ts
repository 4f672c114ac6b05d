/** A program in a real pseudo-terminal of a given size, with its screen and keyboard. */
export const inTerminal = (command: readonly string[], env: Record<string, string>, size = { cols: 80, rows: 24 }) => {
  let shown = "";
  // A multi-byte character can arrive in two chunks.
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
    /** Resolves when there is more output, or after this time. */
    more: (ms: number) => Promise.race([new Promise<void>((resolve) => (wake = resolve)), Bun.sleep(ms)]),
    type: (keys: string) => void child.terminal!.write(keys),
    /** Waits for a text and returns the output before it, not counting what the last call saw. */
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
