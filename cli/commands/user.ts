import type { Command } from "commander";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import { assertUser, normaliseUsername, type NewUser } from "../../src/domain/people/user.ts";
import type { PasswordLink } from "../../src/people/password-links.ts";
import { formatUtc } from "../../src/kernel/time-text.ts";
import type { UsersAsked } from "../../src/people/listing.ts";
import type { World } from "../../src/world.ts";
import type { Flags, Shell } from "../shell.ts";
import { formatTable, shrinking } from "../table.ts";

export type NewUserFlags = Flags & { callsign?: string; email?: string; passwordStdin?: boolean };

export const register = (program: Command, shell: Shell): void => {
  const user = program.command("user");

  shell
    .command(user, "create <name>", "create a user", ["qsolog user create bob --callsign YU1ABC"])
    .option("--callsign <call>", "the user's callsign")
    .option("--email <address>", "the user's email address")
    .option("--password-stdin", "read the password from standard input")
    .action((username: string, flags: NewUserFlags) => create(shell, username, flags));
  shell
    .command(
      user,
      "invite <name>",
      "create a user who sets the password with a link that works once and expires in an hour",
      ["qsolog user invite bob --callsign YU1ABC"],
    )
    .option("--callsign <call>", "the user's callsign")
    .option("--email <address>", "the user's email address")
    .action((username: string, flags: NewUserFlags) => invite(shell, username, flags));
  shell
    .command(user, "reset <username>", "create a link to set the password; it works once and expires in an hour", [
      "qsolog user reset bob",
    ])
    .action((username: string, flags: Flags) => reset(shell, username, flags));
  shell
    .command(user, "reset-factor <username>", "remove the second factor of a user who lost it", [
      "qsolog user reset-factor bob",
    ])
    .action((username: string, flags: Flags) => resetFactor(shell, username, flags));
  shell
    .command(user, "list", "list the users", ["qsolog user list", "qsolog user list --q yu1"])
    .option("--q <text>", "only users whose username, callsign or email contains this")
    .action((flags: Flags & { q?: string }) => listUsers(shell, flags, { q: flags.q }));
  shell
    .command(user, "password <username>", "set a user's password, end all sessions and revoke all tokens", [
      "qsolog user password bob",
    ])
    .option("--password-stdin", "read the password from standard input")
    .action((username: string, flags: NewUserFlags) => setPassword(shell, username, flags));
  shell
    .command(user, "delete <username>", "delete a user and their log", ["qsolog user delete bob"])
    .option("--yes", "skip the confirmation")
    .action((username: string, flags: Flags) => remove(shell, username, flags));
};

export const readNewUser = async (shell: Shell, username: string, flags: NewUserFlags): Promise<NewUser> => {
  const { callsign, email } = flags;
  assertUser({ username, callsign, email });
  const prompt = `Password for ${normaliseUsername(username)}`;
  const password = await shell.readNewPassword(flags, prompt, (password) => assertUser({ password }));
  const user = { username, password, callsign, email };
  assertUser(user);
  return user;
};

const create = async (shell: Shell, username: string, flags: NewUserFlags): Promise<void> => {
  const newUser = await readNewUser(shell, username, flags);
  const user = await shell.withWorld(flags, { writes: true, creates: true }, async (world) => {
    const { createUser } = await import("../../src/people/users.ts");
    return createUser(world, OPERATOR, newUser);
  });
  shell.answer({ user }, () => `Created ${user.username}.`);
};

const invite = async (shell: Shell, username: string, flags: NewUserFlags): Promise<void> => {
  const { callsign, email } = flags;
  assertUser({ username, callsign, email });
  await withLink(shell, flags, true, async (world) => {
    const { inviteUser } = await import("../../src/people/password-links.ts");
    return inviteUser(world, OPERATOR, { username, callsign, email });
  });
};

const reset = (shell: Shell, username: string, flags: Flags): Promise<void> =>
  withLink(shell, flags, false, async (world) => {
    const { makePasswordLink } = await import("../../src/people/password-links.ts");
    return makePasswordLink(world, OPERATOR, username);
  });

const resetFactor = async (shell: Shell, username: string, flags: Flags): Promise<void> => {
  const user = await shell.withWorld(flags, { writes: true }, async (world) => {
    const { resetFactors } = await import("../../src/people/factors.ts");
    return resetFactors(world, OPERATOR, username);
  });
  shell.answer({ user }, () => `Removed the second factor of ${user.username}. The password alone signs in now.`);
};

const withLink = async (
  shell: Shell,
  flags: Flags,
  creates: boolean,
  make: (world: World) => Promise<PasswordLink>,
): Promise<void> => {
  const { link, address } = await shell.withWorld(flags, { writes: true, creates }, async (world) => {
    const { linkPath } = await import("../../src/people/password-links.ts");
    const made = await make(world);
    const { baseUrl, host, port } = world.config;
    return { link: made, address: (baseUrl ?? `http://${host}:${port}`) + linkPath(made) };
  });
  const { user, expiresAt, mailedTo } = link;
  shell.answer({ user, link: address, expiresAt, ...(mailedTo && { mailedTo }) }, () => address);
  const sent = mailedTo ? `qsolog mailed this link to ${mailedTo}.` : `Send this link to ${user.username}.`;
  shell.terminal.err(`${sent} It works once, until ${formatUtc(expiresAt)} UTC.`);
};

export const listUsers = async (shell: Shell, flags: Flags, wanted: Pick<UsersAsked, "q" | "role">): Promise<void> => {
  const found = await shell.withWorld(flags, { writes: false }, async (world) => {
    const { listEveryUser } = await import("../../src/people/listing.ts");
    return listEveryUser(world, wanted);
  });
  shell.answer(found, () => {
    if (found.users.length === 0) return "No users yet. Create one: qsolog user create NAME";
    const rows = found.users.map(({ username, callsign, role, lastSeen, createdAt }) => [
      username,
      callsign,
      role,
      formatUtc(lastSeen),
      formatUtc(createdAt),
    ]);
    const columns = [shrinking("USERNAME"), "CALLSIGN", "ROLE", "LAST SEEN (UTC)", "CREATED (UTC)"];
    return formatTable(columns, rows, shell.terminal.width);
  });
};

const setPassword = async (shell: Shell, username: string, flags: NewUserFlags): Promise<void> => {
  const prompt = `New password for ${normaliseUsername(username)}`;
  const password = await shell.readNewPassword(flags, prompt, (password) => assertUser({ password }));
  const user = await shell.withWorld(flags, { writes: true }, async (world) => {
    const { resetPassword } = await import("../../src/people/users.ts");
    return resetPassword(world, OPERATOR, username, password);
  });
  shell.answer({ user }, () => `Set the password of ${user.username}, ended all sessions and revoked all tokens.`);
};

const remove = async (shell: Shell, username: string, flags: Flags): Promise<void> => {
  const name = normaliseUsername(username);
  const user = await shell.withWorld(flags, { writes: true }, async (world) => {
    const { deleteUser } = await import("../../src/people/users.ts");
    const { getUserByName } = await import("../../src/people/get-user.ts");
    await getUserByName(world, name);
    await shell.confirm(flags, `This deletes ${name} and their log. Type the username to continue: `, name);
    return deleteUser(world, OPERATOR, name);
  });
  shell.answer({ user }, () => `Deleted ${user.username}.`);
};
