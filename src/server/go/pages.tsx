/** @jsxImportSource @kitajs/html */
import { Type } from "typebox";
import type { CommandName } from "../../domain/statistics/commands.ts";
import { queryOf } from "../pages/forms.ts";
import { findCalls, findNamed, type Destination, type FoundEntry } from "../../logbook/command-palette.ts";
import { listJobs } from "../../logbook/jobs.ts";
import { createPaletteSource } from "../../logbook/contacts.ts";
import { Go, type GoProps } from "../../../views/pages/go.tsx";
import { PLACES } from "../../../views/partials/keys.tsx";
import { pageRoute } from "../pages/page-route.ts";
import { only } from "../http/shapes.ts";
import { TEXTS } from "../../../views/texts/shared.ts";

type Way = GoProps["found"][number];

const PATHS: Record<CommandName, string> = {
  dashboard: "./",
  log: "log",
  awards: "awards",
  statistics: "statistics",
  jobs: "jobs",
  settings: "settings",
  add: "log/add",
  import: "log/import",
  export: "api/qsos/export",
  edit: "repair",
  duplicates: "duplicates",
  compare: "reconcile",
  unresolved: "reconcile?class=leftovers",
  schedule: "settings#content",
  notifications: "settings#notices",
  profile: "settings#profile-section",
  password: "settings#password-section",
  secondFactor: "settings#second-factor",
  sessions: "settings#sessions",
  tokens: "settings#tokens",
  programs: "settings#programs",
  identities: "settings#identities",
  deleteAccount: "settings#leaving",
  signOut: "logout",
  administration: "admin",
  users: "admin/users",
  actions: "admin/actions",
  actedAs: "admin/actions?action=impersonate",
};

const ADMINISTRATION: readonly CommandName[] = ["administration", "users", "actions", "actedAs"];
const ALL = Object.keys(PATHS) as CommandName[];
const OF_USERS = ALL.filter((name) => !ADMINISTRATION.includes(name));

const search = (words: string): string => `log?${new URLSearchParams({ search: words })}`;

const toWay = ({ label, says, to }: FoundEntry): Way => ({ label, ...(says && { says }), ...findWay(to) });

const findWay = (to: Destination): Omit<Way, "label"> => {
  switch (to.kind) {
    case "command":
      return toCommandWay(to.name);
    case "sync":
      return { path: `sync/${to.service}`, isDone: true };
    case "calls":
      return { path: search(`call:${to.call}`) };
    case "add":
      return { path: `log/add?call=${to.call}` };
    case "contact":
      return { path: `log/${to.id}` };
    case "job":
      return { path: `jobs/${to.id}` };
    case "reverse":
      return { path: `jobs/${to.job.id}/${to.job.actions.rollback ? "rollback" : "undo"}` };
    case "search":
      return { path: search(to.search), keys: "/" };
    case "award": {
      const show = to.isNeeded && to.isListed ? "needed" : undefined;
      return { path: `awards/${to.id}${queryOf({ band: to.band ?? undefined, group: to.group ?? undefined, show })}` };
    }
  }
};

const toCommandWay = (name: CommandName): Omit<Way, "label"> => {
  const path = PATHS[name];
  if (path.startsWith("settings#")) return { path, says: TEXTS.places.settings.toLowerCase() };
  if (name === "signOut") return { path, isDone: true };
  const keys = name === "add" ? "n" : PLACES.find((place) => (place.path || "./") === path)?.key;
  return { path, ...(keys && { keys }) };
};

const Words = only({ words: Type.Optional(Type.String({ maxLength: 200 })) });

export const goPages = [
  pageRoute("/go", {
    query: Words,
    async page({ app, asker, caller, query: { words = "" } }) {
      const commands = caller.user.isAdmin ? ALL : OF_USERS;
      const { jobs } = await listJobs(app, asker, {});
      const found = [...(await findCalls(createPaletteSource(app, asker), words)), ...findNamed(commands, jobs, words)];
      return {
        title: TEXTS.keys.goTo,
        body: <Go words={words} found={found.map(toWay)} />,
      };
    },
  }),
];
