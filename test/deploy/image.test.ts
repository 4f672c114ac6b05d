import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { GROUPS } from "../../cli/groups.ts";
import { engines, version } from "../../package.json";
import { MIN_DESCRIPTORS } from "../../src/kernel/descriptors.ts";
import { aDirectory } from "../support/directory.ts";
import { cleanEnvironment, ROOT } from "../support/qsolog.ts";

setDefaultTimeout(120_000);

interface Instruction {
  name: string;
  flags: string[];
  /** The text after the flags. */
  text: string;
  words: string[];
}

const deployed = (file: string) => readFileSync(join(ROOT, "deploy", file), "utf8");

/** Parses a Dockerfile: removes comments, joins continued lines, reads the exec form. */
const instructionsIn = (dockerfile: string): Instruction[] =>
  dockerfile
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [name = "", ...rest] = line.trim().split(/\s+/);
      const flags = rest.filter((word) => word.startsWith("--") && /^(FROM|COPY|RUN|HEALTHCHECK)$/.test(name));
      const text = rest.filter((word) => !flags.includes(word)).join(" ");
      const isExec = /^(CMD )?\[/.test(text);
      return {
        name,
        flags,
        text,
        words: isExec ? (JSON.parse(text.replace(/^CMD /, "")) as string[]) : text.split(" "),
      };
    });

const ALL = instructionsIn(deployed("Dockerfile"));
const named = (name: string) => ALL.filter((one) => one.name === name);
const stages = ALL.reduce<Instruction[][]>(
  (found, one) => (one.name === "FROM" ? [...found, [one]] : [...found.slice(0, -1), [...(found.at(-1) ?? []), one]]),
  [],
);
const [building, final] = stages as [Instruction[], Instruction[]];

/** What is sent to the builder according to Dockerfile.dockerignore. */
const SENT = deployed("Dockerfile.dockerignore")
  .split("\n")
  .filter((line) => line.startsWith("!"))
  .map((line) => line.slice(1));

describe("the container image", () => {
  test("has valid instructions in two stages", () => {
    const known = "FROM WORKDIR COPY ARG RUN USER ENV VOLUME EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD".split(" ");

    expect(ALL.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
    expect(stages.map(([from]) => from!.words.slice(1))).toEqual([["AS", "build"], []]);
  });

  // Defence: the image has no shell, no privileges and a pinned base
  test("is built from pinned bases, with this project's version of Bun", () => {
    const [bun, base] = named("FROM").map(({ words }) => words[0]!);

    expect(bun).toStartWith(`oven/bun:${engines.bun.replace(">=", "")}-`);
    expect(base).toMatch(/@sha256:[0-9a-f]{64}$/);
  });

  test("copies files that exist and are sent to the builder", () => {
    for (const { flags, words } of named("COPY")) {
      const from = flags.find((flag) => flag.startsWith("--from="))?.slice("--from=".length);
      if (from !== undefined) {
        expect(stages.map(([one]) => one!.words[2])).toContain(from);
        continue;
      }
      for (const source of words.slice(0, -1)) {
        expect([source, existsSync(join(ROOT, source))]).toEqual([source, true]);
        expect(SENT).toContain(source);
      }
    }
    expect(deployed("Dockerfile.dockerignore")).toMatch(/^\*$/m);
  });

  // Defence: the image has no shell, no privileges and a pinned base
  test("runs as an unprivileged user without a shell, and checks its health", () => {
    const one = (name: string) => final.find((found) => found.name === name)!;
    const commands = GROUPS.map(({ name }) => name);
    const [program] = one("ENTRYPOINT").words;

    expect(one("USER").text).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(final.some(({ name }) => name === "RUN")).toBe(false);
    expect(final.find(({ words }) => words.at(-1) === program)!.flags).toEqual(["--from=build"]);
    expect(commands).toContain(one("CMD").words[0]!);
    expect(one("HEALTHCHECK").words).toEqual([program!, "healthcheck"]);
    expect(commands).toContain("healthcheck");
    const owner = `--chown=${one("USER").text}`;
    const data = final.find(({ name, words }) => name === "COPY" && words[1] === one("VOLUME").text)!;
    expect(data.flags).toContain(owner);
    expect(one("ENV").text).toContain(`QSOLOG_DATA_DIR=${one("VOLUME").text}`);
  });

  test("can be built from only the copied files", async () => {
    const folder = aDirectory();
    const run = (command: string) =>
      Bun.spawnSync(["sh", "-ec", command.replace("/empty", join(folder, "empty"))], {
        cwd: folder,
        env: { ...cleanEnvironment(), COMMIT: "abc1234" },
      });
    for (const { name, text, words } of building) {
      if (name === "RUN") expect([text, run(text).exitCode]).toEqual([text, 0]);
      if (name !== "COPY") continue;
      for (const source of words.slice(0, -1)) {
        mkdirSync(join(folder, dirname(source)), { recursive: true });
        cpSync(join(ROOT, source), join(folder, source), { recursive: true });
      }
    }
    const program = join(folder, "dist/qsolog");

    const { stdout, exitCode } = Bun.spawnSync([program, "--version"], { env: {} });

    expect([exitCode, stdout.toString()]).toEqual([0, expect.stringContaining(`${version} (abc1234, Bun `)]);
  });
});

// Defence: the compose example is read-only and not open to the network
test("the compose example starts this image on this machine only, and keeps its data", () => {
  const compose = Bun.YAML.parse(deployed("compose.yaml")) as Record<string, any>;
  const { qsolog } = compose.services;

  expect(existsSync(join(ROOT, "deploy", qsolog.build.context, qsolog.build.dockerfile))).toBe(true);
  const asked = building.filter(({ name }) => name === "ARG").map(({ text }) => text.split("=")[0]);
  expect(Object.keys(qsolog.build.args)).toEqual(asked);
  const port = final.find(({ name }) => name === "EXPOSE")!.text;
  expect(qsolog.ports).toEqual([`127.0.0.1:${port}:${port}`]);
  const [volume, place] = qsolog.volumes[0].split(":");
  expect(Object.keys(compose.volumes)).toContain(volume);
  expect(place).toBe(final.find(({ name }) => name === "VOLUME")!.text);
  expect(qsolog).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
  expect(qsolog.ulimits.nofile).toBeGreaterThanOrEqual(MIN_DESCRIPTORS);
  const [network] = Object.values(compose.networks) as any[];
  expect(network.ipam.config[0].gateway).toBe(qsolog.environment.QSOLOG_TRUSTED_PROXIES);
});
