import type { Command } from "commander";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import { parseDay } from "../../src/kernel/day.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { formatUtc } from "../../src/kernel/time-text.ts";
import type { TokenScope } from "../../src/people/tokens.ts";
import type { Flags, Shell } from "../shell.ts";
import { formatTable, shrinking } from "../table.ts";
import { parseNumber, parseWord } from "../parse.ts";
import { resolveUser } from "../open-log.ts";

type CreateFlags = Flags & {
  scope?: string;
  feed?: boolean;
  v2?: boolean;
  lookUpOnly?: boolean;
  expires?: string;
};

const SCOPES: readonly TokenScope[] = ["read", "write"];

export const register = (program: Command, shell: Shell): void => {
  const token = program.command("token");
  const command = (usage: string, description: string, ...examples: string[]) =>
    shell.command(token, usage, description, examples).option("--user <username>", "use this user's tokens");

  command(
    "create <name>",
    "create a token (shown only once)",
    "qsolog token create logger --scope write",
    "qsolog token create wall --scope read --expires 2026-12-31",
    "qsolog token create WaveLogGate --feed",
  )
    .option("--scope <read|write>", `scope of the token: ${SCOPES.join(" or ")}`)
    .option("--feed", "create a key for a program that logs through the Wavelog interface")
    .option("--v2", "with --feed: use a key starting with wl2_, which some programs need")
    .option("--look-up-only", "with --feed: allow look-ups only")
    .option("--expires <date>", "last valid day, as YYYY-MM-DD")
    .action((name: string, flags: CreateFlags) => create(shell, name, flags));
  command("list", "list the tokens (never their text)", "qsolog token list --user bob").action((flags: Flags) =>
    list(shell, flags),
  );
  command("revoke <id>", "revoke a token", "qsolog token revoke 2").action((id: string, flags: Flags) =>
    revoke(shell, parseNumber(id, "a token number"), flags),
  );
};

const create = (shell: Shell, name: string, flags: CreateFlags): Promise<void> => {
  const order = {
    name,
    ...(flags.feed ? keyOf(flags) : { scope: parseScope(flags) }),
    expiresAt: flags.expires === undefined ? null : parseDay(flags.expires, "--expires", true),
  };
  return shell.withWorld(flags, { writes: true }, async (world) => {
    const user = await resolveUser(shell, flags, world);
    const { createToken } = await import("../../src/people/tokens.ts");
    const made = await createToken(world, user.id, order, { by: OPERATOR.name });
    shell.answer(made, () => made.token);
    shell.terminal.err(`Copy the token now: token ${made.id} of ${user.username} is shown only once.`);
    if (!flags.feed) return;
    const { findAddress } = await import("../../src/people/installation.ts");
    shell.terminal.err(`Address to enter in the program: ${await findAddress(world)}`);
  });
};

const keyOf = ({ scope, v2, lookUpOnly }: CreateFlags) => {
  if (scope !== undefined) throw new AppError("invalid", "Use either --feed or --scope.");
  return { scope: lookUpOnly ? ("lookup" as const) : ("feed" as const), form: v2 ? ("v2" as const) : ("v1" as const) };
};

const parseScope = ({ scope: text, v2, lookUpOnly }: CreateFlags): TokenScope => {
  if (v2 || lookUpOnly) throw new AppError("invalid", "Use --v2 and --look-up-only together with --feed.");
  if (text === undefined)
    throw new AppError("invalid", "Choose what the token can do: --scope read, --scope write or --feed.");
  return parseWord("--scope", text, SCOPES);
};

const list = (shell: Shell, flags: Flags): Promise<void> =>
  shell.withWorld(flags, { writes: false }, async (world) => {
    const user = await resolveUser(shell, flags, world);
    const { listTokens } = await import("../../src/people/tokens.ts");
    const { tokens } = await listTokens(world, user.id);
    shell.answer({ tokens }, () => {
      if (tokens.length === 0) return "No tokens yet. Create one: qsolog token create NAME";
      const columns = ["TOKEN", shrinking("NAME"), "SCOPE", "CREATED (UTC)", "EXPIRES (UTC)", "LAST USED (UTC)"];
      const rows = tokens.map(({ id, name, scope, createdAt, expiresAt, lastUsedAt }) => [
        id,
        name,
        scope,
        formatUtc(createdAt),
        formatUtc(expiresAt),
        formatUtc(lastUsedAt),
      ]);
      return formatTable(columns, rows, shell.terminal.width);
    });
  });

const revoke = (shell: Shell, id: number, flags: Flags): Promise<void> =>
  shell.withWorld(flags, { writes: true }, async (world) => {
    const user = await resolveUser(shell, flags, world);
    const { revokeToken } = await import("../../src/people/tokens.ts");
    await revokeToken(world, user.id, id, { by: OPERATOR.name });
    shell.answer({ id, revoked: true }, () => `Revoked token ${id}.`);
  });
