/** @jsxImportSource @kitajs/html */
import { Type } from "typebox";
import { LABELS } from "../../domain/origins/labels.ts";
import { formatIsoDate } from "../../kernel/instant.ts";
import { formatCount } from "../../kernel/number-text.ts";
import { queryOf } from "../pages/forms.ts";
import { formatUtc } from "../../kernel/time-text.ts";
import { filterEntries } from "../../domain/statistics/palette.ts";
import { SERVICES } from "../../domain/jobs/source.ts";
import { findDestination, type AwardDestination, type Destination } from "../../logbook/command-palette.ts";
import { Go, type GoProps } from "../../../views/pages/go.tsx";
import { PLACES } from "../../../views/partials/keys.tsx";
import { pageRoute } from "../pages/page-route.ts";
import { only } from "../http/shapes.ts";

type Way = GoProps["found"][number] & { also?: string };

const SETTINGS = [
  ["content", "Set the schedule", "auto-sync automatic interval hours"],
  ["notices-title", "Notifications", "alerts email"],
  ["profile-section", "Profile", "callsign name email"],
  ["password-section", "Change password", ""],
  ["second-factor", "Second factor", "passkey authenticator 2fa"],
  ["sessions", "Sessions", "sign-ins devices"],
  ["tokens", "API tokens", ""],
  ["programs", "Logging programs", "wsjt-x n1mm wavelog key"],
  ["identities", "Linked accounts", "single sign-on"],
  ["leaving", "Delete account", "leave"],
] as const;

const PAGES: readonly Way[] = [
  ...PLACES.map(({ path, name, key }) => ({ label: name, path: path || "./", keys: key })),
  { label: "New QSO", path: "log/add", also: "add log enter contact", keys: "n" },
  { label: "Import a file", path: "log/import", also: "adif upload" },
  { label: "Export everything as ADIF", path: "api/qsos/export", also: "download backup" },
  { label: "Bulk edit", path: "repair", also: "repair change edit many" },
  { label: "Duplicates", path: "duplicates", also: "merge twice" },
  { label: "Compare with the services", path: "reconcile", also: "reconcile missing" },
  { label: "Unresolved records", path: "reconcile?class=leftovers", also: "leftovers left over unmatched" },
  ...SETTINGS.map(([id, label, also]) => ({ label, path: `settings#${id}`, says: "settings", also })),
  { label: "Sign out", path: "logout", isDone: true, also: "log out exit" },
  ...SERVICES.map((service) => ({ label: `Sync ${LABELS[service]} now`, path: `sync/${service}`, isDone: true })),
];

const ADMINISTRATION: readonly Way[] = [
  { label: "Administration", path: "admin", also: "admin" },
  { label: "Users", path: "admin/users", also: "admin accounts" },
  { label: "Action log", path: "admin/actions", also: "admin audit" },
  { label: "Who acted as whom", path: "admin/actions?action=impersonate", also: "impersonate impersonation admin" },
];

const search = (words: string): string => `log?${new URLSearchParams({ search: words })}`;

/** Callsigns first, then what is found by name, then the search of the log. */
const waysOf = (destination: Destination, words: string, pages: readonly Way[]): Way[] => {
  const { awards, jobId, calls, contacts, reversible, isSearch } = destination;
  return [
    ...calls.map(({ call, contacts, lastAt }) => ({
      label: call,
      path: search(`call:${call}`),
      says: `${formatCount(contacts, "contact")}, last ${formatIsoDate(lastAt)}`,
    })),
    ...contacts.map(({ id, call, startedAt, band, mode, submode }) => ({
      label: call,
      path: `log/${id}`,
      says: [`${formatUtc(startedAt)} UTC`, band, submode ?? mode].filter(Boolean).join(", "),
    })),
    ...(calls[0] ? [{ label: `Log a contact with ${calls[0].call}`, path: `log/add?call=${calls[0].call}` }] : []),
    ...(jobId === null ? [] : [{ label: `Job ${jobId}`, path: `jobs/${jobId}` }]),
    ...awards.filter(({ isNeeded }) => isNeeded).map(toAwardWay),
    ...filterEntries([...pages, ...reversible.map(toReversal)], words),
    ...awards.filter(({ isNeeded }) => !isNeeded).map(toAwardWay),
    ...(isSearch ? [{ label: `Search the log for ${words.trim()}`, path: search(words.trim()), keys: "/" }] : []),
  ];
};

const toAwardWay = ({ id, label, isNeeded, band, group }: AwardDestination): Way => {
  const where = [band && `on ${band}`, group && `in ${group}`].filter(Boolean);
  const query = queryOf({ band: band ?? undefined, group: group ?? undefined });
  return {
    label: [label, ...(isNeeded ? ["needed"] : []), ...where].join(" "),
    path: `awards/${id}${query}`,
    says: "award",
  };
};

const toReversal = ({ id, source, actions, createdAt }: Destination["reversible"][number]): Way => {
  const [verb, path] = actions.rollback ? ["Roll back", "rollback"] : ["Undo", "undo"];
  const also = "undo roll back revert import sync";
  return {
    label: `${verb} ${LABELS[source]} ${id}`,
    path: `jobs/${id}/${path}`,
    says: `${formatUtc(createdAt)} UTC`,
    also,
  };
};

const Words = only({ words: Type.Optional(Type.String({ maxLength: 200 })) });

export const goPages = [
  pageRoute({ path: "/go", access: "user", query: Words }, async ({ app, asker, caller, query: { words = "" } }) => {
    const pages = caller.user.isAdmin ? [...PAGES, ...ADMINISTRATION] : PAGES;
    return {
      title: "Go to",
      body: <Go words={words} found={waysOf(await findDestination(app, asker, words), words, pages)} />,
    };
  }),
];
