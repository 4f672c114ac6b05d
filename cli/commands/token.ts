import type { Command } from "commander";
import { OPERATOR } from "../../src/domain/actor.ts";
import { parseDay } from "../../src/domain/day.ts";
import { AppError } from "../../src/domain/errors.ts";
import { utc } from "../../src/domain/moments.ts";
import type { TokenScope } from "../../src/people/tokens.ts";
import type { Flags, Shell } from "../shell.ts";
import { table } from "../table.ts";
import { whose } from "../whose.ts";

type TokenFlags = Flags & { user?: string };
type CreateFlags = TokenFlags & { scope: string; expires?: string };

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
  )
    .requiredOption("--scope <read|write>", `what it may do: ${SCOPES.join(" or ")}`)
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
    scope: scopeOf(flags.scope),
    expiresAt: flags.expires === undefined ? null : parseDay(flags.expires, "--expires", true),
  };
  return shell.inWorld(flags, { writes: true }, async (world) => {
    const user = await whose(shell, flags, world);
    const { createToken } = await import("../../src/people/tokens.ts");
    const made = await createToken(world, user.id, order, { by: OPERATOR.name });
    shell.answer(made, () => made.token);
    shell.terminal.err(`This is the only time the token ${made.id} of ${user.username} is shown.`);
  });
};

const scopeOf = (text: string): TokenScope => {
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
