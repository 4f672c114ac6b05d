import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GROUPS } from "../../cli/groups.ts";
import { aDirectory } from "../support/directory.ts";
import { inTerminal } from "../support/pseudo-terminal.ts";
import { aShell, aShellWithUsers, cleanEnvironment, QSOLOG } from "../support/qsolog.ts";

setDefaultTimeout(120_000);

/** A line up to the Tab key, and what is offered: exactly these values, or at least these. */
const LINES: readonly (readonly [line: string, offered: readonly string[], isAll?: boolean])[] = [
  ["qsolog ", [...GROUPS.map(({ name }) => name), "help"], true],
  ["qsolog sy", ["sync"], true],
  ["qsolog help awa", ["awards"], true],
  ["qsolog jobs ", ["list", "show", "stop", "dismiss"], true],
  ["qsolog jobs list --sta", ["--status"], true],
  ["qsolog jobs --so", ["--source"], true],
  ["qsolog --json sync ", ["lotw", "first", "qrz", "second", "all"], true],
  ["qsolog sync --user ann se", ["second"], true],
  ["qsolog sync first --", ["--user", "--full", "--since", "--resurrect", "--dry-run", "--help", "--json"]],
  ["qsolog jobs list --status failed,canc", ["failed,cancelled"], true],
  ["qsolog jobs list --source f", ["first", "file", "feed"], true],
  ["qsolog qso list --band 70", ["70cm"], true],
  ["qsolog qso add K1ABC --mode FT", ["FT8", "FT4", "FT2"], true],
  ["qsolog awards dxcc-", ["dxcc-challenge", "dxcc-5band", "dxcc-honor"], true],
  ["qsolog awards was nee", ["needed"], true],
  ["qsolog awards was --by spo", ["sponsor"], true],
  ["qsolog user delete a", ["ann"], true],
  ["qsolog stats --user ", ["ann", "bob"], true],
  ["qsolog rollback ", ["2", "1"], true],
  ["qsolog jobs show 2", ["2"], true],
  ["qsolog schedule ", ["set"], true],
  ["qsolog schedule set se", ["second"], true],
  ["qsolog serve --log-level ", ["debug", "info", "warn", "error"], true],
  ["qsolog audit --action imp", ["impersonate"], true],
  ["qsolog completion ", ["bash", "zsh", "fish"], true],
  ["qsolog qso import old", ["old log.adi"], true],
  ["qsolog country update ct", ["cty.csv"], true],
];

/** A directory with `qsolog` on the path, two users, and some files. */
const aPlace = async () => {
  const qsolog = await aShellWithUsers({ username: "ann" }, { username: "bob" });
  const record = "<EOH><CALL:5>K1AAA<QSO_DATE:8>20260725<TIME_ON:4>1200<BAND:3>10m<MODE:2>CW<EOR>";
  for (const user of ["ann", "bob"]) await qsolog(["qso", "import", "-", "--user", user], { stdin: record });
  const directory = aDirectory();
  const bin = join(directory, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "qsolog"), `#!/bin/sh\nexec ${QSOLOG.join(" ")} "$@"\n`);
  chmodSync(join(bin, "qsolog"), 0o755);
  for (const file of ["old log.adi", "cty.csv"]) writeFileSync(join(directory, file), "");
  const env = cleanEnvironment({ QSOLOG_DATA_DIR: qsolog.dataDir, HOME: directory });
  return { directory, env: { ...env, PATH: `${bin}:${env.PATH}` } };
};

type Place = Awaited<ReturnType<typeof aPlace>>;

const output = ({ directory, env }: Place, command: readonly string[]): string => {
  const { stdout, stderr } = Bun.spawnSync([...command], { cwd: directory, env });
  expect(stderr.toString()).toBe("");
  return stdout.toString();
};

/** Bash is tested with all lines, the other shells with some of each kind, because each answer takes a process. */
const SOME_LINES = LINES.filter((_, index) => index % 3 === 1);

