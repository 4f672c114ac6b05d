import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import type { RepairRequest } from "../../src/logbook/contract.ts";
import { parseFilters } from "../filters.ts";
import { runBulkChange } from "../bulk-change.ts";
import { parseNumber } from "../parse.ts";
import { parseFieldName, parseMinutes, nameAndValue, toRepairChange } from "../repair-request.ts";
import type { Flags, Shell } from "../shell.ts";
import { parseService, SERVICE_WORDS } from "../words.ts";

interface RepairFlags extends Flags {
  filter: string[];
  all?: boolean;
  set: string[];
  clear: string[];
  shift?: string;
  byFrequency?: boolean;
  ftModes?: string;
  delete?: boolean;
  takeOut?: string;
  ofJob?: string;
}

const collect = (value: string, before: string[]): string[] => [...before, value];

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "repair", "bulk edit: change or delete many QSOs as one job that you can undo", [
      "qsolog repair --filter station=YU1OLD --set station=YU1NEW --dry-run",
      "qsolog repair --filter from=2026-03-29 --filter to=2026-03-30 --shift=-1:00",
      "qsolog repair --filter mode=FT8 --filter id=17,18 --ft-modes swap --yes",
    ])
    .option("--filter <name=value>", "choose QSOs with a filter of qso list; can be repeated", collect, [])
    .option("--all", "use every QSO in the log")
    .option("--set <name=value>", "set a field: station, grid, own-grid … or an ADIF name", collect, [])
    .option("--clear <name>", "clear a field, whatever its source; can be repeated", collect, [])
    .option("--shift <time>", "shift the time by hours and minutes: 1:00, -0:30")
    .option("--by-frequency", "set the band from the frequency where they disagree")
    .option("--ft-modes <swap|service>", "swap FT8 and FT4, or use the mode a service reports")
    .option("--delete", "delete the QSOs; syncs do not bring them back")
    .option(`--take-out <${SERVICE_WORDS.join("|")}>`, "remove everything this service recorded")
    .option("--of-job <job>", "with --take-out: only records from the account of this sync")
    .option("--dry-run", "show what would change, and change nothing")
    .option("--yes", "skip the confirmation")
    .action((flags: RepairFlags) => repair(shell, flags));
};

const repair = (shell: Shell, flags: RepairFlags): Promise<void> => {
  const request = parseFlags(flags);
  return runBulkChange(shell, flags, toRepairChange(request));
};

const parseFlags = (flags: RepairFlags): RepairRequest => {
  if (flags.filter.length === 0 && !flags.all && flags.ofJob === undefined) {
    throw new AppError("invalid", "Choose QSOs with --filter, or use --all for the whole log.");
  }
  if (CHANGES.every((name) => isMissing(flags[name]))) {
    throw new AppError(
      "invalid",
      "Choose a change with --set, --clear, --shift, --by-frequency, --ft-modes, --take-out or --delete.",
    );
  }
  return {
    filter: parseFilters(flags.filter),
    ...(flags.set.length > 0 && { set: Object.fromEntries(flags.set.map(nameAndValue)) }),
    ...(flags.clear.length > 0 && { clear: flags.clear.map(parseFieldName) }),
    ...(flags.shift !== undefined && { shiftMinutes: parseMinutes(flags.shift) }),
    ...(flags.byFrequency && { byFrequency: true }),
    ...(flags.ftModes !== undefined && { ftModes: flags.ftModes }),
    ...(flags.delete && { delete: true }),
    ...(flags.takeOut !== undefined && { takeOut: parseService(flags.takeOut) }),
    ...(flags.ofJob !== undefined && { ofJob: parseNumber(flags.ofJob, "a job number") }),
  };
};

const CHANGES = ["set", "clear", "shift", "byFrequency", "ftModes", "takeOut", "delete"] as const;

const isMissing = (value: RepairFlags[(typeof CHANGES)[number]]): boolean =>
  Array.isArray(value) ? value.length === 0 : value === undefined;
