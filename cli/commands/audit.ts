import type { Command } from "commander";
import { describeDetails, VIA_WORDS } from "../../src/domain/people/action-words.ts";
import { ACTION_WORDS, type AdminAction } from "../../src/domain/people/actor.ts";
import { formatUtc } from "../../src/kernel/time-text.ts";
import { CURSOR, LIMIT } from "../log-options.ts";
import type { Flags, Shell } from "../shell.ts";
import { formatTable } from "../table.ts";
import { assertKnown } from "../values.ts";

type AuditFlags = Flags & {
  admin?: string;
  action?: string;
  target?: string;
  from?: string;
  to?: string;
  limit: number;
  cursor?: string;
};

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "audit", "show what administrators did, newest first", [
      "qsolog audit",
      "qsolog audit --target bob --from 2026-07-01",
    ])
    .option("--admin <username>", "only actions by this administrator")
    .option("--action <action>", "only this type of action")
    .option("--target <username>", "only actions on this user")
    .option("--from <date>", "from this day (UTC)")
    .option("--to <date>", "until the end of this day (UTC)")
    .option(...LIMIT, 50)
    .option(...CURSOR)
    .action((flags: AuditFlags) => audit(shell, flags));
};

const audit = async (shell: Shell, { limit, ...flags }: AuditFlags): Promise<void> => {
  const { admin, action, target, from, to, cursor } = flags;
  assertKnown("--action", "action", action);
  const asked = { admin, action, target, from, to, cursor, limit };
  const page = await shell.withWorld(flags, { writes: false }, async (world) => {
    const { listActions } = await import("../../src/people/listing.ts");
    return listActions(world, asked);
  });
  const { actions, total } = page;
  shell.answerPage(page, () => formatActions(actions, shell.terminal.width), `${actions.length} of ${total}.`);
};

const formatActions = (actions: readonly AdminAction[], width: number): string => {
  if (actions.length === 0) return "No administrator actions.";
  const rows = actions.map(({ at, admin, via, action, target, details }) => [
    formatUtc(at),
    admin,
    VIA_WORDS[via],
    ACTION_WORDS[action] ?? action,
    target,
    describeDetails(details),
  ]);
  return formatTable(["TIME (UTC)", "BY", "VIA", "ACTION", "TARGET", "DETAILS"], rows, width);
};
