import type { Command } from "commander";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import type { Flags, Shell } from "../shell.ts";
import { listUsers, readNewUser, type NewUserFlags } from "./user.ts";

const REFUSED = 3;

export const register = (program: Command, shell: Shell): void => {
  const admin = program.command("admin");

  shell
    .command(admin, "create <name>", "create an administrator", [
      "qsolog admin create ann --callsign W1ABC",
      "qsolog admin create ann --password-stdin < password.txt",
    ])
    .option("--callsign <call>", "the user's callsign")
    .option("--email <address>", "the user's email address")
    .option("--password-stdin", "read the password from standard input")
    .action((username: string, flags: NewUserFlags) => create(shell, username, flags));
  shell
    .command(admin, "promote <username>", "make a user an administrator", ["qsolog admin promote bob"])
    .action((username: string, flags: Flags) => promote(shell, username, flags));
  shell
    .command(admin, "demote <username>", "remove the administrator role", ["qsolog admin demote bob"])
    .action((username: string, flags: Flags) => demote(shell, username, flags));
  shell
    .command(admin, "list", "list the administrators", ["qsolog admin list"])
    .action((flags: Flags) => listUsers(shell, flags, { role: "admin" }));
  shell
    .command(admin, "check <username>", "exit 0 for an administrator, 3 for another user, 5 for nobody", [
      "qsolog admin check ann && echo yes",
    ])
    .action((username: string, flags: Flags) => check(shell, username, flags));
};

const create = async (shell: Shell, username: string, flags: NewUserFlags): Promise<void> => {
  const newUser = await readNewUser(shell, username, flags);
  const user = await shell.withWorld(flags, { writes: true, creates: true }, async (world) => {
    const { createUser } = await import("../../src/people/users.ts");
    return createUser(world, OPERATOR, { ...newUser, role: "admin" });
  });
  shell.answer({ user }, () => `Created ${user.username} as an administrator.`);
};

const promote = async (shell: Shell, username: string, flags: Flags): Promise<void> => {
  const user = await shell.withWorld(flags, { writes: true }, async (world) => {
    const roles = await import("../../src/people/roles.ts");
    return roles.promote(world, OPERATOR, username);
  });
  shell.answer({ user }, () => `${user.username} is now an administrator.`);
};

const demote = async (shell: Shell, username: string, flags: Flags): Promise<void> => {
  const user = await shell.withWorld(flags, { writes: true }, async (world) => {
    const roles = await import("../../src/people/roles.ts");
    return roles.demote(world, OPERATOR, username);
  });
  shell.answer({ user }, () => `${user.username} is no longer an administrator.`);
};

const check = async (shell: Shell, username: string, flags: Flags): Promise<void> => {
  const user = await shell.withWorld(flags, { writes: false }, async (world) => {
    const { getUserByName } = await import("../../src/people/get-user.ts");
    return getUserByName(world, username);
  });
  if (!user.isAdmin) shell.exitCode = REFUSED;
  const { username: name, isAdmin } = user;
  shell.answer({ username: name, isAdmin }, () => `${name} is ${isAdmin ? "an" : "not an"} administrator.`);
};
