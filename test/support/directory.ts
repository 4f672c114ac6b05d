import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterTest } from "./cleanup.ts";

/** An empty directory that is deleted after the test, unless KEEP_DB is set. */
export const aDirectory = (): string => {
  const path = mkdtempSync(join(tmpdir(), "qsolog-test-"));
  afterTest(() => {
    if (process.env.KEEP_DB) console.log(`kept: ${path}`);
    else rmSync(path, { recursive: true, force: true });
  });
  return path;
};
