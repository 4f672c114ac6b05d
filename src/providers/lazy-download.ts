import type { Provider } from "../domain/jobs/provider.ts";

type Asking = Pick<Provider, "test" | "download">;

/** Loads the code of a provider on first use. */
export const lazyDownload = (load: () => Promise<Asking>): Asking => ({
  test: async (...asked) => (await load()).test(...asked),
  async *download(...asked) {
    const { download } = await load();
    return yield* download(...asked);
  },
});
