import type { Command } from "commander";
import { describeEvent, type AccountEvent } from "../../src/domain/people/account-event.ts";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import { AppError } from "../../src/kernel/errors.ts";
import type { Factors } from "../../src/domain/people/factor.ts";
import { CURSOR, LIMIT } from "../log-options.ts";
import type { Flags, Shell } from "../shell.ts";
import { formatUtc } from "../../src/kernel/time-text.ts";
import { formatTable, shrinking } from "../table.ts";
import { resolveUser } from "../open-log.ts";

type EventsFlags = Flags & { limit: number; cursor?: string };

export const register = (program: Command, shell: Shell): void => {
  const account = program.command("account");
  shell
    .command(account, "events", "show sign-ins, tokens, password changes and impersonation, newest first", [
      "qsolog account events",
      "qsolog account events --user bob --limit 5",
    ])
    .option("--user <username>", "use this user's account")
    .option(...LIMIT, 20)
    .option(...CURSOR)
    .action((flags: EventsFlags) => events(shell, flags));
  shell
    .command(account, "factors", "show the second factors of the account", ["qsolog account factors"])
    .option("--user <username>", "use this user's account")
    .action((flags: Flags) => factors(shell, flags));
  shell
    .command(account, "add-factor", "set up an authenticator app: scan a QR code, then enter a code", [
      "qsolog account add-factor --user ann",
    ])
    .option("--user <username>", "use this user's account")
    .action((flags: Flags) => addFactor(shell, flags));
};

const factors = async (shell: Shell, flags: Flags): Promise<void> => {
  const found = await shell.withWorld(flags, { writes: false }, async (world) => {
    const { getFactors } = await import("../../src/people/factors.ts");
    return getFactors(world, await resolveUser(shell, flags, world));
  });
  shell.answer(found, () => describeFactors(found, shell.terminal.width));
};

const describeFactors = ({ app, passkeys, recoveryCodes }: Factors, width: number): string => {
  const rows = [
    ...(app ? [["authenticator app", "", formatUtc(app.createdAt), formatUtc(app.lastUsedAt)]] : []),
    ...passkeys.map(({ name, createdAt, lastUsedAt }) => [
      "passkey",
      name,
      formatUtc(createdAt),
      formatUtc(lastUsedAt),
    ]),
  ];
  if (rows.length === 0) return "There is no second factor.";
  const columns = ["KIND", shrinking("NAME"), "SINCE (UTC)", "LAST USED"];
  return `${formatTable(columns, rows, width)}\nRecovery codes left: ${recoveryCodes}`;
};

/** The key is printed once to this terminal, never to where the answer goes. */
const addFactor = async (shell: Shell, flags: Flags): Promise<void> => {
  const { terminal } = shell;
  if (!terminal.isInteractive) throw new AppError("invalid", "qsolog account add-factor needs a terminal.");
  const { user, recoveryCodes } = await shell.withWorld(flags, { writes: true }, async (world) => {
    const { beginApp, confirmAppOf } = await import("../../src/people/factors.ts");
    const user = await resolveUser(shell, flags, world);
    const { key, address } = await beginApp(world, user);
    if (terminal.hasUtf8) terminal.err(await drawQrCode(address, terminal.hasColour));
    terminal.err(`Key to enter by hand: ${key}`);
    const code = await terminal.ask("Code shown by the app: ");
    return { user, recoveryCodes: await confirmAppOf(world, OPERATOR, user.id, code) };
  });
  shell.answer({ user, recoveryCodes }, () => {
    const done = `${user.username} now needs a code after the password.`;
    if (recoveryCodes.length === 0) return `${done} The recovery codes did not change.`;
    return [`${done} Recovery codes, each works once:`, ...recoveryCodes].join("\n");
  });
};

const QUIET = 2;
const LIGHT_ON_DARK = "\x1b[97;40m";
const AS_BEFORE = "\x1b[0m";

/** Dark on light for cameras, whatever the colours of the terminal. */
const drawQrCode = async (text: string, hasColour: boolean): Promise<string> => {
  const { renderUnicodeCompact } = await import("uqr");
  const lines = renderUnicodeCompact(text, { border: QUIET }).split("\n");
  return lines.map((line) => (hasColour ? LIGHT_ON_DARK + line + AS_BEFORE : line)).join("\n");
};

const events = async (shell: Shell, flags: EventsFlags): Promise<void> => {
  const { limit, cursor } = flags;
  const page = await shell.withWorld(flags, { writes: false }, async (world) => {
    const { listEvents } = await import("../../src/people/events.ts");
    const user = await resolveUser(shell, flags, world);
    return listEvents(world, user.id, { limit, cursor });
  });
  shell.answerPage(page, () => formatEvents(page.events, shell.terminal.width), `${page.events.length}, newest first.`);
};

const formatEvents = (found: readonly AccountEvent[], width: number): string => {
  if (found.length === 0) return "No account activity.";
  const rows = found.map((event) => [formatUtc(event.at), describeEvent(event), event.by, event.address]);
  return formatTable(["TIME (UTC)", shrinking("WHAT"), "BY", "ADDRESS"], rows, width);
};
