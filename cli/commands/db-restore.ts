import { formatUtc } from "../../src/kernel/time-text.ts";
import { resolve } from "node:path";
import type { Contents, ReadyRestore, Replaced } from "../../src/upkeep/restore.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { runInterruptible } from "../interruptible.ts";
import type { Flags, Shell } from "../shell.ts";
import { randomBytes } from "../shell.ts";
import { formatTable, right } from "../table.ts";

export const restore = async (shell: Shell, given: string, flags: Flags): Promise<void> => {
  const file = resolve(given);
  const { config } = shell.readConfig(flags);
  const { prepareDataDir } = await import("../../src/world.ts");
  const { prepareRestore } = await import("../../src/upkeep/restore.ts");
  prepareDataDir(config);
  const deps = { config, clock: Date.now, random: randomBytes, ...SYSTEM_TIME };
  const ready = await runInterruptible((signal) => prepareRestore(deps, file, signal));
  try {
    const { database, incoming, replaced, migrated, credentials } = ready;
    shell.terminal.err(`database: ${database}`);
    shell.terminal.err(compared(replaced, incoming, shell.terminal.width));
    await shell.confirm(flags, question(replaced), "yes");
    const { safetyCopy } = await ready.carryOut();
    const { stored, unreadable } = credentials;
    const document = { file, database, restored: incoming, replaced: documentOf(replaced), safetyCopy, migrated };
    shell.answer({ ...document, credentials: { stored, unreadable: unreadable.length } }, () =>
      [`Restored ${file} to ${database}.`, ...whatElse(ready, safetyCopy)].join("\n"),
    );
  } finally {
    ready.discard();
  }
};

const question = (replaced: Replaced): string =>
  replaced === "nothing"
    ? "Restore the backup there? Type yes: "
    : "Replace the current database? A copy is kept. Type yes: ";

const compared = (replaced: Replaced, incoming: Contents, width: number): string => {
  const counted = typeof replaced === "string" ? null : replaced;
  const rows: [string, (contents: Contents) => string][] = [
    ["users", ({ users }) => String(users)],
    ["QSOs", ({ qsos }) => String(qsos)],
    ["jobs", ({ jobs }) => String(jobs)],
    ["newest change (UTC)", ({ newestChangeAt }) => formatUtc(newestChangeAt)],
    ["bytes", ({ bytes }) => String(bytes)],
  ];
  const unknown = replaced === "damaged" ? "damaged" : "-";
  return formatTable(
    ["", right("NOW"), right("IN THE BACKUP")],
    rows.map(([name, valueOf]) => [name, counted ? valueOf(counted) : unknown, valueOf(incoming)]),
    width,
  );
};

const documentOf = (replaced: Replaced) =>
  replaced === "nothing" ? null : replaced === "damaged" ? { damaged: true } : replaced;

const whatElse = ({ migrated, credentials }: ReadyRestore, safetyCopy: string | null): string[] => {
  const { stored, unreadable, unreadableElse, isForeign, problem } = credentials;
  return [
    ...(safetyCopy === null ? [] : [`The previous database is kept at ${safetyCopy}.`]),
    ...(migrated.length === 0 ? [] : [`Applied migrations: ${migrated.join(", ")}.`]),
    ...(unreadable.length === 0
      ? []
      : [
          `Cannot decrypt ${unreadable.length} of ${stored} stored credentials${problem === null ? " with this secret" : `: ${problem}`}`,
        ]),
    ...(isForeign
      ? [
          "Copy the secret file that belongs to the backup to this machine. If it is lost: qsolog db adopt, then qsolog service set",
        ]
      : unreadable.length > 0
        ? ["Set the credentials again: qsolog service set"]
        : []),
    ...unreadableElse.map(({ username, what, remedy }) => `Cannot decrypt the ${what} of ${username}: ${remedy}`),
  ];
};
