import { run } from "../../cli/cli.ts";
import type { Terminal } from "../../cli/terminal.ts";
import { aBob, theServices } from "../sync/services.ts";
import { inTerminal } from "../support/pseudo-terminal.ts";
import { cleanEnvironment, placeOf, QSOLOG, tidy as tidied, type Answer } from "../support/qsolog.ts";
import { testWorld } from "../support/world.ts";

interface Options {
  /** Whether stderr is a terminal; there is no input. */
  errIsTerminal?: boolean;
  stdin?: string;
  env?: Record<string, string>;
}

/** The command line on its own data directory, where Bob has accounts at both simulated services. */
export const aCommandLine = async (createWorld = testWorld) => {
  const { services, book } = theServices(Date.now);
  const env = {
    QSOLOG_FIRST_URL: services.firstUrl,
    QSOLOG_SECOND_URL: services.secondUrl,
    QSOLOG_PACE: "0",
  };
  const world = await createWorld({ env });
  const bob = await aBob(world, "bob");
  const environment = cleanEnvironment({ ...env, ...placeOf(world.config) });
  const tidy = (text: string) => tidied(text, world.config);

  /** Runs in this process, which is fast. */
  const qsolog = async (words: readonly string[], { errIsTerminal = false, stdin = "", env: more }: Options = {}) => {
    const said = { out: "", err: "", over: [] as string[] };
    const terminal: Terminal = {
      out: (text) => void (said.out += text.endsWith("\n") ? text : `${text}\n`),
      err: (text) => void (said.err += text.endsWith("\n") ? text : `${text}\n`),
      pour: async (text) => void (said.out += text),
      over: (line) => void said.over.push(line),
      isInteractive: false,
      outIsTerminal: false,
      errIsTerminal,
      width: 100,
      hasColour: false,
      isLight: false,
      hasUtf8: true,
      readAll: async () => stdin,
      ask: async () => "",
      askSecret: async () => "",
    };
    const code = await run(words, terminal, { ...environment, ...more });
    return { code, out: tidy(said.out), err: tidy(said.err), over: said.over };
  };

  /** Runs as a separate process. */
  const spawn = (words: readonly string[], stdin?: string) =>
    Bun.spawn([...QSOLOG, ...words], {
      env: environment,
      stdin: stdin === undefined ? "ignore" : new TextEncoder().encode(stdin),
      stdout: "pipe",
      stderr: "pipe",
    });
  const asProcess = async (words: readonly string[], stdin?: string): Promise<Answer> => {
    const child = spawn(words, stdin);
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { code, out: tidy(out), err: tidy(err) };
  };

  return {
    world,
    bob,
    services,
    book,
    store: services.store,
    first: services.first,
    second: services.second,
    qsolog,
    spawn,
    asProcess,
    inTerminal: (words: readonly string[], more: Record<string, string> = {}) =>
      inTerminal([...QSOLOG, ...words], { ...environment, ...more }),
  };
};

export type CommandLine = Awaited<ReturnType<typeof aCommandLine>>;

/** Replaces what differs between runs. */
export const steady = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "YYYY-MM-DD HH:MM")
    .replace(/took (?:< )?\d+\.\d\s+s/g, "took N s")
    .replace(/\/127\.0\.0\.1:\d+/g, "/<services>");
