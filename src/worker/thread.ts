/**
 * The file that the other threads run. The single executable keeps it under its path from the root of the project, beside
 * the pieces everything else is bundled into.
 */
export const BACKGROUND_THREAD = import.meta.path.includes("$bunfs")
  ? new URL("./src/worker/worker.js", import.meta.url)
  : new URL("./worker.ts", import.meta.url);
