import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");

/** The formatter pads the cells of tables; without that, a longer cell changes one line only. */
const withoutPadding = (line: string): string =>
  /^\|.*\|$/.test(line)
    ? line
        .replaceAll(/ +\| *(?=\S)/g, " | ")
        .replaceAll(/\| -+ (?=\|)/g, "|---")
        .replace(/ +\|$/, " |")
    : line;

/** Markdown as `bun run format` writes it. */
export const formatMarkdown = (text: string, file: string): string => {
  const { stdout, success } = Bun.spawnSync(
    [
      "bun",
      "fmt",
      "--no-script",
      "--prose-wrap=always",
      "--embedded-language-formatting=off",
      `--stdin-filepath=${file}`,
    ],
    { cwd: ROOT, stdin: Buffer.from(text), stderr: "inherit" },
  );
  if (!success) throw new Error(`${file} cannot be formatted.`);
  return stdout.toString().split("\n").map(withoutPadding).join("\n");
};
