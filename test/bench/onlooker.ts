/** Another client, in a thread of its own: asks for the simplest answer again and again, and keeps the longest wait. */
declare const self: Worker;

const PAUSE_MS = 2;

let url = "";
let longest = 0;

const look = async (): Promise<void> => {
  for (;;) {
    const before = performance.now();
    await (await fetch(url)).text();
    longest = Math.max(longest, performance.now() - before);
    await Bun.sleep(PAUSE_MS);
  }
};

/** Told where to ask, it begins; asked again, it says how long it waited at most since. */
self.onmessage = ({ data }: MessageEvent<string>) => {
  if (data !== "") {
    url = data;
    void look();
  }
  self.postMessage(longest);
  longest = 0;
};
