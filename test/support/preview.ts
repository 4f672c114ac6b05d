import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpackPreview } from "../fixtures/preview/accounts.ts";
import { afterAllTests } from "./cleanup.ts";
import { aDirectory } from "./directory.ts";
import { ROOT } from "./qsolog.ts";

/** Runs the converter for databases of the preview version. */
export const convertPreview = async (from: string, to: string): Promise<{ code: number; said: string }> => {
  const child = Bun.spawn([process.execPath, join(ROOT, "deploy/convert-preview.ts"), from, to], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, said: out + err };
};

interface Converted {
  directory: string;
  said: string;
}

let converted: Promise<Converted> | null = null;

const convert = async (): Promise<Converted> => {
  const directory = mkdtempSync(join(tmpdir(), "qsolog-preview-"));
  afterAllTests(() => {
    converted = null;
    rmSync(directory, { recursive: true });
  });
  unpackPreview(directory);
  const { code, said } = await convertPreview(join(directory, "preview.db"), join(directory, "qsolog.db"));
  if (code !== 0) throw new Error(said);
  return { directory, said };
};

/** A directory with a preview database and its converted copy, shared by the tests of a file. */
export const aConvertedPreview = async () => {
  const { directory: kept, said } = await (converted ??= convert());
  const directory = aDirectory();
  cpSync(kept, directory, { recursive: true });
  return { directory, from: join(directory, "preview.db"), to: join(directory, "qsolog.db"), said };
};
