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
import { formatUtc } from "../../src/kernel/time-text.ts";
import { parseNumber } from "../parse.ts";
import { withLog } from "../open-log.ts";
import type { Flags, Shell } from "../shell.ts";
import { formatTable, shrinking } from "../table.ts";

type NotifyFlags = Flags & { events?: string; stdin?: boolean };

export const register = (program: Command, shell: Shell): void => {
  const notify = program.command("notify");
  const command = (usage: string, description: string, ...examples: string[]) =>
    shell.command(notify, usage, description, examples, { isDefault: usage === "list" });

  command("list", "list the targets, their events and their last delivery", "qsolog notify list").action(
    (flags: NotifyFlags) => list(shell, flags),
  );
  command(
    "add <webhook|ntfy|mail>",
    "add a target; asks for its address, and for ntfy's access token; mail goes to the address of your profile",
    "qsolog notify add ntfy --events sync_failed,leftovers",
    "qsolog notify add webhook --stdin < address.txt",
  )
    .option("--events <events>", `events to send, separated by commas; default: all of  ${NOTICE_EVENTS.join(", ")}`)
    .option("--stdin", "read the address from standard input, and the token from its second line")
    .action((kind: string, flags: NotifyFlags) => add(shell, parseKind(kind), flags));
  command("change <id>", "change which events a target receives", "qsolog notify change 2 --events new_worked")
    .requiredOption("--events <events>", "events to send, separated by commas")
    .action((id: string, flags: NotifyFlags) => change(shell, parseId(id), flags));
  command("test <id>", "send a test notice to a target", "qsolog notify test 2").action(
    (id: string, flags: NotifyFlags) => test(shell, parseId(id), flags),
  );
  command("remove <id>", "remove a target", "qsolog notify remove 2").action((id: string, flags: NotifyFlags) =>
    remove(shell, parseId(id), flags),
  );
};

const parseKind = (text: string): TargetKind => {
  const kind = TARGET_KINDS.find((one) => one === text.toLowerCase());
  if (!kind)
    throw new AppError("invalid", `There is no target type ${JSON.stringify(text)}. Use ${TARGET_KINDS.join(" or ")}.`);
  return kind;
};

const parseId = (text: string): number => parseNumber(text, "a target number");

const parseEvents = (text: string): NoticeEvent[] =>
  readEvents(text.split(",").map((event) => event.trim().toLowerCase()));

const list = (shell: Shell, flags: NotifyFlags): Promise<void> =>
  withLog(shell, flags, { writes: false }, async (log) => {
    const { targets } = await log.targets();
    shell.answer({ targets }, () =>
      targets.length === 0 ? "No targets yet. Add one: qsolog notify add ntfy" : formatTargets(shell, targets),
    );
  });

const formatTargets = (shell: Shell, targets: readonly TargetView[]): string =>
  formatTable(
    ["ID", "KIND", "HOST", shrinking("EVENTS"), "LAST SENT (UTC)", "WAITING", shrinking("PROBLEM")],
    targets.map(({ id, kind, host, events, lastSentAt, waiting, problem }) => [
      id,
      KIND_WORDS[kind],
      host,
      events.join(","),
      formatUtc(lastSentAt),
      waiting,
      problem,
    ]),
    shell.terminal.width,
  );

const add = (shell: Shell, kind: TargetKind, flags: NotifyFlags): Promise<void> =>
  withLog(shell, flags, { writes: true }, async (log) => {
    const events = flags.events === undefined ? [...NOTICE_EVENTS] : parseEvents(flags.events);
    const { key, ...target } = await log.addTarget({ kind, events, ...(await readAddress(shell, kind, flags)) });
    const words = `${nameOf(target)} receives ${describeTarget(target)}. Try it: qsolog notify test ${target.id}`;
    shell.answer({ target, key }, () => words);
    if (key !== null) shell.terminal.err(`Check the signatures with this key. It is shown only once: ${key}`);
  });

/** The URL can contain a secret, so it is never read from the command line. */
const readAddress = async (
  { terminal }: Shell,
  kind: TargetKind,
  { stdin }: NotifyFlags,
): Promise<{ url: string; token: string | null }> => {
  if (stdin) {
    const [url = "", token = ""] = (await terminal.readAll()).split(/\r?\n/);
    return { url, token: token || null };
  }
  if (!terminal.isInteractive)
    throw new AppError("invalid", "No address given. Use --stdin, or run this in a terminal.");
  const url = await terminal.askSecret("Address: ");
  return { url, token: kind === "ntfy" ? (await terminal.askSecret("Access token (Enter for none): ")) || null : null };
};

const nameOf = ({ kind, host }: TargetView): string => `${KIND_WORDS[kind]} at ${host}`;
const describeTarget = ({ events }: TargetView): string => events.map((event) => EVENT_WORDS[event]).join(", ");

const change = (shell: Shell, id: number, flags: NotifyFlags): Promise<void> =>
  withLog(shell, flags, { writes: true }, async (log) => {
    const target = await log.changeTarget(id, { events: parseEvents(flags.events!) });
    shell.answer({ target }, () => `${nameOf(target)} receives ${describeTarget(target)}.`);
  });

const test = (shell: Shell, id: number, flags: NotifyFlags): Promise<void> =>
  withLog(shell, flags, { writes: true }, async (log) => {
    const target = await log.testTarget(id);
    shell.answer({ target }, () => `${nameOf(target)} accepted the test notice.`);
  });

const remove = (shell: Shell, id: number, flags: NotifyFlags): Promise<void> =>
  withLog(shell, flags, { writes: true }, async (log) => {
    await log.removeTarget(id);
    shell.answer({ id, removed: true }, () => "Removed the target.");
  });
