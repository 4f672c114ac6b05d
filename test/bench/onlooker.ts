/** Another client in a separate thread: repeats the simplest request and records the longest wait. */
declare const self: Worker;

const PAUSE_MS = 4;

if (!Bun.isMainThread) {
  let longest = 0;
  self.onmessage = async ({ data: url }: MessageEvent<string>) => {
    if (url === "") return self.postMessage(longest);
    for (;;) {
      const before = performance.now();
      await (await fetch(url)).text();
      longest = Math.max(longest, performance.now() - before);
      await Bun.sleep(PAUSE_MS);
    }
  };
}

/** The longest wait of another client during some work, in elapsed milliseconds. */
export const measureLongestWait = async (url: string, work: () => Promise<unknown>): Promise<number> => {
  const worker = new Worker(import.meta.path);
  // The first requests of a connection and thread are slower for other reasons.
  await (await fetch(`${url}/healthz`)).text();
  worker.postMessage(`${url}/healthz`);
  await work();
  const answer = new Promise<number>((resolve) => (worker.onmessage = ({ data }) => resolve(data as number)));
  worker.postMessage("");
  const longest = await answer;
  worker.terminate();
  return longest;
};
