import { hostname } from "node:os";
import type { Command } from "commander";
import { hashOfToken } from "../../src/auth/api-tokens.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { keepLogin, loginsFile, readLogins, type Login } from "../client/logins.ts";
import { endLogin } from "../client/logout.ts";
import { serverAddress } from "../client/server-address.ts";
import { linkTo, type ServerLink } from "../client/server-link.ts";
import { randomBytes, type Flags, type Shell } from "../shell.ts";

type LoginFlags = Flags & {
  user?: string;
  scope: string;
  passwordStdin?: boolean;
  tokenStdin?: boolean;
  insecure?: boolean;
  browser?: boolean;
};

const SCOPES = ["read", "write"];
const LONGEST_NAME = 100;

const HELP = `
It keeps an API token, named after this machine, in a file that only you can
read. qsolog logout revokes it.

If you sign in there by a provider or a proxy and have no password, use
--browser; or make an API token in the settings there, and use --token-stdin.

Which log a command uses:
  --server URL, QSOLOG_SERVER   that server, with its kept token or QSOLOG_TOKEN
  --data-dir, --database-url    the log on this machine
  none of these                 the log on this machine; if there is none, the
                                server you are signed in to`;

export const register = (program: Command, shell: Shell): void => {
  const command = program
    .command("login <url>")
    .description("sign in to a server, so that commands can ask it")
    .option("--json", "answer as JSON")
    .option("--user <username>", "your username; else QSOLOG_USER, else it is asked for")
    .option("--scope <read|write>", "what the token may do: read or write", "write")
    .option("--password-stdin", "read the password from standard input")
    .option("--token-stdin", "use an API token from standard input, and make none")
    .option("--browser", "sign in on a page of the server, with a passkey too, and type the code that it shows")
    .option("--insecure", "send the password and the token to an http address too")
    .addHelpText("after", HELP)
    .action((url: string, flags: LoginFlags) => login(shell, url, flags));
  shell.forms.set(command, {
    examples: ["qsolog login https://log.example.org", "qsolog login https://log.example.org --scope read --user ann"],
  });
};

const login = async (shell: Shell, url: string, flags: LoginFlags): Promise<void> => {
  const server = serverAddress(url);
  const { insecure = false, scope } = flags;
  if (!SCOPES.includes(scope)) throw new AppError("invalid", `--scope is ${SCOPES.join(" or ")}.`);
  const before = readLogins(shell.env).find((known) => known.server === server);
  const open = (token: string | null) => linkTo({ server, token, insecure });
  const anonymous = open(null);
  const brought = await readToken(shell, flags);
  const made =
    brought === null
      ? await (flags.browser ? byBrowser(shell, anonymous, flags) : makeToken(shell, anonymous, open, flags))
      : { username: await usernameOf(open(brought)), token: brought, tokenId: null };
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
  shell.answer({ server, username, file }, () => `Signed in to ${server} as ${username}. The token is in ${file}.`);
};

const readToken = async (shell: Shell, { tokenStdin, passwordStdin }: LoginFlags): Promise<string | null> => {
  if (tokenStdin && passwordStdin) throw new AppError("invalid", "Use --token-stdin or --password-stdin, not both.");
  if (tokenStdin) return (await shell.terminal.readAll()).trim();
  return passwordStdin ? null : shell.env.QSOLOG_TOKEN?.trim() || null;
};

type Made = Pick<Login, "username" | "token" | "tokenId">;

interface SignedIn {
  token: string;
  user: { username: string };
}

/** What the server asks of who has a second factor. */
interface Question {
  challenge: string;
  factors: readonly string[];
}

const CODES_ASKED = 3;

const VERIFIER_BYTES = 32;

/** What only this terminal knows makes the code worthless to whoever else reads it. */
const byBrowser = async ({ terminal }: Shell, anonymous: ServerLink, { scope }: LoginFlags): Promise<Made> => {
  if (!terminal.isInteractive) throw new AppError("invalid", "--browser needs a terminal.");
  const verifier = Buffer.from(randomBytes(VERIFIER_BYTES)).toString("base64url");
  const order = new URLSearchParams({ terminal: hashOfToken(verifier), name: tokenName(), scope });
  terminal.err(`Open this address in a browser, and sign in there:\n${anonymous.server}/login/terminal?${order}`);
  const code = await terminal.askSecret("Code that the page shows: ");
  const body = { code, verifier };
  const asked = await anonymous.ask<SignedIn & { id: number }>("POST", "/api/auth/terminal", { body, has: "token" });
  return { username: asked.user.username, token: asked.token, tokenId: asked.id };
};

const tokenName = (): string => `qsolog on ${hostname()}`.slice(0, LONGEST_NAME);

/** A session for as long as it takes to make a token that can be told apart and revoked by itself. */
const makeToken = async (
  shell: Shell,
  anonymous: ServerLink,
  open: (token: string) => ServerLink,
  flags: LoginFlags,
): Promise<Made> => {
  const credentials = await readCredentials(shell, anonymous.server, flags);
  const asked = { body: credentials, has: "expiresAt" };
  const entry = await anonymous.ask<SignedIn | Question>("POST", "/api/auth/login", asked);
  const { token: session, user } = "token" in entry ? entry : await giveCode(shell, anonymous, entry);
  const signedIn = open(session);
  try {
    const order = { name: tokenName(), scope: flags.scope };
    const { id, token } = await signedIn.ask<{ id: number; token: string }>("POST", "/api/me/tokens", {
      body: order,
      has: "token",
    });
    return { username: user.username, token, tokenId: id };
  } finally {
    await signedIn.ask("POST", "/api/auth/logout").catch(() => {});
  }
};

/** The second step of the sign-in, for whom a code can be typed. */
const giveCode = async ({ terminal }: Shell, anonymous: ServerLink, question: Question): Promise<SignedIn> => {
  const { challenge, factors } = question;
  const canType = factors.includes("code") || factors.includes("recovery");
  if (!canType) {
    throw new AppError("unauthenticated", `Passkeys are the only second factor there: use --browser.`);
  }
  if (!terminal.isInteractive) {
    throw new AppError(
      "invalid",
      `The account has a second factor: run in a terminal, or use --token-stdin with a token made in the settings.`,
    );
  }
  const words = factors.includes("code") ? "Code of your authenticator app, or a recovery code" : "Recovery code";
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
  { terminal, env }: Shell,
  server: string,
  flags: LoginFlags,
): Promise<{ username: string; password: string }> => {
  const { isInteractive } = terminal;
  const named = flags.user ?? env.QSOLOG_USER;
  if (!named && !isInteractive) throw new AppError("invalid", "No username: use --user or QSOLOG_USER.");
  const username = named || (await terminal.ask(`Username at ${server}: `));
  if (flags.passwordStdin) return { username, password: (await terminal.readAll()).replace(/\r?\n$/, "") };
  if (env.QSOLOG_PASSWORD) return { username, password: env.QSOLOG_PASSWORD };
  if (!isInteractive) {
    const ways = "--password-stdin, --token-stdin, QSOLOG_PASSWORD or QSOLOG_TOKEN";
    throw new AppError("invalid", `No password and no token: use ${ways}, or run in a terminal.`);
  }
  return { username, password: await terminal.askSecret(`Password of ${username}: `) };
};

const usernameOf = async (link: ServerLink): Promise<string> => {
  const { user } = await link.ask<{ user: { username: string } }>("GET", "/api/me", { has: "user" });
  return user.username;
};
