import type { Provider } from "../domain/jobs/provider.ts";

type Asking = Pick<Provider, "test" | "download">;

/** What asks a service, loaded when it is asked. */
export const whenAsked = (load: () => Promise<Asking>): Asking => ({
  test: async (...asked) => (await load()).test(...asked),
  async *download(...asked) {
    const { download } = await load();
    return yield* download(...asked);
  },
});
