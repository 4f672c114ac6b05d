import { hostname } from "node:os";
import type { Command } from "commander";
import { hashOfToken } from "../../src/auth/api-tokens.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { keepLogin, loginsFile, readLogins, type Login } from "../client/logins.ts";
import { endLogin } from "../client/logout.ts";
import { serverAddress } from "../client/server-address.ts";
import { linkTo, type ServerLink } from "../client/server-link.ts";
import { parseWord } from "../parse.ts";
import { randomBytes, type Flags, type Shell } from "../shell.ts";

type LoginFlags = Flags & {
  scope: string;
  passwordStdin?: boolean;
  tokenStdin?: boolean;
  browser?: boolean;
};

const SCOPES = ["read", "write"];
const MAX_NAME_LENGTH = 100;

const HELP = `
qsolog creates an API token named after this machine and stores it in a file
that only you can read. qsolog logout revokes it.

If you sign in there with single sign-on and have no password, use --browser,
or create an API token on the settings page there and use --token-stdin.

Which log a command uses:
  --server URL, QSOLOG_SERVER   that server, with its stored token or QSOLOG_TOKEN
  --data-dir, --database-url    the log on this machine
  none of these                 the log on this machine; if there is none, the
                                server you are signed in to`;

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(
      program,
      "login <url>",
      null,
      ["qsolog login https://log.example.org", "qsolog login https://log.example.org --scope read --user ann"],
      { settings: "none" },
    )
    .option("--user <username>", "your username; default: QSOLOG_USER, else qsolog asks")
    .option("--scope <read|write>", "scope of the token: read or write", "write")
    .option("--password-stdin", "read the password from standard input")
    .option("--token-stdin", "use an existing API token from standard input")
    .option("--browser", "sign in on the server's web page (also with a passkey), then enter the code it shows")
    .option("--insecure", "allow sending the password and token over plain http")
    .addHelpText("after", HELP)
    .action((url: string, flags: LoginFlags) => login(shell, url, flags));
};

const login = async (shell: Shell, url: string, flags: LoginFlags): Promise<void> => {
  const server = serverAddress(url);
  const { insecure = false } = flags;
  const scope = parseWord("--scope", flags.scope, SCOPES);
  const before = readLogins(shell.env).find((known) => known.server === server);
  const open = (token: string | null) => linkTo({ server, token, insecure });
  const anonymous = open(null);
  const brought = await readToken(shell, flags);
  const made =
    brought === null
      ? await (flags.browser
          ? signInByBrowser(shell, anonymous, scope)
          : makeToken(shell, anonymous, open, { ...flags, scope }))
      : { username: await getUsername(open(brought)), token: brought, tokenId: null };
  const kept = { server, ...made, insecure };
  try {
    keepLogin(shell.env, kept);
  } catch (error) {
    await endLogin(kept);
    throw error;
  }
  if (before && before.token !== made.token) await endLogin(before);
  const { username } = made;
  const file = loginsFile(shell.env);
  shell.answer(
    { server, username, file },
    () => `Signed in to ${server} as ${username}. The token is stored in ${file}.`,
  );
};

const readToken = async (shell: Shell, { tokenStdin, passwordStdin }: LoginFlags): Promise<string | null> => {
  if (tokenStdin && passwordStdin) throw new AppError("invalid", "Use either --token-stdin or --password-stdin.");
  if (tokenStdin) return (await shell.terminal.readAll()).trim();
  return passwordStdin ? null : shell.env.QSOLOG_TOKEN?.trim() || null;
};

type Made = Pick<Login, "username" | "token" | "tokenId">;

interface SignedIn {
  token: string;
  user: { username: string };
}

/** The server's request for a second factor. */
interface Question {
  challenge: string;
  factors: readonly string[];
}

const CODES_ASKED = 3;

const VERIFIER_BYTES = 32;

