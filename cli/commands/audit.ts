import type { Command } from "commander";
import type { AdminAction } from "../../src/domain/actor.ts";
import { parseDay } from "../../src/domain/day.ts";
import { AppError } from "../../src/domain/errors.ts";
import { readNumbers, writeCursor } from "../../src/storage/page-cursor.ts";
import { canonicalUsername } from "../../src/domain/user.ts";
import type { Flags, Shell } from "../shell.ts";
import { table, utc } from "../table.ts";

type AuditFlags = Flags & {
  admin?: string;
  action?: string;
  target?: string;
  from?: string;
  to?: string;
  limit: string;
  cursor?: string;
};

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "audit", "show what administrators did, newest first", {
      examples: ["qsolog audit", "qsolog audit --target bob --from 2026-07-01"],
    })
    .option("--admin <username>", "only what this administrator did")
    .option("--action <action>", "only this kind of action")
    .option("--target <username>", "only what was done to this user")
    .option("--from <date>", "from this day on (UTC)")
    .option("--to <date>", "up to and with this day (UTC)")
    .option("--limit <n>", "at most this many, up to 500", "50")
    .option("--cursor <text>", "go on where a page before ended")
    .action((flags: AuditFlags) => audit(shell, flags));
};

const audit = async (shell: Shell, flags: AuditFlags): Promise<void> => {
  const { action, from, to, cursor } = flags;
  const limit = Number(flags.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > 500) {
    throw new AppError("invalid", "--limit is a whole number from 1 to 500.");
  }
  const [admin, target] = [flags.admin, flags.target].map((name) => name && canonicalUsername(name));
  const question = ["actions", admin, action, target, from, to];
  const filter = {
    admin,
    action,
    target,
    limit: limit + 1,
    from: from === undefined ? undefined : parseDay(from, "--from"),
    to: to === undefined ? undefined : parseDay(to, "--to", true),
    beforeId: cursor === undefined ? undefined : readNumbers(question, cursor, 1)[0]!,
  };
  const found = await shell.inWorld(flags, { writes: false }, async ({ db }) => {
    const adminActions = await import("../../src/storage/admin-actions.ts");
    return db.read(() => adminActions.list(filter));
  });
  const actions = found.actions.slice(0, limit);
  const nextCursor = found.actions.length > limit ? writeCursor(question, [actions.at(-1)!.id]) : null;
  const words = () => asTable(actions, shell.terminal.width);
  const page = { actions, total: found.total, nextCursor };
  shell.answerPage(page, words, `${actions.length} of ${found.total}.`);
};

const asTable = (actions: readonly AdminAction[], width: number): string => {
  if (actions.length === 0) return "Nothing was done.";
  const columns = [
    { title: "TIME (UTC)" },
    { title: "ADMINISTRATOR" },
    { title: "VIA" },
    { title: "ACTION" },
    { title: "TARGET" },
    { title: "DETAILS", shrinks: true },
  ];
  const rows = actions.map(({ at, admin, via, action, target, details }) => [
    utc(at),
    admin,
    via,
    action,
    target ?? "",
    Object.entries(details)
      .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
      .join(", "),
  ]);
  return table(columns, rows, width);
};
