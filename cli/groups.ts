import type { Command } from "commander";
import type { Shell } from "./shell.ts";

export interface Group {
  name: string;
  /** Also the description of its command, unless that has one of its own. */
  summary: string;
  /** It needs all other groups, for example to list their commands. */
  seesAll?: boolean;
  /** Its commands can also use a server. */
  isRemote?: true;
  /** A group's file is loaded only when one of its commands is used. */
  load: () => Promise<{ register(program: Command, shell: Shell): void }>;
}

/** Everyday commands that also work without the name of their group. */
const SHORT_FORMS = new Map([
  ["import", "qso"],
  ["export", "qso"],
  ["add", "qso"],
  ["edit", "qso"],
]);

/** Turns `import FILE` into `qso import FILE`. */
export const expandShortForm = (words: readonly string[]): readonly string[] => {
  const at = words.findIndex((word) => !word.startsWith("-"));
  const group = SHORT_FORMS.get(words[at] ?? "");
  return group === undefined ? words : [...words.slice(0, at), group, ...words.slice(at)];
};

/** The sections of the help. Other groups are in the last one. */
const SECTIONS: readonly (readonly [heading: string, groups: readonly string[]])[] = [
  ["Every day:", ["tui", "qso", "sync", "stats", "awards", "need", "news", "jobs"]],
  ["Put things right:", ["rollback", "repair", "reconcile", "duplicates"]],
  ["Your accounts and programs:", ["service", "schedule", "listen", "notify", "login", "logout", "account", "token"]],
  ["Server:", []],
];

export const getSection = (name: string): string =>
  (SECTIONS.find(([, groups]) => groups.includes(name)) ?? SECTIONS.at(-1)!)[0];

/** The groups by section, as the help lists them. */
export const listBySection = (): Group[] =>
  SECTIONS.flatMap(([heading, names]) =>
    GROUPS.filter(({ name }) => getSection(name) === heading).toSorted(
      (a, b) => names.indexOf(a.name) - names.indexOf(b.name),
    ),
  );

export const GROUPS: readonly Group[] = [
  { name: "serve", summary: "run the server", load: () => import("./commands/serve.ts") },
  { name: "logs", summary: "show the server's log", load: () => import("./commands/logs.ts") },
  {
    name: "demo",
    summary: "try qsolog with a sample log and simulated services",
    load: () => import("./commands/demo.ts"),
  },
  {
    name: "tui",
    summary: "browse the log and sync in a full-screen terminal",
    isRemote: true,
    load: () => import("./commands/tui.ts"),
  },
  {
    name: "sync",
    summary: "download contacts and confirmations from the services",
    isRemote: true,
    load: () => import("./commands/sync.ts"),
  },
  {
    name: "jobs",
    summary: "show syncs, imports and other jobs",
    isRemote: true,
    load: () => import("./commands/jobs.ts"),
  },
  {
    name: "rollback",
    summary: "roll back the changes of a job",
    isRemote: true,
    load: () => import("./commands/rollback.ts"),
  },
  {
    name: "repair",
    summary: "bulk edit: change or delete many QSOs as one job",
    isRemote: true,
    load: () => import("./commands/repair.ts"),
  },
  {
    name: "reconcile",
    summary: "compare the log with both services",
    isRemote: true,
    load: () => import("./commands/reconcile.ts"),
  },
  {
    name: "duplicates",
    summary: "find and merge QSOs that were logged twice",
    isRemote: true,
    load: () => import("./commands/duplicates.ts"),
  },
  {
    name: "awards",
    summary: "show awards and what is still needed",
    isRemote: true,
    load: () => import("./commands/awards.ts"),
  },
  {
    name: "need",
    summary: "show which awards a callsign would help",
    isRemote: true,
    load: () => import("./commands/need.ts"),
  },
  {
    name: "news",
    summary: "show new entities, slots and confirmations",
    isRemote: true,
    load: () => import("./commands/news.ts"),
  },
  {
    name: "service",
    summary: "manage your accounts at the logbook services",
    isRemote: true,
    load: () => import("./commands/service.ts"),
  },
  {
    name: "schedule",
    summary: "show or change when services sync automatically",
    isRemote: true,
    load: () => import("./commands/schedule.ts"),
  },
  {
    name: "listen",
    summary: "receive contacts from WSJT-X, N1MM and other programs",
    isRemote: true,
    load: () => import("./commands/listen.ts"),
  },
  {
    name: "notify",
    summary: "send notices about a log to webhooks and ntfy topics",
    isRemote: true,
    load: () => import("./commands/notify.ts"),
  },
  {
    name: "login",
    summary: "sign in to a server, so that commands use it",
    load: () => import("./commands/login.ts"),
  },
  { name: "logout", summary: "sign out of a server", load: () => import("./commands/logout.ts") },
  {
    name: "account",
    summary: "show account activity and manage the second factor",
    load: () => import("./commands/account.ts"),
  },
  { name: "token", summary: "manage API tokens for other programs", load: () => import("./commands/token.ts") },
  { name: "stats", summary: "show the statistics of a log", isRemote: true, load: () => import("./commands/stats.ts") },
  {
    name: "qso",
    summary: "list, show, add, edit, delete, import and export QSOs",
    isRemote: true,
    load: () => import("./commands/qso.ts"),
  },
  {
    name: "user",
    summary: "create, invite, list and delete users, set passwords",
    load: () => import("./commands/user.ts"),
  },
  {
    name: "admin",
    summary: "create, promote, demote, list and check administrators",
    load: () => import("./commands/admin.ts"),
  },
  { name: "audit", summary: "show what administrators did", load: () => import("./commands/audit.ts") },
  {
    name: "country",
    summary: "show or replace the country file, which maps callsigns to entities",
    load: () => import("./commands/country.ts"),
  },
  { name: "db", summary: "manage the database", load: () => import("./commands/db.ts") },
  {
    name: "doctor",
    summary: "check the installation and suggest fixes",
    load: () => import("./commands/doctor.ts"),
  },
  { name: "config", summary: "show the configuration in effect", load: () => import("./commands/config.ts") },
  {
    name: "healthcheck",
    summary: "check that the running server is healthy",
    load: () => import("./commands/healthcheck.ts"),
  },
  {
    name: "completion",
    summary: "print the completion script for a shell",
    load: () => import("./commands/completion.ts"),
  },
  { name: "man", summary: "print the manual page", seesAll: true, load: () => import("./commands/man.ts") },
];
