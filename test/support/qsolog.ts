import { join } from "node:path";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import type { NewUser } from "../../src/domain/people/user.ts";
import { createUser } from "../../src/people/users.ts";
import { aDirectory } from "./directory.ts";
import { anEmptyDatabase, ENGINE, testWorld } from "./world.ts";

export const ROOT = join(import.meta.dir, "../..");

/** The command that runs the program from a checkout. */
export const SOURCES: readonly string[] = ["bun", join(ROOT, "cli/main.ts")];

const { QSOLOG_TEST_PROGRAM } = process.env;

/** The program that tests start: the sources, or the executable built by .ci/run, which starts in half the time. */
export const QSOLOG: readonly string[] = QSOLOG_TEST_PROGRAM ? [QSOLOG_TEST_PROGRAM] : SOURCES;

export interface Answer {
  code: number;
  out: string;
  err: string;
}

interface Place {
  dataDir: string;
  databaseUrl: string;
}

interface Options {
  stdin?: string;
  env?: Record<string, string>;
}

/** The environment of a command, without the developer's own settings. */
export const cleanEnvironment = (env: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH!,
  HOME: process.env.HOME ?? "/tmp",
  TZ: "Europe/Belgrade",
  LANG: "C.UTF-8",
  ...env,
});

/** How a program finds this world: by URL on a server, by data directory for a file. */
export const placeOf = ({ dataDir, databaseUrl }: Place): Record<string, string> => ({
  QSOLOG_DATA_DIR: dataDir,
  ...(ENGINE === "postgres" && { QSOLOG_DATABASE_URL: databaseUrl }),
});

/** Makes the output equal on both engines. */
export const tidy = (text: string, { dataDir, databaseUrl }: Place): string =>
  text.replaceAll(databaseUrl, "<data>/qsolog.db").replaceAll(dataDir, "<data>");

/** The command line on its own data directory. */
export const aShell = (program = QSOLOG) => {
  const dataDir = aDirectory();
  let database: Promise<string> | null = null;
  /** A server database is created on first use. */
  const databaseUrl = () =>
    (database ??= ENGINE === "sqlite" ? Promise.resolve(join(dataDir, "qsolog.db")) : anEmptyDatabase(dataDir));
  const place = async () => placeOf({ dataDir, databaseUrl: await databaseUrl() });
  const qsolog = async (words: readonly string[], { stdin, env }: Options = {}): Promise<Answer> => {
    const there = { dataDir, databaseUrl: env?.QSOLOG_DATABASE_URL ?? (await databaseUrl()) };
    const child = Bun.spawn([...program, ...words], {
      cwd: dataDir,
      env: cleanEnvironment({ ...placeOf(there), ...env }),
      stdin: stdin === undefined ? "ignore" : new TextEncoder().encode(stdin),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { code, out, err: tidy(err, there) };
  };
  return Object.assign(qsolog, { dataDir, databaseUrl, place });
};

export const PASSWORD = "correct horse battery";

/** A shell whose database has these users. Creating them in this process takes a hundredth of the time of commands. */
export const aShellWithUsers = async (...users: Omit<NewUser, "password">[]) => {
  const qsolog = aShell();
  const databaseUrl = ENGINE === "sqlite" ? await anEmptyDatabase(qsolog.dataDir) : await qsolog.databaseUrl();
  const world = { ...(await testWorld({ databaseUrl })), clock: Date.now };
  for (const user of users) await createUser(world, OPERATOR, { ...user, password: PASSWORD });
  await world.db.close();
  return qsolog;
};