/** The code is useless without a secret that only this terminal knows. */
const signInByBrowser = async ({ terminal }: Shell, anonymous: ServerLink, scope: string): Promise<Made> => {
  if (!terminal.isInteractive) throw new AppError("invalid", "--browser needs a terminal.");
  const verifier = Buffer.from(randomBytes(VERIFIER_BYTES)).toString("base64url");
  const order = new URLSearchParams({ terminal: hashOfToken(verifier), name: buildTokenName(), scope });
  terminal.err(`Open this address in a browser and sign in:\n${anonymous.server}/login/terminal?${order}`);
  const code = await terminal.askSecret("Code shown on the page: ");
  const body = { code, verifier };
  const asked = await anonymous.ask<SignedIn & { id: number }>("POST", "/api/auth/terminal", { body, has: "token" });
  return { username: asked.user.username, token: asked.token, tokenId: asked.id };
};

const buildTokenName = (): string => `qsolog on ${hostname()}`.slice(0, MAX_NAME_LENGTH);

/** Starts a session just long enough to create a token, which can be named and revoked. */
const makeToken = async (
  shell: Shell,
  anonymous: ServerLink,
  open: (token: string) => ServerLink,
  flags: LoginFlags,
): Promise<Made> => {
  const credentials = await readCredentials(shell, anonymous.server, flags);
  const asked = { body: credentials, has: "expiresAt" };
  const entry = await anonymous.ask<SignedIn | Question>("POST", "/api/auth/login", asked);
  const { token: session, user } = "token" in entry ? entry : await sendCode(shell, anonymous, entry);
  const signedIn = open(session);
  try {
    const order = { name: buildTokenName(), scope: flags.scope };
    const { id, token } = await signedIn.ask<{ id: number; token: string }>("POST", "/api/me/tokens", {
      body: order,
      has: "token",
    });
    return { username: user.username, token, tokenId: id };
  } finally {
    await signedIn.ask("POST", "/api/auth/logout").catch(() => {});
  }
};

/** Completes a sign-in with a typed code. */
const sendCode = async ({ terminal }: Shell, anonymous: ServerLink, question: Question): Promise<SignedIn> => {
  const { challenge, factors } = question;
  const canType = factors.includes("code") || factors.includes("recovery");
  if (!canType) {
    throw new AppError("unauthenticated", `Passkeys are the only second factor of this account. Use --browser.`);
  }
  if (!terminal.isInteractive) {
    throw new AppError(
      "invalid",
      `The account has a second factor. Run this in a terminal, or use --token-stdin with a token from the settings page.`,
    );
  }
  const words = factors.includes("code") ? "Code from your authenticator app, or a recovery code" : "Recovery code";
  for (let asked = 1; ; asked++) {
    const body = { challenge, code: await terminal.askSecret(`${words}: `) };
    try {
      return await anonymous.ask<SignedIn>("POST", "/api/auth/factor", { body, has: "token" });
    } catch (error) {
      if (!isWrongCode(error) || asked === CODES_ASKED) throw error;
      terminal.err(error.message);
    }
  }
};

const isWrongCode = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === "unauthenticated" && error.rule === undefined;

const readCredentials = async (
  shell: Shell,
  server: string,
  flags: LoginFlags,
): Promise<{ username: string; password: string }> => {
  const { terminal, env } = shell;
  const named = flags.user ?? env.QSOLOG_USER;
  if (!named && !terminal.isInteractive) throw new AppError("invalid", "No username given. Use --user or QSOLOG_USER.");
  const username = named || (await terminal.ask(`Username at ${server}: `));
  const ways = "--password-stdin, --token-stdin, QSOLOG_PASSWORD or QSOLOG_TOKEN";
  const missing = `No password or token given. Use ${ways}`;
  const password = await shell.readSecret(`Password of ${username}`, flags.passwordStdin, missing);
  return { username, password };
};

const getUsername = async (link: ServerLink): Promise<string> => {
  const { user } = await link.ask<{ user: { username: string } }>("GET", "/api/me", { has: "user" });
  return user.username;
};
