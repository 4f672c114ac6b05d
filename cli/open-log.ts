import { AppError } from "../src/kernel/errors.ts";
import type { User } from "../src/domain/people/user.ts";
import type { World } from "../src/world.ts";
import type { Logbook } from "./client/logbook.ts";
import type { ServerAccess } from "./client/server-link.ts";
import type { Flags, Opening, Shell } from "./shell.ts";
import { chooseServer } from "./server-option.ts";

interface LogOpening extends Opening {
  /** The job it is about. On this machine, without --user, the operator can use any user's job. */
  ofJob?: number;
}

/** Opens the log, local or on a server, for one piece of work and closes it. */
export const withLog = async <T>(
  shell: Shell,
  flags: Flags,
  opening: LogOpening,
  work: (log: Logbook) => Promise<T>,
): Promise<T> => {
  const access = await chooseServer(shell, flags);
  if (access) return withServerLog(shell, flags, access, opening, work);
  const { ofJob } = opening;
  return shell.withWorld(flags, opening, async (world) => {
    const isAnyUsers = ofJob !== undefined && flags.user === undefined;
    const user = isAnyUsers ? await findOwner(ofJob, world) : await resolveUser(shell, flags, world);
    const { localClient } = await import("./client/local-client.ts");
    const log = localClient(world, user, opening.isScreen ? undefined : shell.showReading);
    try {
      return await work(log);
    } finally {
      await log.stop();
    }
  });
};

const findOwner = async (jobId: number, world: Pick<World, "db">): Promise<User> => {
  const [{ getOwnerOfJob }, { getUserById }] = await Promise.all([
    import("../src/logbook/jobs.ts"),
    import("../src/people/get-user.ts"),
  ]);
  return getUserById(world, await getOwnerOfJob(world, jobId));
};

const withServerLog = async <T>(
  shell: Shell,
  flags: Flags,
  access: ServerAccess,
  { writes }: Pick<Opening, "writes">,
  work: (log: Logbook) => Promise<T>,
): Promise<T> => {
  const [{ remoteClient }, { linkTo }] = await Promise.all([
    import("./client/remote-client.ts"),
    import("./client/server-link.ts"),
  ]);
  shell.server = access.server;
  const log = remoteClient(linkTo(access));
  await assertOwn(shell, flags, access, log);
  if (writes && !flags.dryRun) shell.place = `server: ${access.server}`;
  try {
    const done = await work(log);
    shell.showPlace();
    return done;
  } finally {
    shell.place = null;
    await log.stop();
  }
};

/** A token belongs to one user, so --user cannot name another. */
const assertOwn = async (shell: Shell, { user }: Flags, { server }: ServerAccess, log: Logbook): Promise<void> => {
  const name = user ?? shell.env.QSOLOG_USER;
  if (!name) return;
  const { username } = (await log.account()).user;
  if (username === name.trim().toLowerCase()) return;
  const said = user === undefined ? "QSOLOG_USER names" : "--user names";
  throw new AppError("forbidden", `${said} ${name}, but the token for ${server} belongs to ${username}.`);
};

/** The user whose log a command uses: --user, QSOLOG_USER, or the only user. */
export const resolveUser = async (shell: Shell, flags: Flags, world: Pick<World, "db">): Promise<User> => {
  const people = await import("../src/people/get-user.ts");
  const name = flags.user ?? shell.env.QSOLOG_USER;
  return name ? people.getUserByName(world, name) : people.getOnlyUser(world);
};
