import { join } from "node:path";
import { run } from "../../cli/cli.ts";
import type { Terminal } from "../../cli/terminal.ts";
import { createDemoWorld } from "../../src/demo/world.ts";
import type { User } from "../../src/domain/people/user.ts";
import { SILENT_LOG } from "../../src/kernel/log.ts";
import { listEveryUser } from "../../src/people/listing.ts";
import { providers } from "../../src/providers/registry.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { openWorld } from "../../src/world.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { testApp, type TestApp } from "../support/app.ts";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import type { FakeServices } from "../support/fake-service.ts";
import { cleanEnvironment, placeOf } from "../support/qsolog.ts";
import { testClock, testRandom, testWorld, type TestWorld } from "../support/world.ts";
import { KEY, LOGIN, PASSWORD as SERVICE_PASSWORD, theServices } from "../sync/services.ts";

export interface CommandAnswer {
  code: number;
  out: string;
  err: string;
}

export interface CommandOptions {
  stdin?: string;
  /** The width of the terminal; without it the output is a pipe. */
  width?: number;
}

/** A server and a command line on one database. */
export interface Program {
  app: TestApp;
  users: Record<string, User>;
  command(words: readonly string[], options?: CommandOptions): Promise<CommandAnswer>;
}

/** The real services are simulated over HTTP; waiting for them takes no time. */
const serve = async (world: TestWorld, users?: Record<string, User>): Promise<Program> => {
  const quick = { ...world, sleep: (ms: number, signal?: AbortSignal) => SYSTEM_TIME.sleep(Math.min(ms, 1), signal) };
  const app = await testApp({ world: quick, services: providers as unknown as FakeServices, empty: !!users });
  const env = cleanEnvironment({
    QSOLOG_FIRST_URL: world.config.firstUrl,
    QSOLOG_SECOND_URL: world.config.secondUrl,
    QSOLOG_PACE: "0",
    ...placeOf(world.config),
  });
  return {
    app,
    users: users ?? { ann: app.ann, bob: app.bob, eve: app.eve },
    command: async (words, options) => commandAnswer(words, env, options),
  };
};

const commandAnswer = async (
  words: readonly string[],
  env: Record<string, string>,
  { stdin = "", width }: CommandOptions = {},
): Promise<CommandAnswer> => {
  const said = { out: "", err: "" };
  const terminal: Terminal = {
    out: (text) => void (said.out += text.endsWith("\n") ? text : `${text}\n`),
    err: (text) => void (said.err += text.endsWith("\n") ? text : `${text}\n`),
    pour: async (text) => void (said.out += text),
    over: () => {},
    isInteractive: false,
    outIsTerminal: width !== undefined,
    errIsTerminal: false,
    width: width ?? Infinity,
    hasColour: false,
    isLight: false,
    hasUtf8: true,
    readAll: async () => stdin,
    ask: async () => "",
    askSecret: async () => "",
  };
  return { code: await run(words, terminal, env), ...said };
};

/** The ids of Bob's newest contacts. */
export const newest = async ({ app, users }: Program, count: number): Promise<number[]> => {
  const bob = await app.as(users.bob!);
  return (await bob.get(`/api/qsos?limit=${count}`)).body.qsos.map(({ id }: { id: number }) => id);
};

/** The demo at a fixed time. */
export const demoProgram = async (): Promise<Program> => {
  const outside = { clock: testClock(), random: testRandom() };
  const dataDir = aDirectory();
  const demo = await createDemoWorld({ dataDir, ...outside, lookTakes: 0 });
  afterTest(() => demo.stop());
  const world = await openWorld({ ...demo.config, pace: 0 }, { ...outside, log: SILENT_LOG });
  afterTest(() => world.db.close());
  const [ann, bob, cleo] = demo.users;
  return serve({ ...world, ...outside, dataDir }, { ann: ann!, bob: bob!, cleo: cleo! });
};

/** Ann, Bob and Eve on an empty database; Bob has accounts at both services. */
export const emptyProgram = async () => {
  const clock = testClock();
  const { services, book } = theServices(clock);
  // A request repeated on a busy machine would change the order of all later fields.
  Object.assign(services.second.style, { shuffleKeys: false, shuffleFields: false });
  const env = { QSOLOG_FIRST_URL: services.firstUrl, QSOLOG_SECOND_URL: services.secondUrl, QSOLOG_PORT: "0" };
  // Batches have the same size on every machine.
  const program = await serve({ ...(await testWorld({ env })), clock, ticks: () => 0 });
  const { app, users } = program;
  await setCredentials(app, users.bob!.id, "first", { username: LOGIN, password: SERVICE_PASSWORD });
  await setCredentials(app, users.bob!.id, "second", { apiKey: KEY, callsign: "YU1TEST" });
  return { ...program, services, book };
};

/** The program on an existing data directory, with unreachable services. */
export const programOn = async (dataDir: string, now: number): Promise<Program> => {
  const nowhere = { QSOLOG_FIRST_URL: "http://127.0.0.1:9", QSOLOG_SECOND_URL: "http://127.0.0.1:9" };
  const world = await testWorld({
    databaseUrl: join(dataDir, "qsolog.db"),
    env: { QSOLOG_DATA_DIR: dataDir, ...nowhere },
  });
  const { users } = await listEveryUser(world, {});
  const opened = { ...world, dataDir, clock: testClock(now), random: testRandom(99) };
  return serve(opened, Object.fromEntries(users.map((user) => [user.username, user])));
};
