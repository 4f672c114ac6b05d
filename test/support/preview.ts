import { join } from "node:path";
import { ROOT } from "./qsolog.ts";

/** Runs the converter of databases of the preview. */
export const convertPreview = async (from: string, to: string): Promise<{ code: number; said: string }> => {
  const child = Bun.spawn([process.execPath, join(ROOT, "deploy/convert-preview.ts"), from, to], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, said: out + err };
};
