import { afterAll } from "bun:test";
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inTerminal } from "../support/pseudo-terminal.ts";
import { ROOT, type Answer } from "../support/qsolog.ts";

/** The program always runs as this user: nobody, who owns nothing. */
const NOBODY = 65_534;
const IS_ROOT = process.getuid?.() === 0;
const SETPRIV = Bun.which("setpriv");

const folder = mkdtempSync(join(tmpdir(), "qsolog-executable-"));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export const ORDINARY_USER = IS_ROOT ? NOBODY : process.getuid!();

/** Why the executable cannot be tested here, or null. */
export const MISSING = IS_ROOT && SETPRIV === null ? "there is no setpriv to become an ordinary user with" : null;

export interface Build {
  code: number;
  file: string;
  said: string;
}

/** The result of `bun run build`, in a folder of its own. */
export const build = async (name: string, words: readonly string[] = [], env: Record<string, string> = {}) => {
  const file = join(folder, name);
  const child = Bun.spawn([process.execPath, join(ROOT, "deploy/build.ts"), ...words, "--outfile", file], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, file, said: out + err } satisfies Build;
};

/** A copy of an executable that the ordinary user can read. */
export const copied = (program: string): string => {
  const file = join(folder, "qsolog");
  copyFileSync(program, file);
  return file;
};

/** An empty home directory of an ordinary user who only has the executable: no Bun, no sources, no PATH. */
export const anOrdinaryUser = (program: string, emulator: readonly string[] = []) => {
  const home = mkdtempSync(join(folder, "home-"));
  if (IS_ROOT) chownSync(home, NOBODY, NOBODY);
  const become = IS_ROOT ? [SETPRIV!, `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"] : [];
  const env = { HOME: home, PATH: "", TMPDIR: home, TZ: "Europe/Belgrade" };
  const command = (words: readonly string[]) => [...become, ...emulator, program, ...words];
  const start = (words: readonly string[], more: Record<string, string> = {}) =>
    Bun.spawn(command(words), { cwd: home, env: { ...env, ...more }, stdio: ["ignore", "pipe", "pipe"] });
  return {
    home,
    start,
    async run(words: readonly string[], stdin = ""): Promise<Answer> {
      const child = Bun.spawn(command(words), {
        cwd: home,
        env,
        stdin: new TextEncoder().encode(stdin),
        stdout: "pipe",
        stderr: "pipe",
      });
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      return { code, out: out.replaceAll(home, "<home>"), err: err.replaceAll(home, "<home>") };
    },
    inTerminal: (words: readonly string[]) => inTerminal(command(words), env),
  };
};
