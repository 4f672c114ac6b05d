import type { Command } from "commander";
import {
  type AutoSyncSettings,
  describeDoubt,
  MAX_INTERVAL_HOURS,
  MIN_INTERVAL_HOURS,
  PAUSE_WORDS,
} from "../../src/domain/jobs/auto-sync.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { SERVICES, type Service } from "../../src/domain/jobs/source.ts";
import { LABELS, getTypedLabel } from "../../src/domain/origins/labels.ts";
import { formatUtc } from "../../src/kernel/time-text.ts";
import { withLog } from "../open-log.ts";
import type { Flags, Shell } from "../shell.ts";
import { formatTable } from "../table.ts";
import { BOTH_WORDS, parseService } from "../words.ts";

type SetFlags = Flags & { every?: string; off?: boolean };

export const register = (program: Command, shell: Shell): void => {
  const schedule = shell
    .command(program, "schedule", null, ["qsolog schedule"])
    .action((flags: Flags) => show(shell, flags));
  shell
    .command(schedule, "set <service>", `sync a service (${BOTH_WORDS}) every so many hours, or not at all`, [
      `qsolog schedule set ${getTypedLabel("first")} --every 24h`,
      `qsolog schedule set ${getTypedLabel("second")} --off`,
    ])
    .option("--every <hours>", "an interval from 1h to 720h (30d), such as 24h")
    .option("--off", "stop syncing this service automatically")
    .action((source: string, _: SetFlags, command: Command) =>
      set(shell, parseService(source), command.optsWithGlobals<SetFlags>()),
    );
};

const show = (shell: Shell, flags: Flags): Promise<void> =>
  withLog(shell, flags, { writes: false }, async (log) => answer(shell, await log.schedule()));

const set = (shell: Shell, source: Service, flags: SetFlags): Promise<void> => {
  const change = parseChange(flags);
  return withLog(shell, flags, { writes: true }, async (log) =>
    answer(shell, await log.changeSchedule({ [source]: change })),
  );
};

const parseChange = ({ every, off }: SetFlags): { enabled: boolean; intervalHours?: number } => {
  if ((every === undefined) === (off === undefined)) {
    throw new AppError("invalid", "Use --every HOURS or --off.");
  }
  return every === undefined ? { enabled: false } : { enabled: true, intervalHours: parseHours(every) };
};

const parseHours = (text: string): number => {
  const [, count, unit] = text.trim().match(/^(\d{1,4})(h|d)?$/i) ?? [];
  if (count === undefined) {
    throw new AppError("invalid", `--every ${JSON.stringify(text)} is not an interval such as 24h.`);
  }
  const hours = Number(count) * (unit?.toLowerCase() === "d" ? 24 : 1);
  if (hours < MIN_INTERVAL_HOURS || hours > MAX_INTERVAL_HOURS) {
    throw new AppError("invalid", `Use --every with ${MIN_INTERVAL_HOURS}h to ${MAX_INTERVAL_HOURS}h.`);
  }
  return hours;
};

const answer = (shell: Shell, settings: AutoSyncSettings): void =>
  shell.answer(settings, () => {
    const rows = formatTable(
      ["SERVICE", "EVERY", "LAST SYNC (UTC)", "NEXT SYNC (UTC)"],
      SERVICES.map((source) => formatRow(source, settings)),
      shell.terminal.width,
    );
    const doubts = SERVICES.flatMap((source) => {
      const doubt = describeDoubt(settings[source], Date.now());
      return doubt === null ? [] : [`${LABELS[source]}: ${doubt}`];
    });
    return [rows, ...doubts].join("\n");
  });

const formatRow = (source: Service, { [source]: schedule }: AutoSyncSettings): string[] => {
  const { enabled, intervalHours, lastSyncAt, nextSyncAt, paused } = schedule;
  const next = paused === null ? formatUtc(nextSyncAt) : PAUSE_WORDS[paused];
  return [LABELS[source], enabled ? `${intervalHours} h` : "off", formatUtc(lastSyncAt), enabled ? next : ""];
};
