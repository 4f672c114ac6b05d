import { AppError } from "../src/kernel/errors.ts";
import type { User } from "../src/domain/people/user.ts";
import type { World } from "../src/world.ts";
import type { Logbook } from "../src/logbook/contract.ts";
import type { ServerAccess } from "./client/server-link.ts";
import type { Flags, Shell } from "./shell.ts";
import { whichServer } from "./server-option.ts";
import { whose } from "./user-option.ts";

type LogFlags = Flags & { user?: string };

interface Opening {
  /** Says on stderr which log is meant, and makes one where there is none here. */
  writes: boolean;
  /** The job it is about: on this machine the operator may look at anybody's. */
  ofJob?: number;
}

/** Opens the log that is meant, here or on a server, asks it, and closes it. */
export const inLog = async <T>(
  shell: Shell,
  flags: LogFlags,
  opening: Opening,
  work: (log: Logbook) => Promise<T>,
): Promise<T> => {
  const access = await whichServer(shell, flags);
  if (access) return onServer(shell, flags, access, opening, work);
  return shell.inWorld(flags, opening, async (world) => {
    const user = opening.ofJob === undefined ? await whose(shell, flags, world) : await ownerOf(opening.ofJob, world);
    const { localClient } = await import("./client/local-client.ts");
    const log = localClient(world, user, shell.showReading);
    try {
      return await work(log);
    } finally {
      shell.progress.clear();
      await log.stop();
    }
  });
};

const ownerOf = async (jobId: number, world: Pick<World, "db">): Promise<User> => {
  const [{ ownerOfJob }, { userById }] = await Promise.all([
    import("../src/logbook/jobs.ts"),
    import("../src/people/listing.ts"),
  ]);
  return userById(world, await ownerOfJob(world, jobId));
};

export const onServer = async <T>(
  shell: Shell,
  flags: LogFlags,
  access: ServerAccess,
  { writes }: Pick<Opening, "writes">,
  work: (log: Logbook) => Promise<T>,
): Promise<T> => {
  const [{ remoteClient }, { linkTo }] = await Promise.all([
    import("./client/remote-client.ts"),
    import("./client/server-link.ts"),
  ]);
  const log = remoteClient(linkTo(access));
  await assertOwn(shell, flags, access, log);
  if (writes) shell.terminal.err(`server: ${access.server}`);
  try {
    return await work(log);
  } finally {
    await log.stop();
  }
};

/** On a server a token speaks for its own user and nobody else. */
const assertOwn = async (shell: Shell, { user }: LogFlags, { server }: ServerAccess, log: Logbook): Promise<void> => {
  const name = user ?? shell.env.QSOLOG_USER;
  if (!name) return;
  const { username } = await log.account();
  if (username === name.trim().toLowerCase()) return;
  const said = user === undefined ? "QSOLOG_USER names" : "--user names";
  throw new AppError("forbidden", `${said} ${name}, but the token for ${server} belongs to ${username}.`);
};
