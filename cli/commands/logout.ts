import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import { forgetLogin, readLogins, type Login } from "../client/logins.ts";
import { endLogin } from "../client/logout.ts";
import { serverAddress } from "../client/server-address.ts";
import type { Shell } from "../shell.ts";

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(
      program,
      "logout [url]",
      "sign out of a server: revoke the stored token and delete it",
      ["qsolog logout", "qsolog logout https://log.example.org"],
      { settings: "none" },
    )
    .action((url: string | undefined) => logout(shell, url));
};

const FAILED = 1;

/** Forgets the token locally whatever the server answers. */
const logout = async (shell: Shell, url: string | undefined): Promise<void> => {
  const login = findLogin(readLogins(shell.env), url);
  const { server, username, tokenId } = login;
  const reason = await endLogin(login);
  forgetLogin(shell.env, server);
  if (reason !== null) {
    shell.terminal.err(`Deleted the token here, but could not revoke it: ${reason} Revoke it at ${server}/settings.`);
    if (tokenId !== null) shell.exitCode = FAILED;
  }
  shell.answer({ server, username, revoked: reason === null }, () => `Signed out of ${server}.`);
};

const findLogin = (logins: readonly Login[], url: string | undefined): Login => {
  const server = url === undefined ? null : serverAddress(url);
  const found = server === null ? logins : logins.filter((login) => login.server === server);
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    const servers = found.map((login) => login.server).join(", ");
    throw new AppError("invalid", `You are signed in to several servers. Choose one: ${servers}.`);
  }
  throw new AppError(
    "not_found",
    server === null ? "You are not signed in to any server." : `You are not signed in to ${server}.`,
  );
};
