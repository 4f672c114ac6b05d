import type { Command } from "commander";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import { canonicalUsername, type NewUser } from "../../src/domain/people/user.ts";
import type { PasswordLink } from "../../src/people/password-links.ts";
import { utc } from "../../src/kernel/time-text.ts";
import type { UsersAsked } from "../../src/people/listing.ts";
import type { World } from "../../src/world.ts";
import type { Flags, Shell } from "../shell.ts";
import { table } from "../table.ts";

export type NewUserFlags = Flags & { callsign?: string; email?: string; passwordStdin?: boolean };

export const register = (program: Command, shell: Shell): void => {
  const user = program.command("user").description("create, invite, list and delete users, set passwords");

  shell
    .command(user, "create <name>", "create a user", { examples: ["qsolog user create bob --callsign YU1ABC"] })
    .option("--callsign <call>", "the user's callsign")
    .option("--email <address>", "the user's e-mail address")
    .option("--password-stdin", "read the password from standard input")
    .action((username: string, flags: NewUserFlags) => create(shell, username, flags));
  shell
    .command(user, "invite <name>", "create a user who sets the password by a link, once and within an hour", {
      examples: ["qsolog user invite bob --callsign YU1ABC"],
    })
    .option("--callsign <call>", "the user's callsign")
    .option("--email <address>", "the user's e-mail address")
    .action((username: string, flags: NewUserFlags) => invite(shell, username, flags));
  shell
    .command(user, "reset <username>", "make a link that sets the user's password, once and within an hour", {
      examples: ["qsolog user reset bob"],
    })
    .action((username: string, flags: Flags) => reset(shell, username, flags));
  shell
    .command(user, "reset-factor <username>", "take away the second factor of a user who lost it", {
      examples: ["qsolog user reset-factor bob"],
    })
    .action((username: string, flags: Flags) => resetFactor(shell, username, flags));
  shell
    .command(user, "list", "list the users", { examples: ["qsolog user list", "qsolog user list --q yu1"] })
    .option("--q <text>", "only those with this in the username, callsign or e-mail address")
    .action((flags: Flags & { q?: string }) => listUsers(shell, flags, { q: flags.q }));
  shell
    .command(user, "password <username>", "set a user's password, end the sessions and revoke the tokens", {
      examples: ["qsolog user password bob"],
    })
    .option("--password-stdin", "read the password from standard input")
    .action((username: string, flags: NewUserFlags) => setPassword(shell, username, flags));
  shell
    .command(user, "delete <username>", "delete a user with the whole log", { examples: ["qsolog user delete bob"] })
    .option("--yes", "do not ask")
    .action((username: string, flags: Flags) => remove(shell, username, flags));
};

export const readNewUser = async (shell: Shell, username: string, flags: NewUserFlags): Promise<NewUser> => {
  const { callsign, email } = flags;
  const password = await shell.secret(flags, `Password for ${canonicalUsername(username)}`);
  return { username, password, callsign, email };
};

const create = async (shell: Shell, username: string, flags: NewUserFlags): Promise<void> => {
  const newUser = await readNewUser(shell, username, flags);
  const user = await shell.inWorld(flags, { writes: true }, async (world) => {
    const { createUser } = await import("../../src/people/users.ts");
    return createUser(world, OPERATOR, newUser);
  });
  shell.answer({ user }, () => `${user.username} is created.`);
};

const invite = async (shell: Shell, username: string, flags: NewUserFlags): Promise<void> => {
  const { callsign, email } = flags;
  await withLink(shell, flags, async (world) => {
    const { inviteUser } = await import("../../src/people/password-links.ts");
    return inviteUser(world, OPERATOR, { username, callsign, email });
  });
};

const reset = (shell: Shell, username: string, flags: Flags): Promise<void> =>
  withLink(shell, flags, async (world) => {
    const { makePasswordLink } = await import("../../src/people/password-links.ts");
    return makePasswordLink(world, OPERATOR, username);
  });

const resetFactor = async (shell: Shell, username: string, flags: Flags): Promise<void> => {
  const user = await shell.inWorld(flags, { writes: true }, async (world) => {
    const { resetFactors } = await import("../../src/people/factors.ts");
    return resetFactors(world, OPERATOR, username);
  });
  shell.answer({ user }, () => `${user.username} has no second factor any more: the password alone signs in.`);
};

const withLink = async (shell: Shell, flags: Flags, make: (world: World) => Promise<PasswordLink>): Promise<void> => {
  const { link, address } = await shell.inWorld(flags, { writes: true }, async (world) => {
    const { linkPath } = await import("../../src/people/password-links.ts");
    const made = await make(world);
    const { baseUrl, host, port } = world.config;
    return { link: made, address: (baseUrl ?? `http://${host}:${port}`) + linkPath(made) };
  });
  const { user, expiresAt } = link;
  shell.answer({ user, link: address, expiresAt }, () => address);
  shell.terminal.err(`Hand it to ${user.username}: it sets the password once, until ${utc(expiresAt)} UTC.`);
};

export const listUsers = async (shell: Shell, flags: Flags, wanted: Pick<UsersAsked, "q" | "role">): Promise<void> => {
  const found = await shell.inWorld(flags, { writes: false }, async (world) => {
    const { everyUser } = await import("../../src/people/listing.ts");
    return everyUser(world, wanted);
  });
  shell.answer(found, () => {
    if (found.users.length === 0) return "There are none.";
    const rows = found.users.map(({ username, callsign, role, lastSeen, createdAt }) => [
      username,
      callsign ?? "",
      role,
      utc(lastSeen),
      utc(createdAt),
    ]);
    const titles = ["USERNAME", "CALLSIGN", "ROLE", "LAST SEEN (UTC)", "CREATED (UTC)"];
    const columns = titles.map((title) => ({ title, shrinks: title === "USERNAME" }));
    return table(columns, rows, shell.terminal.width);
  });
};

const setPassword = async (shell: Shell, username: string, flags: NewUserFlags): Promise<void> => {
  const password = await shell.secret(flags, `New password for ${canonicalUsername(username)}`);
  const user = await shell.inWorld(flags, { writes: true }, async (world) => {
    const { resetPassword } = await import("../../src/people/users.ts");
    return resetPassword(world, OPERATOR, username, password);
  });
  shell.answer(
    { user },
    () => `The password of ${user.username} is set; all sessions are ended and all tokens revoked.`,
  );
};

const remove = async (shell: Shell, username: string, flags: Flags): Promise<void> => {
  const name = canonicalUsername(username);
  const user = await shell.inWorld(flags, { writes: true }, async (world) => {
    const { deleteUser } = await import("../../src/people/users.ts");
    const { userNamed } = await import("../../src/people/listing.ts");
    await userNamed(world, name);
    await shell.confirm(flags, `This deletes ${name} with the whole log. Type the username to go on: `, name);
    return deleteUser(world, OPERATOR, name);
  });
  shell.answer({ user }, () => `${user.username} is deleted.`);
};
