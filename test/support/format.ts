// Formats code and Markdown: bun run format [--check]
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const CODE = ["src", "cli", "views", "test", "deploy", "migrations", "package.json"];
const MARKDOWN = ["*.md", "docs/**/*.md", "test/sync/*.md", "test/fixtures/*/*.md"];

const isCheck = process.argv.includes("--check");

const code = Bun.spawnSync(["bun", "fmt", "--no-script", ...(isCheck ? ["--check"] : []), ...CODE], {
  cwd: ROOT,
  stdio: ["ignore", "inherit", "inherit"],
});

/** The formatter pads table cells; without padding, a longer cell changes only one line. */
const withoutPadding = (line: string): string =>
  /^\|.*\|$/.test(line)
    ? line
        .replaceAll(/ +\| *(?=\S)/g, " | ")
        .replaceAll(/\| -+ (?=\|)/g, "|---")
        .replace(/ +\|$/, " |")
    : line;

const formatMarkdown = (file: string): string => {
  const { stdout, success } = Bun.spawnSync(
    [
      "bun",
      "fmt",
      "--no-script",
      "--prose-wrap=always",
      "--embedded-language-formatting=off",
      `--stdin-filepath=${file}`,
    ],
    { cwd: ROOT, stdin: Bun.file(join(ROOT, file)), stderr: "inherit" },
  );
  if (!success) process.exit(1);
  return stdout.toString().split("\n").map(withoutPadding).join("\n");
};

const files = MARKDOWN.flatMap((glob) => [...new Bun.Glob(glob).scanSync(ROOT)]).sort();
const unformatted = files.filter((file) => {
  const formatted = formatMarkdown(file);
  if (formatted === readFileSync(join(ROOT, file), "utf8")) return false;
  if (!isCheck) writeFileSync(join(ROOT, file), formatted);
  return true;
});
for (const file of unformatted) console.log(`${file} ${isCheck ? "is not formatted" : "formatted"}`);
process.exit(code.exitCode || (isCheck && unformatted.length > 0 ? 1 : 0));
