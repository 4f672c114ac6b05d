import { join } from "node:path";
import { aDirectory } from "./directory.ts";

export const ROOT = join(import.meta.dir, "../..");

export interface Answer {
  code: number;
  out: string;
  err: string;
}

interface Options {
  stdin?: string;
  env?: Record<string, string>;
}

/** The environment a command runs in: nothing of the caller's own qsolog. */
export const cleanEnvironment = (env: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH!,
  HOME: process.env.HOME ?? "/tmp",
  TZ: "Europe/Belgrade",
  LANG: "C.UTF-8",
  ...env,
});

/** The command line as a person's shell runs it, on a data directory of its own. */
export const aShell = (program: readonly string[] = ["bun", join(ROOT, "cli/main.ts")]) => {
  const dataDir = aDirectory();
  const qsolog = async (words: readonly string[], { stdin, env }: Options = {}): Promise<Answer> => {
    const child = Bun.spawn([...program, ...words], {
      cwd: dataDir,
      env: cleanEnvironment({ QSOLOG_DATA_DIR: dataDir, ...env }),
      stdin: stdin === undefined ? "ignore" : new TextEncoder().encode(stdin),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { code, out, err: err.replaceAll(dataDir, "<data>") };
  };
  return Object.assign(qsolog, { dataDir });
};

export const PASSWORD = "correct horse battery";
