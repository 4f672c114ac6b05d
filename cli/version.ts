import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { version } from "../package.json";

/** The release, the commit it was built from if known, and the runtime. */
export const getVersion = () => ({
  version,
  commit: process.env.QSOLOG_COMMIT || readCommit(resolve(import.meta.dir, "..")),
  bun: Bun.version,
  sqlite: process.versions.sqlite ?? null,
});

type VersionView = ReturnType<typeof getVersion>;

export const formatVersion = ({ version, commit, bun, sqlite }: VersionView): string =>
  `qsolog ${version} (${[commit, `Bun ${bun}`, sqlite && `SQLite ${sqlite}`].filter(Boolean).join(", ")})`;

const SHORT = 7;

/** The commit of a checkout, read from its files: running git would take longer than everything else. */
export const readCommit = (checkout: string): string | null => {
  try {
    const gitDir = findGitDir(join(checkout, ".git"));
    const head = readFirstLine(join(gitDir, "HEAD"));
    const hash = head.startsWith("ref: ") ? hashOf(gitDir, head.slice("ref: ".length)) : head;
    return /^[0-9a-f]{40,64}$/.test(hash) ? hash.slice(0, SHORT) : null;
  } catch {
    return null;
  }
};

/** In an additional work tree, .git is a file. */
const findGitDir = (path: string): string =>
  statSync(path).isDirectory() ? path : resolve(path, "..", readFirstLine(path).replace(/^gitdir: /, ""));

const hashOf = (gitDir: string, name: string): string => {
  const common = join(gitDir, "commondir");
  const shared = existsSync(common) ? resolve(gitDir, readFirstLine(common)) : gitDir;
  const place = [gitDir, shared].map((directory) => join(directory, name)).find((file) => existsSync(file));
  if (place) return readFirstLine(place);
  const packed = readFileSync(join(shared, "packed-refs"), "utf8").split("\n");
  return packed.find((line) => line.endsWith(` ${name}`))?.split(" ")[0] ?? "";
};

const readFirstLine = (file: string): string => readFileSync(file, "utf8").split("\n")[0]!.trim();
