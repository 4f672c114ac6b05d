import type { CommandName } from "../../../src/domain/statistics/commands.ts";
import { findCalls, findNamed, type FoundEntry, type PaletteSource } from "../../../src/logbook/command-palette.ts";
import { filterEntries } from "../../../src/domain/statistics/palette.ts";
import type { Logbook } from "../../client/logbook.ts";
import type { Context, KeyHint } from "../context.ts";
import { askToExport } from "./bulk-change.ts";
import { splitHint } from "../frame.ts";
import { toPresses, type Press } from "../keymap.ts";
import { askToPick, type Choice } from "./picker.ts";
import { askForQsos } from "./qso-form.ts";
import { askToRollBack, startSync } from "./jobs.ts";

type Way = Choice & { run: () => void };
type KeyEntry = Choice & { keys: string };

/** The keys of each command; where no screen has it, the command of a shell, or only the pages. */
const WAYS: Record<CommandName, { keys: string } | { shell: string } | { run(context: Context): void } | "browser"> = {
  dashboard: { keys: "1" },
  log: { keys: "2" },
  awards: { keys: "3" },
  statistics: { keys: "5" },
  jobs: { keys: "4" },
  settings: "browser",
  add: { keys: "a" },
  import: { shell: "qsolog import FILE" },
  export: { run: (context) => askToExport(context, { filter: {}, words: "the whole log" }) },
  edit: { keys: "2e" },
  duplicates: { keys: "2d" },
  compare: { keys: "2R" },
  unresolved: { shell: "qsolog reconcile show --class unresolved" },
  schedule: { shell: "qsolog schedule" },
  notifications: { shell: "qsolog notify" },
  profile: "browser",
  password: { shell: "qsolog user password NAME" },
  secondFactor: { shell: "qsolog account add-factor" },
  sessions: "browser",
  tokens: { shell: "qsolog token list" },
  programs: "browser",
  identities: "browser",
  deleteAccount: { shell: "qsolog user delete NAME" },
  signOut: { shell: "qsolog logout" },
  administration: { shell: "qsolog admin list" },
  users: { shell: "qsolog user list" },
  actions: { shell: "qsolog audit" },
  actedAs: { shell: "qsolog audit --action impersonate" },
};

/** What only a terminal has. */
const HERE: readonly KeyEntry[] = [
  { label: "Search the log", also: "find", keys: "2/" },
  { label: "Filter the log by year, entity, station …", also: "date country own call", keys: "2f" },
  { label: "Clear the filters", also: "reset clear filter", keys: "2F" },
  { label: "Reload everything", also: "refresh", keys: "r" },
  { label: "Keys", also: "help shortcuts", keys: "?" },
  { label: "Quit qsolog", also: "exit", keys: "q" },
];

const COMMANDS_HERE = Object.keys(WAYS) as CommandName[];

interface Pressing {
  press(all: readonly Press[]): void;
  /** The keys of the screen below, which are offered while single-letter keys are off. */
  hints: readonly KeyHint[];
  hasLetterKeys: boolean;
  onSyncStarted(jobId: number): void;
  switchLetterKeys(): void;
}

/** The command palette: every command by name, awards, callsigns, jobs, and a search of the log. */
export const askForCommand = (context: Context, pressing: Pressing): void => {
  const run = (keys: string) => () => pressing.press(toPresses(keys));
  const toKeyWay = ({ keys, ...entry }: KeyEntry): Way => ({ ...entry, says: keys, run: run(keys) });
  const here: Way[] = [
    ...HERE.map(toKeyWay),
    { ...switchOf(pressing.hasLetterKeys), says: "Ctrl-T", run: pressing.switchLetterKeys },
  ];
  askToPick<Way>(context, {
    title: "Go to",
    offers: pressing.hasLetterKeys ? [] : pressing.hints.flatMap(splitHint).map(toKeyEntry).map(toKeyWay),
    search: async (typed) =>
      (await findCalls(createSource(context.client), typed)).map((entry) => toWay(entry, context, pressing)),
    meant(typed) {
      const found = findNamed(COMMANDS_HERE, context.jobs ?? [], typed);
      const [searches, others] = [true, false].map((wanted) =>
        found.filter(({ to }) => (to.kind === "search") === wanted).map((entry) => toWay(entry, context, pressing)),
      ) as [Way[], Way[]];
      return [...others, ...filterEntries(here, typed), ...searches];
    },
    onPick: ({ run }) => run(),
  });
};

const toKeyEntry = ([keys, meaning]: KeyHint): KeyEntry => ({
  label: meaning[0]!.toUpperCase() + meaning.slice(1),
  keys,
});

const switchOf = (hasLetterKeys: boolean) => ({
  label: `Turn letter keys ${hasLetterKeys ? "off" : "on"}`,
  also: "single-letter shortcuts",
});

const createSource = (client: Pick<Logbook, "qsos">): PaletteSource => ({
  contacts: (parameters) => client.qsos(parameters),
  countCalls: (calls) =>
    Promise.all(
      calls.map(async (call) => {
        const { total, qsos } = await client.qsos({ call, limit: "1" });
        return { call, contacts: total, lastAt: qsos[0]?.startedAt ?? 0 };
      }),
    ),
});

const toWay = ({ to, ...entry }: FoundEntry, context: Context, { press, onSyncStarted }: Pressing): Way => {
  switch (to.kind) {
    case "command":
      return { ...entry, ...toCommandWay(entry.label, WAYS[to.name], context, press) };
    case "sync":
      return { ...entry, run: () => startSync(context, to.service, { full: false, onStarted: onSyncStarted }) };
    case "calls":
      return { ...entry, run: () => context.showQsos({ search: `call:${to.call}` }) };
    case "contact":
      return { ...entry, run: () => context.showQsos({ id: String(to.id) }) };
    case "add":
      return { ...entry, run: () => askForQsos(context, { call: to.call }) };
    case "job":
      return { ...entry, run: () => context.showJob(to.id) };
    case "reverse":
      return { ...entry, run: () => askToRollBack(context, to.job) };
    case "search":
      return { ...entry, says: "2/", run: () => context.showQsos({ search: to.search }) };
    case "award":
      return {
        ...entry,
        says: to.isNeeded ? "3 w" : "3",
        run: () => context.showAward(to),
      };
  }
};

const toCommandWay = (
  label: string,
  way: (typeof WAYS)[CommandName],
  context: Context,
  press: Pressing["press"],
): Pick<Way, "says" | "run"> => {
  if (way === "browser")
    return { says: "on the pages", run: () => context.say(`${label}: open qsolog in a browser for this.`) };
  if ("run" in way) return { says: "", run: () => way.run(context) };
  if ("keys" in way) return { says: way.keys, run: () => press(toPresses(way.keys)) };
  return { says: way.shell, run: () => context.say(`${label}: quit, then run ${way.shell}`) };
};
