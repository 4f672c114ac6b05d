/** The file that worker threads run. In the single executable it has its path relative to the project root. */
export const BACKGROUND_THREAD = import.meta.path.includes("$bunfs")
  ? new URL("./src/worker/worker.js", import.meta.url)
  : new URL("./worker.ts", import.meta.url);
