import type { Command } from "commander";
import type { Shell } from "./shell.ts";

export interface Group {
  name: string;
  summary: string;
  /** Needs every other group beside it, to tell of them. */
  seesAll?: boolean;
  /** Its commands can ask a server too. */
  isRemote?: true;
  /** A group's file is read only when one of its commands is asked for. */
  load: () => Promise<{ register(program: Command, shell: Shell): void }>;
}

export const GROUPS: readonly Group[] = [
  { name: "serve", summary: "run the server", load: () => import("./commands/serve.ts") },
  { name: "demo", summary: "serve a ready world to try everything in", load: () => import("./commands/demo.ts") },
  {
    name: "tui",
    summary: "look at the log on the whole screen, and sync",
    isRemote: true,
    load: () => import("./commands/tui.ts"),
  },
  { name: "sync", summary: "download from the services", isRemote: true, load: () => import("./commands/sync.ts") },
  {
    name: "jobs",
    summary: "show what syncs and imports did",
    isRemote: true,
    load: () => import("./commands/jobs.ts"),
  },
  {
    name: "rollback",
    summary: "take back what a job did",
    isRemote: true,
    load: () => import("./commands/rollback.ts"),
  },
  {
    name: "awards",
    summary: "show awards and what they need",
    isRemote: true,
    load: () => import("./commands/awards.ts"),
  },
  {
    name: "news",
    summary: "show what syncs and imports newly brought",
    isRemote: true,
    load: () => import("./commands/news.ts"),
  },
  {
    name: "service",
    summary: "the accounts at the services",
    isRemote: true,
    load: () => import("./commands/service.ts"),
  },
  {
    name: "schedule",
    summary: "when the services are synced by themselves",
    isRemote: true,
    load: () => import("./commands/schedule.ts"),
  },
  {
    name: "login",
    summary: "sign in to a server, so that commands can ask it",
    load: () => import("./commands/login.ts"),
  },
  { name: "logout", summary: "sign out of a server", load: () => import("./commands/logout.ts") },
  { name: "token", summary: "API tokens for programs", load: () => import("./commands/token.ts") },
  { name: "stats", summary: "show the statistics of a log", isRemote: true, load: () => import("./commands/stats.ts") },
  {
    name: "qso",
    summary: "list, show, add, edit, delete, import and export QSOs",
    isRemote: true,
    load: () => import("./commands/qso.ts"),
  },
  { name: "user", summary: "create, list and delete users, set passwords", load: () => import("./commands/user.ts") },
  {
    name: "admin",
    summary: "create, promote, demote, list and check administrators",
    load: () => import("./commands/admin.ts"),
  },
  { name: "audit", summary: "show what administrators did", load: () => import("./commands/audit.ts") },
  {
    name: "country",
    summary: "show and replace the file that tells entities from callsigns",
    load: () => import("./commands/country.ts"),
  },
  { name: "db", summary: "look after the database", load: () => import("./commands/db.ts") },
  {
    name: "doctor",
    summary: "look whether all is well, and say what to do where it is not",
    load: () => import("./commands/doctor.ts"),
  },
  { name: "config", summary: "show the configuration in force", load: () => import("./commands/config.ts") },
  {
    name: "healthcheck",
    summary: "ask the running server whether it is well",
    load: () => import("./commands/healthcheck.ts"),
  },
  {
    name: "completion",
    summary: "write what completes qsolog's words in a shell",
    seesAll: true,
    load: () => import("./commands/completion.ts"),
  },
  { name: "man", summary: "write the manual page", seesAll: true, load: () => import("./commands/man.ts") },
];
