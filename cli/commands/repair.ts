import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import type { RepairWishes } from "../../src/logbook/contract.ts";
import { filterOf } from "../filters.ts";
import { makeMassChange, type MassFlags } from "../mass-change.ts";
import { fieldNamed, minutesIn, nameAndValue, repairOf } from "../repair-wishes.ts";
import type { Shell } from "../shell.ts";
import { serviceOf, SERVICE_WORDS } from "../words.ts";

interface RepairFlags extends MassFlags {
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
    .command(program, "repair", "change or delete many QSOs as one job, which can be undone", {
      examples: [
        "qsolog repair --filter station=YU1OLD --set station=YU1NEW --dry-run",
        "qsolog repair --filter from=2026-03-29 --filter to=2026-03-30 --shift=-1:00",
        "qsolog repair --filter mode=FT8 --filter id=17,18 --ft-modes swap --yes",
      ],
    })
    .option("--user <username>", "whose log")
    .option("--filter <name=value>", "which QSOs, by the filters of qso list; may be repeated", collect, [])
    .option("--all", "every QSO of the log, where no filter is given")
    .option("--set <name=value>", "what a field is to say: station, grid, own-grid …, or a name of ADIF", collect, [])
    .option("--clear <name>", "a field that is to say nothing, whoever says something; may be repeated", collect, [])
    .option("--shift <time>", "move the time, by hours and minutes: 1:00, -0:30")
    .option("--by-frequency", "where band and frequency contradict each other, believe the frequency")
    .option("--ft-modes <swap|service>", "swap FT8 and FT4, or take the one that a service says")
    .option("--delete", "delete the QSOs, so that no service brings them back")
    .option(`--take-out <${SERVICE_WORDS.join("|")}>`, "take out everything that this service said")
    .option("--of-job <job>", "of what is taken out only what the account of this sync brought")
    .option("--dry-run", "show what would happen, and change nothing")
    .option("--yes", "do not ask")
    .action((flags: RepairFlags) => repair(shell, flags));
};

const repair = (shell: Shell, flags: RepairFlags): Promise<void> => {
  const wishes = wishesIn(flags);
  return makeMassChange(shell, flags, repairOf(wishes));
};

const wishesIn = (flags: RepairFlags): RepairWishes => {
  if (flags.filter.length === 0 && !flags.all && flags.ofJob === undefined) {
    throw new AppError("invalid", "Say which QSOs with --filter, or --all for every one of the log.");
  }
  return {
    filter: filterOf(flags.filter),
    ...(flags.set.length > 0 && { set: Object.fromEntries(flags.set.map(nameAndValue)) }),
    ...(flags.clear.length > 0 && { clear: flags.clear.map(fieldNamed) }),
    ...(flags.shift !== undefined && { shiftMinutes: minutesIn(flags.shift) }),
    ...(flags.byFrequency && { byFrequency: true }),
    ...(flags.ftModes !== undefined && { ftModes: flags.ftModes }),
    ...(flags.delete && { delete: true }),
    ...(flags.takeOut !== undefined && { takeOut: serviceOf(flags.takeOut) }),
    ...(flags.ofJob !== undefined && { ofJob: numberIn(flags.ofJob) }),
  };
};

const numberIn = (text: string): number => {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new AppError("invalid", `${JSON.stringify(text)} is not the number of a job.`);
};
