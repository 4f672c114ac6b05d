/** Blocks callers while it is closed. */
export class Hold {
  readonly #closed = new Set<Promise<void>>();

  /** Returns a function that opens it again. */
  close(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed.add(promise);
    return () => {
      this.#closed.delete(promise);
      resolve();
    };
  }

  /** Resolves when it is open or when the client has disconnected. */
  async waitUntilOpen(gone: AbortSignal): Promise<void> {
    const left = new Promise<void>((resolve) => gone.addEventListener("abort", () => resolve(), { once: true }));
    while (this.#closed.size > 0 && !gone.aborted) await Promise.race([Promise.all(this.#closed), left]);
  }
}
