/** Holds back whoever comes while it is closed. */
export class Gate {
  readonly #closed = new Set<Promise<void>>();

  /** Returns the function that opens it again. */
  close(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed.add(promise);
    return () => {
      this.#closed.delete(promise);
      resolve();
    };
  }

  /** Resolves when it stands open, or when there is nobody left to wait. */
  async opened(gone: AbortSignal): Promise<void> {
    const left = new Promise<void>((resolve) => gone.addEventListener("abort", () => resolve(), { once: true }));
    while (this.#closed.size > 0 && !gone.aborted) await Promise.race([Promise.all(this.#closed), left]);
  }
}
