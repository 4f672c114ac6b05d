// Makes the single executable: bun run build [--target linux-x64|linux-arm64|…] [--outfile FILE]
import { Glob } from "bun";
import { join } from "node:path";
import { parseArgs } from "node:util";

const ROOT = join(import.meta.dir, "..");

/** The program, the file its other threads run, and the migrations, which are read as a folder. */
const ENTRIES = ["cli/main.ts", "src/worker/worker.ts", ...new Glob("migrations/*.sql").scanSync(ROOT)];

const TARGETS = ["linux-x64", "linux-arm64", "linux-x64-musl", "linux-arm64-musl", "darwin-x64", "darwin-arm64"];

const USAGE = 2;

const main = async (words: string[]): Promise<number> => {
  const { target, outfile } = parseArgs({
    args: words,
    options: { target: { type: "string" }, outfile: { type: "string" } },
  }).values;
  if (target !== undefined && !TARGETS.includes(target)) {
    console.error(`There is no target ${target}. The targets: ${TARGETS.join(", ")}. Without one: this machine.`);
    return USAGE;
  }
  const file = outfile ?? join("dist", target === undefined ? "qsolog" : `qsolog-${target}`);
  const commit = await commitOf();
  const build = Bun.spawn([process.execPath, "build", ...optionsOf(commit, target), ...ENTRIES, "--outfile", file], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await build.exited;
  if (code === 0)
    console.log(`${file}: ${target ?? "for this machine"}, ${commit === "" ? "no commit known" : commit}`);
  return code;
};

const optionsOf = (commit: string, target: string | undefined): string[] => [
  "--compile",
  ...(target === undefined ? [] : [`--target=bun-${target}`]),
  "--splitting",
  "--bytecode",
  "--format=esm",
  "--asset-naming=[dir]/[name].[ext]",
  // What lies in the folder where somebody runs it is none of its business: Bun would run code that a bunfig.toml names.
  "--no-compile-autoload-bunfig",
  "--no-compile-autoload-dotenv",
  "-e",
  "react-devtools-core",
  // The terminal screens draw with React, whose development build takes much longer for every key.
  "--define",
  'process.env.NODE_ENV="production"',
  "--define",
  `process.env.QSOLOG_COMMIT=${JSON.stringify(commit)}`,
];

/** Said from outside where the sources come without their history, as in an image. */
const commitOf = async (): Promise<string> => {
  const said = process.env.QSOLOG_COMMIT?.trim();
  if (said) return said;
  const git = Bun.which("git");
  if (git === null) return "";
  const { exitCode, stdout } = Bun.spawnSync([git, "-C", ROOT, "rev-parse", "--short=7", "HEAD"]);
  return exitCode === 0 ? stdout.toString().trim() : "";
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = USAGE;
}
