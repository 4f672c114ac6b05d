import { expect, test } from "bun:test";
import { leavesOf, type CommandNode } from "../../cli/command-tree.ts";
import { commandTree, saying } from "./program.ts";

const everyCommand = (node: CommandNode): CommandNode[] => [node, ...node.commands.flatMap(everyCommand)];

test("every command's help has an example, and every example is accepted", async () => {
  const program = await commandTree();
  const wrong: string[] = [];

  for (const { words, examples } of everyCommand(program)) {
    const { out } = await saying([...words, "--help"]);
    if (!/^Examples:\n {2}\$ \S/m.test(out)) wrong.push(`qsolog ${words.join(" ")} has no example`);
    if (words.length > 0) wrong.push(...examples.flatMap((line) => mistakesIn(line, words, program)));
  }

  expect(wrong).toEqual([]);
});

/** Names in an example that do not exist. */
const mistakesIn = (line: string, words: readonly string[], program: CommandNode): string[] => {
  const said = line.match(/qsolog ([^|>)&]+)/)?.[1]?.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const isOfIt = words.every((word, index) => said[index] === word);
  const node = isOfIt ? found(program, said) : null;
  if (!node) return [`${line}: does not show qsolog ${words.join(" ")}`];
  const known = node.flags.map(({ name }) => name);
  const flags = said.filter((word) => word.startsWith("--")).map((word) => word.replace(/=.*/, ""));
  return flags.filter((flag) => !known.includes(flag)).map((flag) => `${line}: ${flag}?`);
};

const found = (node: CommandNode, [first, ...others]: readonly string[]): CommandNode => {
  const next = node.commands.find(({ words }) => words.at(-1) === first);
  return next ? found(next, others) : node;
};

test("every command and option has a description and names its value", async () => {
  const commands = leavesOf(await commandTree());

  expect(commands.length).toBeGreaterThan(40);
  for (const { words, summary, flags } of commands) {
    expect([words, summary.length > 3]).toEqual([words, true]);
    for (const { name, meaning } of flags) expect([words, name, meaning.length > 2]).toEqual([words, name, true]);
  }
});

test("the help of every command fits 40 columns", async () => {
  const wide: string[] = [];
  for (const { words } of everyCommand(await commandTree())) {
    const { out } = await saying([...words, "--help"], { width: 40, outIsTerminal: true });
    for (const line of out.split("\n")) {
      const isOneWord = !line.trim().includes(" ");
      if (Bun.stringWidth(line) > 40 && !isOneWord) wide.push(`${words.join(" ")}: ${line}`);
    }
  }

  expect(wide).toEqual([]);
});

test("help works for a command, a group and the program; without a command it is a usage error", async () => {
  expect((await saying(["help", "qso", "list"])).out).toBe((await saying(["qso", "list", "--help"])).out);
  expect((await saying(["help", "qso"])).out).toBe((await saying(["qso", "--help"])).out);
  expect((await saying(["help"])).out).toBe((await saying(["--help"])).out);

  const bare = await saying([]);
  const group = await saying(["qso"]);
  const json = await saying(["qso", "--json"]);

  expect([bare.code, bare.out, bare.err]).toEqual([2, "", (await saying(["--help"])).out]);
  expect([group.code, group.out, group.err]).toEqual([2, "", (await saying(["qso", "--help"])).out]);
  expect([json.code, json.out, JSON.parse(json.err).error.code]).toEqual([2, "", "invalid"]);
});
