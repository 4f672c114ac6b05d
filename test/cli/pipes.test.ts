import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { said, sync } from "../support/sync.ts";
import { cleanEnvironment, placeOf, QSOLOG } from "../support/qsolog.ts";
import { aCommandLine, type CommandLine } from "./services.ts";

setDefaultTimeout(120_000);

/** More than the buffer of a pipe. */
const MANY = 3_000;

const aLongLog = async (): Promise<CommandLine> => {
  const line = await aCommandLine();
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString().slice(0, 16);
  const records = Array.from({ length: MANY }, (_, index) => said(`K${index % 10}ABC`, at(index).replace("T", " ")));
  await sync(line.world, line.bob.id, "file", records);
  return line;
};

/** The output of a shell script in which `qsolog` runs the real program. */
const inBash = async ({ world }: CommandLine, script: string) => {
  const command = QSOLOG.map((word) => `'${word}'`).join(" ");
  const child = Bun.spawn(["bash", "-c", `qsolog() { ${command} "$@"; }\n${script}`], {
    env: cleanEnvironment({
      ...placeOf(world.config),
      QSOLOG_FIRST_URL: world.config.firstUrl,
      QSOLOG_SECOND_URL: world.config.secondUrl,
      QSOLOG_PACE: "0",
    }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { out, err };
};

test("a closed pipe ends long output quietly and without an error", async () => {
  const line = await aLongLog();

  const ends = async (words: string) => ({
    words,
    ...(await inBash(line, `qsolog ${words} | head -c 20 >/dev/null; echo "\${PIPESTATUS[0]}"`)),
  });
  for (const words of [
    "qso export -",
    "jobs show 1 --diff",
    "jobs show 1 --diff --json",
    "qso list --limit 500 --json",
    "man",
    "completion zsh",
    "--help",
    "qso list --help",
  ]) {
    expect(await ends(words)).toEqual({ words, out: "0\n", err: "" });
  }
});

test("a reader that closed the pipe before the start does not change the exit code", async () => {
  const line = await aCommandLine();
  const ends = async (words: string) =>
    (await inBash(line, `qsolog ${words} 2>/dev/null | exec <&-; echo "\${PIPESTATUS[0]}"`)).out;

  expect(await ends("user list")).toBe("0\n");
  expect(await ends("admin check bob")).toBe("3\n");
  expect(await ends("admin check nobody")).toBe("5\n");
});

test("a sync continues to its end when nobody reads its output", async () => {
  const line = await aCommandLine();
  const file = join(line.world.dataDir, "code");

  await inBash(
    line,
    `{ qsolog sync all; echo "$?" > '${file}'; } 2>&1 | exec <&-; while [ ! -s '${file}' ]; do sleep 0.05; done`,
  );
  const { jobs } = JSON.parse((await line.qsolog(["jobs", "list", "--json"])).out);

  expect(readFileSync(file, "utf8")).toBe("0\n");
  expect(jobs.map(({ status }: { status: string }) => status)).toEqual(["completed", "completed"]);
});
