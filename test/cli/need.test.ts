import { expect, setDefaultTimeout, test } from "bun:test";
import { PROGRAMS } from "../../src/domain/jobs/programs.ts";
import { cleanEnvironment, placeOf, QSOLOG } from "../support/qsolog.ts";
import { said, sync } from "../support/sync.ts";
import { aCommandLine } from "./services.ts";

setDefaultTimeout(60_000);

test("reads lines and prints JSON lines, in order and immediately", async () => {
  const { world, bob } = await aCommandLine();
  await sync(world, bob.id, "file", [said("DL1ABC", "2026-07-18 01:43", { BAND: "20m" })]);
  const child = Bun.spawn([...QSOLOG, "need", "-", "--mode", "FT8"], {
    env: cleanEnvironment(placeOf(world.config)),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const lines = child.stdout.pipeThrough(new TextDecoderStream() as never).getReader();

  child.stdin.write("DL1ABC 20m\n");
  await child.stdin.flush();
  const first = JSON.parse(String((await lines.read()).value));
  child.stdin.write("DL2ABC 17m CW\n\n// 20m\nK1ABC CW 40m");
  await child.stdin.end();
  let rest = "";
  for (let step = await lines.read(); !step.done; step = await lines.read()) rest += String(step.value);

  expect(first).toMatchObject({ call: "DL1ABC", band: "20m", mode: "FT8", worked: { count: 1, onBandInMode: true } });
  const answers = rest
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers.map(({ call, band, mode, error }) => [call, band, mode, error])).toEqual([
    ["DL2ABC", "17m", "CW", undefined],
    ["//", "20m", "FT8", '"//" is not a callsign.'],
    ["K1ABC", "40m", "CW", undefined],
  ]);
  expect(answers[0].awards.find(({ award }: { award: string }) => award === "dxcc")).toMatchObject({
    state: "notConfirmed",
    onBand: "neverWorked",
    inGroup: "neverWorked",
  });
  expect(await child.exited).toBe(0);
});

test("a program's key is printed with the address to paste, and docs/programs.md lists every program", async () => {
  const { qsolog } = await aCommandLine();

  const made = await qsolog(["token", "create", "WaveLogGate", "--feed"]);
  const second = await qsolog(["token", "create", "CQOps", "--feed", "--v2", "--look-up-only", "--json"]);
  const wrong = await Promise.all([
    qsolog(["token", "create", "x", "--feed", "--scope", "read"]),
    qsolog(["token", "create", "x", "--v2", "--scope", "read"]),
    qsolog(["token", "create", "x"]),
  ]);

  expect(made.out).toMatch(/^qf[0-9a-z]{22}\n$/);
  expect(made.err).toContain("Address to enter in the program: http://127.0.0.1:7373");
  expect(JSON.parse(second.out)).toMatchObject({ scope: "lookup", token: expect.stringMatching(/^wl2_/) });
  expect(wrong.map(({ code }) => code)).toEqual([2, 2, 2]);
  const paper = await Bun.file(new URL("../../docs/programs.md", import.meta.url)).text();
  for (const { name, where } of PROGRAMS) expect(paper).toContain(`| ${name} | ${where} |`);
});
