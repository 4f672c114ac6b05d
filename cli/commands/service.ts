import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import type { Service } from "../../src/domain/jobs/source.ts";
import type { ServiceView } from "../../src/sync/source/credentials.ts";
import { LABELS, getTypedLabel } from "../../src/domain/origins/labels.ts";
import { formatUtc } from "../../src/kernel/time-text.ts";
import { withLog } from "../open-log.ts";
import type { Flags, Shell } from "../shell.ts";
import { formatTable, shrinking } from "../table.ts";
import { BOTH_WORDS, parseService } from "../words.ts";

type ServiceFlags = Flags & { stdin?: boolean; username?: string; callsign?: string };

export const register = (program: Command, shell: Shell): void => {
  const service = program.command("service");
  const command = (usage: string, description: string, ...examples: string[]) =>
    shell.command(service, usage, description, examples, { isDefault: usage === "list" });

  command("list", "show both services and whether they are connected", "qsolog service list").action(
    (flags: ServiceFlags) => list(shell, flags),
  );
  command(
    "set <service>",
    `store your account for a service (${BOTH_WORDS}); asks for the password or key`,
    `qsolog service set ${getTypedLabel("first")} --username w1abc`,
    `qsolog service set ${getTypedLabel("second")} --stdin < key.txt`,
  )
    .option("--username <name>", "your username at the service, if it uses one")
    .option("--callsign <call>", "the callsign of the account")
    .option("--stdin", "read the password or key from standard input")
    .action((source: string, flags: ServiceFlags) => set(shell, parseService(source), flags));
  command(
    "test <service>",
    "check that a service accepts your account",
    `qsolog service test ${getTypedLabel("first")}`,
  ).action((source: string, flags: ServiceFlags) => test(shell, parseService(source), flags));
  command(
    "clear <service>",
    "remove your account for a service",
    `qsolog service clear ${getTypedLabel("second")}`,
  ).action((source: string, flags: ServiceFlags) => clear(shell, parseService(source), flags));
};

const list = (shell: Shell, flags: ServiceFlags): Promise<void> =>
  withLog(shell, flags, { writes: false }, async (log) => {
    const { services } = await log.services();
    shell.answer({ services }, () =>
      formatTable(
        ["SERVICE", "STATE", "CALLSIGN", "CHECKED (UTC)", shrinking("REASON")],
        services.map((service) => [
          service.label,
          describeServiceState(service),
          service.callsign ?? service.book,
          service.configured ? formatUtc(service.checkedAt) : "",
          service.reason ?? service.warning,
        ]),
        shell.terminal.width,
      ),
    );
  });

const describeServiceState = ({ configured, state }: ServiceView): string =>
  configured ? STATES[state] : "not connected";

const STATES: Record<ServiceView["state"], string> = {
  ok: "ok",
  rejected: "rejected",
  unknown: "unknown",
  sealed_elsewhere: "cannot be decrypted",
};

const set = (shell: Shell, source: Service, flags: ServiceFlags): Promise<void> =>
  withLog(shell, flags, { writes: true }, async (log) => {
    const { services } = await log.services();
    const { fields } = services.find((service) => service.source === source)!;
    const service = await log.setCredentials(source, await readCredentials(shell, fields, flags));
    shell.answer(
      { service },
      () => `Stored your ${service.label} account. Check it: qsolog service test ${getTypedLabel(source)}`,
    );
  });

/** Public fields are options or prompts. A secret is never read from the command line. */
const readCredentials = async (
  shell: Shell,
  fields: readonly { name: string; label: string; secret: boolean; required: boolean }[],
  flags: ServiceFlags,
): Promise<Record<string, string>> => {
  const given: Record<string, string> = {};
  for (const { name, label, secret, required } of fields) {
    const missing = `${label} is missing. Use --stdin or QSOLOG_PASSWORD`;
    if (secret) given[name] = await shell.readSecret(label, flags.stdin, missing);
    else {
      const flag = flags[name];
      if (typeof flag === "string") given[name] = flag;
      else if (required && shell.terminal.isInteractive) given[name] = await shell.terminal.ask(`${label}: `);
      else if (required) throw new AppError("invalid", `${label} is missing. Use --${name}.`);
    }
  }
  return given;
};

const test = (shell: Shell, source: Service, flags: ServiceFlags): Promise<void> =>
  withLog(shell, flags, { writes: true }, async (log) => {
    const service = await log.testCredentials(source);
    const { label, book, warning } = service;
    const whose = book === null ? "" : ` It opens the logbook of ${book}.`;
    shell.answer({ service }, () =>
      [`${label} accepted your account.${whose}`, ...(warning ? [warning] : [])].join("\n"),
    );
  });

const clear = (shell: Shell, source: Service, flags: ServiceFlags): Promise<void> =>
  withLog(shell, flags, { writes: true }, async (log) => {
    await log.clearCredentials(source);
    shell.answer({ source, cleared: true }, () => `Removed your ${LABELS[source]} account.`);
  });