const expectOffers = (answers: readonly (readonly string[])[], lines = LINES): void => {
  const wrong = lines.flatMap(([line, offered, isAll], index) => {
    const answer = answers[index] ?? [];
    const isRight = offered.every((one) => answer.includes(one)) && (!isAll || answer.length === offered.length);
    return isRight ? [] : [{ line, offered, answer }];
  });

  expect(wrong).toEqual([]);
};

const isThere = (program: string) => Bun.which(program) !== null;

describe("in bash", () => {
  test("each word is completed from the current commands", async () => {
    const place = await aPlace();
    const asked = LINES.map(([line]) => {
      const words = line.split(" ").map((word) => `'${word}'`);
      return `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _qsolog; printf '%s\\t' "\${COMPREPLY[@]}"; echo`;
    });
    const script = ["source <(qsolog completion bash)", ...asked].join("\n");

    const lines = output(place, ["bash", "--norc", "-c", script]).split("\n");

    expectOffers(lines.map((line) => line.split("\t").filter((word) => word !== "")));
  });

  test("at a prompt, Tab completes the word", async () => {
    const { directory, env } = await aPlace();
    const bash = inTerminal(["bash", "--norc", "--noprofile", "-i"], { ...env, PS1: "> " });
    bash.type(`cd ${directory}; source <(qsolog completion bash); echo rea''dy\r`);
    await bash.shows("ready");

    bash.type("qsolog qso ex\t --ban\t20\t");
    await bash.shows("qsolog qso export  --band 20m");
    bash.type("\x15qsolog qso list --band=70\t");
    await bash.shows("--band=70cm");
    bash.type("\x15qsolog qso import old\t");
    await bash.shows("old\\ log.adi");
    bash.child.kill("SIGKILL");
  });
});

describe("in fish", () => {
  test.skipIf(!isThere("fish"))("each word is completed with its description", async () => {
    const place = await aPlace();
    const asked = SOME_LINES.map(([line]) => `complete -C '${line}'; echo ---`);
    const script = ["qsolog completion fish | source", ...asked].join("\n");

    const parts = output(place, ["fish", "--no-config", "-c", script]).split("---\n");
    const offers = parts.map((part) => part.split("\n").filter((line) => line !== ""));

    expectOffers(
      offers.map((lines) => lines.map((line) => line.split("\t")[0]!.replaceAll("\\", ""))),
      SOME_LINES,
    );
    expect(offers[0]).toEqual(["sync\tdownload contacts and confirmations from the services"]);
  });
});

describe("in zsh", () => {
  test.skipIf(!isThere("zsh"))("each word is completed", async () => {
    const { directory, env } = await aPlace();
    const zsh = inTerminal(["zsh", "-f", "-i"], env, { cols: 200, rows: 60 });
    zsh.type(`cd ${directory}; source ${join(import.meta.dir, "offers.zsh")}; print rea''dy\r`);
    await zsh.shows("ready");
    const offers: string[][] = [];
    for (const [line] of SOME_LINES) {
      zsh.type(`${line}\t`);
      const shown = await zsh.shows("<end>");
      offers.push([...new Set([...shown.matchAll(/<offer (.*?)>/gs)].map(([, word]) => word!.replaceAll("\\", "")))]);
      zsh.type("\x15");
    }
    zsh.child.kill("SIGKILL");

    expectOffers(offers, SOME_LINES);
  });
});

test.each([["user delete"], ["rollback"]])(
  "after qsolog %s nothing is offered and nothing is created without a readable database",
  async (line) => {
    const qsolog = aShell();
    const asked = ["__complete", ...line.split(" "), ""];

    expect(await qsolog(asked)).toEqual({ code: 0, out: "words\n", err: "" });
    expect(readdirSync(qsolog.dataDir)).toEqual([]);
    writeFileSync(join(qsolog.dataDir, "qsolog.db"), "hello, I am a letter");
    expect(await qsolog(asked)).toEqual({ code: 0, out: "words\n", err: "" });
  },
);

test("an unknown shell is refused", async () => {
  const { code, err } = await aShell()(["completion", "powershell"]);

  expect([code, err]).toEqual([2, 'qsolog: No completion exists for "powershell". Use bash, zsh, fish.\n']);
});
