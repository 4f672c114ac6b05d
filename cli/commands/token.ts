import type { Command } from "commander";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import { parseDay } from "../../src/kernel/day.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { utc } from "../../src/kernel/time-text.ts";
import type { Config } from "../../src/config.ts";
import type { TokenScope } from "../../src/people/tokens.ts";
import type { Flags, Shell } from "../shell.ts";
import { table } from "../table.ts";
import { whose } from "../user-option.ts";

type TokenFlags = Flags & { user?: string };
type CreateFlags = TokenFlags & {
  scope?: string;
  feed?: boolean;
  v2?: boolean;
  lookUpOnly?: boolean;
  expires?: string;
};

const SCOPES: readonly TokenScope[] = ["read", "write"];

export const register = (program: Command, shell: Shell): void => {
  const token = program.command("token").description("API tokens, for programs that use the interface");
  const command = (usage: string, description: string, ...examples: string[]) =>
    shell.command(token, usage, description, { examples }).option("--user <username>", "whose token");

  command(
    "create <name>",
    "make a token; its text is shown this once",
    "qsolog token create logger --scope write",
    "qsolog token create wall --scope read --expires 2026-12-31",
    "qsolog token create WaveLogGate --feed",
  )
    .option("--scope <read|write>", `what it may do: ${SCOPES.join(" or ")}`)
    .option("--feed", "a key for a program that logs over the Wavelog interface, in place of a scope")
    .option("--v2", "with --feed: for programs that want a key that begins with wl2_")
    .option("--look-up-only", "with --feed: it may look up, and not log")
    .option("--expires <date>", "the last day it is good for, as YYYY-MM-DD")
    .action((name: string, flags: CreateFlags) => create(shell, name, flags));
  command("list", "list the tokens, without their texts", "qsolog token list --user bob").action((flags: TokenFlags) =>
    list(shell, flags),
  );
  command("revoke <id>", "make a token useless at once", "qsolog token revoke 2").action(
    (id: string, flags: TokenFlags) => revoke(shell, idOf(id), flags),
  );
};

const create = (shell: Shell, name: string, flags: CreateFlags): Promise<void> => {
  const order = {
    name,
    ...(flags.feed ? keyOf(flags) : { scope: scopeOf(flags) }),
    expiresAt: flags.expires === undefined ? null : parseDay(flags.expires, "--expires", true),
  };
  return shell.inWorld(flags, { writes: true }, async (world) => {
    const user = await whose(shell, flags, world);
    const { createToken } = await import("../../src/people/tokens.ts");
    const made = await createToken(world, user.id, order, { by: OPERATOR.name });
    shell.answer(made, () => made.token);
    shell.terminal.err(`This is the only time the token ${made.id} of ${user.username} is shown.`);
    if (flags.feed) shell.terminal.err(`The address for the program: ${addressOf(world.config)}`);
  });
};

const keyOf = ({ scope, v2, lookUpOnly }: CreateFlags) => {
  if (scope !== undefined) throw new AppError("invalid", "Say --feed or --scope, not both.");
  return { scope: lookUpOnly ? ("lookup" as const) : ("feed" as const), form: v2 ? ("v2" as const) : ("v1" as const) };
};

/** Where a program on this machine reaches the server, or where its operator says. */
const addressOf = ({ baseUrl, host, port }: Pick<Config, "baseUrl" | "host" | "port">): string =>
  baseUrl ?? `http://${["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host}:${port}`;

const scopeOf = ({ scope: text, v2, lookUpOnly }: CreateFlags): TokenScope => {
  if (v2 || lookUpOnly) throw new AppError("invalid", "--v2 and --look-up-only go with --feed.");
  if (text === undefined) throw new AppError("invalid", "Say what it may do: --scope read, --scope write, or --feed.");
  const scope = SCOPES.find((one) => one === text.toLowerCase());
  if (!scope) throw new AppError("invalid", `--scope is ${SCOPES.join(" or ")}.`);
  return scope;
};

const idOf = (text: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new AppError("invalid", `${JSON.stringify(text)} is not the number of a token.`);
  return Number(text);
};

const list = (shell: Shell, flags: TokenFlags): Promise<void> =>
  shell.inWorld(flags, { writes: false }, async (world) => {
    const user = await whose(shell, flags, world);
    const { listTokens } = await import("../../src/people/tokens.ts");
    const { tokens } = await listTokens(world, user.id);
    shell.answer({ tokens }, () => {
      if (tokens.length === 0) return "There are none.";
      const titles = ["TOKEN", "NAME", "SCOPE", "CREATED (UTC)", "EXPIRES (UTC)", "LAST USED (UTC)"];
      const rows = tokens.map(({ id, name, scope, createdAt, expiresAt, lastUsedAt }) => [
        String(id),
        name,
        scope,
        utc(createdAt),
        utc(expiresAt),
        utc(lastUsedAt),
      ]);
      const columns = titles.map((title) => ({ title, shrinks: title === "NAME" }));
      return table(columns, rows, shell.terminal.width);
    });
  });

const revoke = (shell: Shell, id: number, flags: TokenFlags): Promise<void> =>
  shell.inWorld(flags, { writes: true }, async (world) => {
    const user = await whose(shell, flags, world);
    const { revokeToken } = await import("../../src/people/tokens.ts");
    await revokeToken(world, user.id, id, { by: OPERATOR.name });
    shell.answer({ id, revoked: true }, () => `The token ${id} is revoked.`);
  });
