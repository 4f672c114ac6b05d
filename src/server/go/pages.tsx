/** @jsxImportSource @kitajs/html */
import { Type } from "typebox";
import { LABELS } from "../../domain/origins/labels.ts";
import { formatUtc } from "../../kernel/time-text.ts";
import { filterEntries } from "../../domain/statistics/palette.ts";
import { SERVICES } from "../../domain/jobs/source.ts";
import { findDestination, type Destination } from "../../logbook/command-palette.ts";
import { Go, type GoProps } from "../../../views/pages/go.tsx";
import { PLACES } from "../../../views/partials/keys.tsx";
import { pageRoute } from "../pages/page-route.ts";
import { only } from "../http/shapes.ts";

type Way = GoProps["found"][number] & { also?: string };

const PAGES: readonly Way[] = [
  ...PLACES.map(({ path, name }) => ({ label: name, path: path || "./" })),
  { label: "New QSO", path: "log/add", also: "add log enter contact" },
  { label: "Import a file", path: "log/import", also: "adif upload" },
  { label: "Export everything as ADIF", path: "api/qsos/export", also: "download backup" },
  { label: "Bulk edit", path: "repair", also: "repair change edit many" },
  { label: "Duplicates", path: "duplicates", also: "merge twice" },
  { label: "Compare with the services", path: "reconcile", also: "reconcile missing" },
  { label: "Unresolved records", path: "reconcile?class=leftovers", also: "leftovers left over unmatched" },
  ...SERVICES.map((service) => ({ label: `Sync ${LABELS[service]} now`, path: `sync/${service}`, isDone: true })),
];

const ADMINISTRATION: readonly Way[] = [
  { label: "Administration", path: "admin", also: "admin" },
  { label: "Users", path: "admin/users", also: "admin accounts" },
  { label: "Action log", path: "admin/actions", also: "admin audit" },
];

const search = (words: string): string => `log?${new URLSearchParams({ search: words })}`;

/** Contacts with a similar callsign first, then pages and awards by name, then the search of the log. */
const waysOf = ({ awards, jobId, contacts, isSearch }: Destination, words: string, pages: readonly Way[]): Way[] => [
  ...contacts.map(({ id, call, startedAt, band, mode, submode }) => ({
    label: call,
    path: `log/${id}`,
    says: [`${formatUtc(startedAt)} UTC`, band, submode ?? mode].filter(Boolean).join(" · "),
  })),
  ...(jobId === null ? [] : [{ label: `Job ${jobId}`, path: `jobs/${jobId}` }]),
  ...filterEntries(pages, words),
  ...awards.map(({ id, label }) => ({ label, path: `awards/${id}`, says: "award" })),
  ...(isSearch ? [{ label: `Search the log for ${words.trim()}`, path: search(words.trim()) }] : []),
];

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
