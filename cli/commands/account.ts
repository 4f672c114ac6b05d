import type { Command } from "commander";
import { eventWords, type AccountEvent } from "../../src/domain/account-event.ts";
import type { Flags, Shell } from "../shell.ts";
import { utc } from "../../src/domain/moments.ts";
import { table } from "../table.ts";
import { whose } from "../whose.ts";

type EventsFlags = Flags & { user?: string; limit: string; cursor?: string };

export const register = (program: Command, shell: Shell): void => {
  const account = program.command("account").description("what happened to an account");
  shell
    .command(account, "events", "show sign-ins, tokens, passwords and who acted as the user, newest first", {
      examples: ["qsolog account events", "qsolog account events --user bob --limit 5"],
    })
    .option("--user <username>", "whose account")
    .option("--limit <n>", "at most this many, up to 500", "20")
    .option("--cursor <text>", "go on where a page before ended")
    .action((flags: EventsFlags) => events(shell, flags));
};

const events = async (shell: Shell, flags: EventsFlags): Promise<void> => {
  const { limit, cursor } = flags;
  const page = await shell.inWorld(flags, { writes: false }, async (world) => {
    const { listEvents } = await import("../../src/people/events.ts");
    const user = await whose(shell, flags, world);
    return listEvents(world, user.id, { limit: Number(limit), cursor });
  });
  shell.answerPage(page, () => asTable(page.events, shell.terminal.width), `${page.events.length}, newest first.`);
};

const asTable = (found: readonly AccountEvent[], width: number): string => {
  if (found.length === 0) return "Nothing happened.";
  const columns = [{ title: "TIME (UTC)" }, { title: "WHAT", shrinks: true }, { title: "BY" }, { title: "ADDRESS" }];
  const rows = found.map((event) => [utc(event.at), eventWords(event), event.by ?? "", event.address ?? ""]);
  return table(columns, rows, width);
};
