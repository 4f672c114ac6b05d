import type { Command } from "commander";
import type { Shell } from "./shell.ts";

interface Loaded {
  register(program: Command, shell: Shell): void;
}

export interface Group {
  /** Its heading in the help. */
  section: string;
  name: string;
  /** Also the description of its command, unless that has one of its own. */
  summary: string;
  /** Its commands can also use a server. */
  isRemote: boolean;
  /** A group's file is loaded only when one of its commands is used. */
  load: () => Promise<Loaded>;
}

type Entry = Omit<Group, "section">;

const local = (name: string, summary: string, load: Entry["load"]): Entry => ({ name, summary, isRemote: false, load });
const remote = (name: string, summary: string, load: Entry["load"]): Entry => ({ name, summary, isRemote: true, load });

/** This group needs all others, to list their commands. */
export const MANUAL = "man";

/** The groups of commands, in the order of the help. */
const SECTIONS: Record<string, readonly Entry[]> = {
  "Every day:": [
    remote("tui", "browse the log and sync in a full-screen terminal", () => import("./commands/tui.ts")),
    remote("qso", "list, show, add, edit, delete, import and export QSOs", () => import("./commands/qso.ts")),
    remote("sync", "download contacts and confirmations from the services", () => import("./commands/sync.ts")),
    remote("stats", "show the statistics of a log", () => import("./commands/stats.ts")),
    remote("awards", "show awards and what is still needed", () => import("./commands/awards.ts")),
    remote("need", "show which awards a callsign would help", () => import("./commands/need.ts")),
    remote("news", "show new entities, slots and confirmations", () => import("./commands/news.ts")),
    remote("jobs", "show syncs, imports and other jobs", () => import("./commands/jobs.ts")),
  ],
  "Put things right:": [
    remote("rollback", "roll back the changes of a job", () => import("./commands/rollback.ts")),
    remote("repair", "bulk edit: change or delete many QSOs as one job", () => import("./commands/repair.ts")),
    remote("reconcile", "compare the log with both services", () => import("./commands/reconcile.ts")),
    remote("duplicates", "find and merge QSOs that were logged twice", () => import("./commands/duplicates.ts")),
  ],
  "Your accounts and programs:": [
    remote("service", "manage your accounts at the logbook services", () => import("./commands/service.ts")),
    remote("schedule", "show or change when services sync automatically", () => import("./commands/schedule.ts")),
    remote("listen", "receive contacts from WSJT-X, N1MM and other programs", () => import("./commands/listen.ts")),
    remote("notify", "send notices about a log to webhooks and ntfy topics", () => import("./commands/notify.ts")),
    local("login", "sign in to a server, so that commands use it", () => import("./commands/login.ts")),
    local("logout", "sign out of a server", () => import("./commands/logout.ts")),
    local("account", "show account activity and manage the second factor", () => import("./commands/account.ts")),
    local("token", "manage API tokens for other programs", () => import("./commands/token.ts")),
  ],
  "Server:": [
    local("serve", "run the server", () => import("./commands/serve.ts")),
    local("logs", "show the server's log", () => import("./commands/logs.ts")),
    local("demo", "try qsolog with a sample log and simulated services", () => import("./commands/demo.ts")),
    local("user", "create, invite, list and delete users, set passwords", () => import("./commands/user.ts")),
    local("admin", "create, promote, demote, list and check administrators", () => import("./commands/admin.ts")),
    local("audit", "show what administrators did", () => import("./commands/audit.ts")),
    local(
      "country",
      "show or replace the country file, which maps callsigns to entities",
      () => import("./commands/country.ts"),
    ),
    local("db", "manage the database", () => import("./commands/db.ts")),
    local("doctor", "check the installation and suggest fixes", () => import("./commands/doctor.ts")),
    local("config", "show the configuration in effect", () => import("./commands/config.ts")),
    local("healthcheck", "check that the running server is healthy", () => import("./commands/healthcheck.ts")),
    local("completion", "print the completion script for a shell", () => import("./commands/completion.ts")),
    local(MANUAL, "print the manual page", () => import("./commands/man.ts")),
  ],
};

export const GROUPS: readonly Group[] = Object.entries(SECTIONS).flatMap(([section, groups]) =>
  groups.map((group) => ({ section, ...group })),
);

/** Commands of `qso` that also work without it. */
const SHORT_FORMS: readonly string[] = ["import", "export", "add", "edit"];

/** Turns `import FILE` into `qso import FILE`. */
export const expandShortForm = (words: readonly string[]): readonly string[] => {
  const at = words.findIndex((word) => !word.startsWith("-"));
  return SHORT_FORMS.includes(words[at] ?? "") ? words.toSpliced(at, 0, "qso") : words;
};
