import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import {
  EVENT_WORDS,
  KIND_WORDS,
  NOTICE_EVENTS,
  readEvents,
  TARGET_KINDS,
  type NoticeEvent,
  type TargetKind,
  type TargetView,
} from "../../src/domain/people/notice.ts";
import { utc } from "../../src/kernel/time-text.ts";
import { inLog } from "../open-log.ts";
import type { Flags, Shell } from "../shell.ts";
import { table } from "../table.ts";

type NotifyFlags = Flags & { user?: string; events?: string; stdin?: boolean };

export const register = (program: Command, shell: Shell): void => {
  const notify = program.command("notify").description("webhooks and ntfy topics that are told of what happens");
  const command = (usage: string, description: string, ...examples: string[]) =>
    shell
      .command(notify, usage, description, { examples, isDefault: usage === "list" })
      .option("--user <username>", "whose log");

  command("list", "show who is told of what, and how that goes", "qsolog notify list").action((flags: NotifyFlags) =>
    list(shell, flags),
  );
  command(
    "add <webhook|ntfy>",
    "add a target; asks for its address, and for the access token of ntfy",
    "qsolog notify add ntfy --events sync_failed,leftovers",
    "qsolog notify add webhook --stdin < address.txt",
  )
    .option(
      "--events <events>",
      `what it is told of, with commas between; else everything: ${NOTICE_EVENTS.join(", ")}`,
    )
    .option("--stdin", "read the address from standard input, and the token from a second line")
    .action((kind: string, flags: NotifyFlags) => add(shell, kindOf(kind), flags));
  command("change <id>", "choose what a target is told of", "qsolog notify change 2 --events new_worked")
    .requiredOption("--events <events>", "what it is told of, with commas between")
    .action((id: string, flags: NotifyFlags) => change(shell, idOf(id), flags));
  command("test <id>", "send a target a word at once", "qsolog notify test 2").action(
    (id: string, flags: NotifyFlags) => test(shell, idOf(id), flags),
  );
  command("remove <id>", "tell a target nothing more", "qsolog notify remove 2").action(
    (id: string, flags: NotifyFlags) => remove(shell, idOf(id), flags),
  );
};

const kindOf = (text: string): TargetKind => {
  const kind = TARGET_KINDS.find((one) => one === text.toLowerCase());
  if (!kind)
    throw new AppError("invalid", `There is no target ${JSON.stringify(text)}: use ${TARGET_KINDS.join(" or ")}.`);
  return kind;
};

const idOf = (text: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new AppError("not_found", "There is no such target.");
  return Number(text);
};

const eventsIn = (text: string): NoticeEvent[] =>
  readEvents(text.split(",").map((event) => event.trim().toLowerCase()));

const list = (shell: Shell, flags: NotifyFlags): Promise<void> =>
  inLog(shell, flags, { writes: false }, async (log) => {
    const { targets } = await log.targets();
    shell.answer({ targets }, () => (targets.length === 0 ? "Nobody is told." : tableOf(shell, targets)));
  });

const tableOf = (shell: Shell, targets: readonly TargetView[]): string =>
  table(
    ["ID", "KIND", "HOST", "EVENTS", "LAST SENT (UTC)", "WAITING", "PROBLEM"].map((title) => ({
      title,
      shrinks: title === "PROBLEM" || title === "EVENTS",
    })),
    targets.map(({ id, kind, host, events, lastSentAt, waiting, problem }) => [
      String(id),
      KIND_WORDS[kind],
      host,
      events.join(","),
      utc(lastSentAt),
      String(waiting),
      problem ?? "",
    ]),
    shell.terminal.width,
  );

const add = (shell: Shell, kind: TargetKind, flags: NotifyFlags): Promise<void> =>
  inLog(shell, flags, { writes: true }, async (log) => {
    const events = flags.events === undefined ? [...NOTICE_EVENTS] : eventsIn(flags.events);
    const { key, ...target } = await log.addTarget({ kind, events, ...(await readAddress(shell, kind, flags)) });
    const words = `${nameOf(target)} is told of ${inWords(target)}. Try it: qsolog notify test ${target.id}`;
    shell.answer({ target, key }, () => words);
    if (key !== null) shell.terminal.err(`Its signatures are checked with this key, shown this once: ${key}`);
  });

/** The address is as good as a password, so it never stands on the command line. */
const readAddress = async (
  { terminal }: Shell,
  kind: TargetKind,
  { stdin }: NotifyFlags,
): Promise<{ url: string; token: string | null }> => {
  if (stdin) {
    const [url = "", token = ""] = (await terminal.readAll()).split(/\r?\n/);
    return { url, token: token || null };
  }
  if (!terminal.isInteractive) throw new AppError("invalid", "No address: use --stdin, or run in a terminal.");
  const url = await terminal.askSecret("Address: ");
  return { url, token: kind === "ntfy" ? (await terminal.askSecret("Access token (none: Enter): ")) || null : null };
};

const nameOf = ({ kind, host }: TargetView): string => `${KIND_WORDS[kind]} at ${host}`;
const inWords = ({ events }: TargetView): string => events.map((event) => EVENT_WORDS[event]).join(", ");

const change = (shell: Shell, id: number, flags: NotifyFlags): Promise<void> =>
  inLog(shell, flags, { writes: true }, async (log) => {
    const target = await log.changeTarget(id, eventsIn(flags.events!));
    shell.answer({ target }, () => `${nameOf(target)} is told of ${inWords(target)}.`);
  });

const test = (shell: Shell, id: number, flags: NotifyFlags): Promise<void> =>
  inLog(shell, flags, { writes: true }, async (log) => {
    const target = await log.testTarget(id);
    shell.answer({ target }, () => `${nameOf(target)} took the test.`);
  });

const remove = (shell: Shell, id: number, flags: NotifyFlags): Promise<void> =>
  inLog(shell, flags, { writes: true }, async (log) => {
    await log.removeTarget(id);
    shell.answer({ id, removed: true }, () => "It is told nothing more.");
  });
