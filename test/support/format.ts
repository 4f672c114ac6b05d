// Formats code and Markdown: bun run format [--check]
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatMarkdown } from "./markdown.ts";

const ROOT = join(import.meta.dir, "../..");
const CODE = ["src", "cli", "views", "test", "deploy", "migrations", "package.json"];
const MARKDOWN = ["*.md", "docs/**/*.md", "test/sync/*.md", "test/fixtures/*/*.md"];

const isCheck = process.argv.includes("--check");

const code = Bun.spawnSync(["bun", "fmt", "--no-script", ...(isCheck ? ["--check"] : []), ...CODE], {
  cwd: ROOT,
  stdio: ["ignore", "inherit", "inherit"],
});

const files = MARKDOWN.flatMap((glob) => [...new Bun.Glob(glob).scanSync(ROOT)]).sort();
const unformatted = files.filter((file) => {
  const text = readFileSync(join(ROOT, file), "utf8");
  const formatted = formatMarkdown(text, file);
  if (formatted === text) return false;
  if (!isCheck) writeFileSync(join(ROOT, file), formatted);
  return true;
});
for (const file of unformatted) console.log(`${file} ${isCheck ? "is not formatted" : "formatted"}`);
process.exit(code.exitCode || (isCheck && unformatted.length > 0 ? 1 : 0));
