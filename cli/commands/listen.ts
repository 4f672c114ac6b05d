import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import { describeTaken } from "../../src/domain/jobs/feed.ts";
import { formatCount } from "../../src/kernel/number-text.ts";
import { stripToOneLine } from "../../src/kernel/control-characters.ts";
import type { ListenerEvents } from "../../src/listen/listener.ts";
import type { Protocol } from "../../src/listen/ports.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { runInterruptible } from "../interruptible.ts";
import { withLog } from "../open-log.ts";
import type { Flags, Shell } from "../shell.ts";
import { chooseServer } from "../server-option.ts";

type ListenFlags = Flags & { [speech in Protocol]?: string | true };

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "listen", null, [
      "qsolog listen --wsjtx",
      "qsolog listen --wsjtx 224.0.0.1 --n1mm 0.0.0.0:12060 --adif",
      "qsolog listen --wsjtx --server https://log.example.org",
    ])
    .option(
      "--wsjtx [address]",
      "receive from WSJT-X, JTDX and similar programs; an address, a multicast group such as 224.0.0.1, or a port",
    )
    .option("--n1mm [port]", "receive from N1MM Logger+ and DXLog; a port, or an address and a port")
    .option("--adif [port]", "receive ADIF over UDP and TCP; a port, or an address and a port")
    .action((flags: ListenFlags) => listen(shell, flags));
};

const SPEECHES: readonly Protocol[] = ["wsjtx", "n1mm", "adif"];

const listen = async (shell: Shell, flags: ListenFlags): Promise<void> => {
  const { readPlace } = await import("../../src/listen/ports.ts");
  const places = SPEECHES.flatMap((speech) => {
    const text = flags[speech];
    return text === undefined ? [] : [{ speech, place: readPlace(`--${speech}`, text, speech) }];
  });
  if (places.length === 0) {
    throw new AppError("invalid", "Use at least one of --wsjtx, --n1mm and --adif.");
  }
  const [{ config }, access] = [shell.readConfig(flags), await chooseServer(shell, flags)];
  const to = access?.server ?? `${config.databaseUrl} ${flags.user ?? shell.env.QSOLOG_USER ?? ""}`.trim();
  await withLog(shell, flags, { writes: true }, async (log) => {
    const { listenInto } = await import("../../src/listen/listener.ts");
    const told = createReporter(shell);
    await runInterruptible((signal) =>
      listenInto(
        { ...SYSTEM_TIME, clock: Date.now, feed: (request) => log.feed(request), ...told },
        { places, to, dataDir: config.dataDir },
        signal,
      ),
    );
  });
};

/** Prints one line for each event. */
const createReporter = (shell: Shell): ListenerEvents => {
  const line = (event: string, facts: object, words: string) =>
    shell.answer({ event, ...facts }, () => stripToOneLine(words));
  return {
    onListening: (places) =>
      line("listening", { places }, `Listening: ${places.map(describePort).join(", ")}. Press Ctrl-C to stop.`),
    onHeard: ({ n, at, client, told }) => {
      if (shell.isJson) line("heard", { n, at, client, kind: told.kind, name: told.name, fields: told.fields }, "");
    },
    onTaken: ({ n, client }, taken) => line("taken", { n, client, ...taken }, describeTaken(taken)),
    onRefused: ({ n, client }, reason) =>
      line("refused", { n, client, reason }, `Rejected a contact from ${client}: ${reason}`),
    onWaiting: (reason, waiting) =>
      line(
        reason === null ? "delivering" : "waiting",
        { reason, waiting },
        reason === null ? "The log accepts contacts again." : `${formatCount(waiting, "contact")} waiting: ${reason}`,
      ),
    onDisk: (problem) =>
      line(
        "disk",
        { problem },
        problem === null
          ? "The queue can be written to disk again."
          : `Cannot write the queue to disk: ${problem}. Contacts are kept in memory until it works again.`,
      ),
    onFull: (isFull) =>
      line(
        "full",
        { full: isFull === true },
        isFull
          ? "The queue is full: new contacts are refused until the log accepts those that are waiting."
          : "The queue accepts contacts again.",
      ),
    onBroken: (reason, from, count) =>
      line(
        "broken",
        { reason, from, count },
        `Could not read ${formatCount(count, "packet")}, the last one from ${from}: ${reason}`,
      ),
  };
};

const describePort = ({ speech, host, port }: { speech: Protocol; host: string; port: number }): string =>
  `${NAMES[speech]} at ${host} port ${port}`;

const NAMES: Record<Protocol, string> = { wsjtx: "WSJT-X", n1mm: "N1MM", adif: "ADIF" };
