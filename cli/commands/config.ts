import type { Command } from "commander";
import { SETTINGS } from "../../src/config.ts";
import { redactText } from "../../src/kernel/redact.ts";
import type { Flags, Shell } from "../shell.ts";
import { formatTable, shrinking } from "../table.ts";

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(
      program,
      "config",
      "show the configuration in effect, with secrets hidden",
      ["qsolog config", "qsolog config --json"],
      { settings: "all" },
    )
    .action((flags: Flags) => show(shell, flags));
};

const show = (shell: Shell, flags: Flags): void => {
  const { config, origins } = shell.readConfig(flags);
  const settings = SETTINGS.map(({ name, key, secret }) => {
    const value = config[name];
    return { name: key, value: shown(value, secret === true), origin: origins[name] };
  });
  shell.answer({ settings }, () =>
    formatTable(
      ["SETTING", shrinking("VALUE"), "FROM"],
      settings.map(({ name, value, origin }) => [name, String(value ?? "") || "-", origin]),
      shell.terminal.width,
    ),
  );
};

const shown = (value: unknown, secret: boolean): unknown => {
  if (secret) return value === null ? null : "[redacted]";
  return typeof value === "string" ? redactText(value) : value;
};
