/** @jsxImportSource @kitajs/html */
import { Type } from "typebox";
import { LABELS } from "../../domain/origins/labels.ts";
import { formatIsoDate } from "../../kernel/instant.ts";
import { queryOf } from "../pages/forms.ts";
import { formatUtc } from "../../kernel/time-text.ts";
import { filterEntries } from "../../domain/statistics/palette.ts";
import { SERVICES } from "../../domain/jobs/source.ts";
import { findDestination, type AwardDestination, type Destination } from "../../logbook/command-palette.ts";
import { Go, type GoProps } from "../../../views/pages/go.tsx";
import { PLACES } from "../../../views/partials/keys.tsx";
import { pageRoute } from "../pages/page-route.ts";
import { only } from "../http/shapes.ts";
import { PALETTE_TEXTS } from "../../../views/texts/palette.ts";
import { TEXTS } from "../../../views/texts/shared.ts";

const WORDS = PALETTE_TEXTS;

type Way = GoProps["found"][number] & { also?: string };

const SETTINGS = [
  ["content", WORDS.schedule, WORDS.scheduleAlso],
  ["notices-title", WORDS.notifications, WORDS.notificationsAlso],
  ["profile-section", WORDS.profile, WORDS.profileAlso],
  ["password-section", WORDS.password, ""],
  ["second-factor", WORDS.factor, WORDS.factorAlso],
  ["sessions", WORDS.sessions, WORDS.sessionsAlso],
  ["tokens", WORDS.tokens, ""],
  ["programs", WORDS.programs, WORDS.programsAlso],
  ["identities", WORDS.identities, WORDS.identitiesAlso],
  ["leaving", WORDS.deleteAccount, WORDS.deleteAccountAlso],
] as const;

const PAGES: readonly Way[] = [
  ...PLACES.map(({ path, name, key }) => ({ label: name, path: path || "./", keys: key })),
  { label: WORDS.newQso, path: "log/add", also: WORDS.newQsoAlso, keys: "n" },
  { label: WORDS.import, path: "log/import", also: WORDS.importAlso },
  { label: WORDS.export, path: "api/qsos/export", also: WORDS.exportAlso },
  { label: WORDS.bulkEdit, path: "repair", also: WORDS.bulkEditAlso },
  { label: WORDS.duplicates, path: "duplicates", also: WORDS.duplicatesAlso },
  { label: WORDS.compare, path: "reconcile", also: WORDS.compareAlso },
  { label: WORDS.unresolved, path: "reconcile?class=leftovers", also: WORDS.unresolvedAlso },
  ...SETTINGS.map(([id, label, also]) => ({ label, path: `settings#${id}`, says: WORDS.saysSettings, also })),
  { label: WORDS.signOut, path: "logout", isDone: true, also: WORDS.signOutAlso },
  ...SERVICES.map((service) => ({ label: WORDS.sync(LABELS[service]), path: `sync/${service}`, isDone: true })),
];

const ADMINISTRATION: readonly Way[] = [
  { label: WORDS.admin, path: "admin", also: WORDS.adminAlso },
  { label: WORDS.users, path: "admin/users", also: WORDS.usersAlso },
  { label: WORDS.actions, path: "admin/actions", also: WORDS.actionsAlso },
  { label: WORDS.acted, path: "admin/actions?action=impersonate", also: WORDS.actedAlso },
];

const search = (words: string): string => `log?${new URLSearchParams({ search: words })}`;

/** Callsigns first, then what is found by name, then the search of the log. */
const waysOf = (destination: Destination, words: string, pages: readonly Way[]): Way[] => {
  const { awards, jobId, calls, contacts, reversible, isSearch } = destination;
  return [
    ...calls.map(({ call, contacts, lastAt }) => ({
      label: call,
      path: search(`call:${call}`),
      says: WORDS.contacts(contacts, formatIsoDate(lastAt)),
    })),
    ...contacts.map(({ id, call, startedAt, band, mode, submode }) => ({
      label: call,
      path: `log/${id}`,
      says: [WORDS.when(formatUtc(startedAt)), band, submode ?? mode].filter(Boolean).join(", "),
    })),
    ...(calls[0] ? [{ label: WORDS.logWith(calls[0].call), path: `log/add?call=${calls[0].call}` }] : []),
    ...(jobId === null ? [] : [{ label: WORDS.job(jobId), path: `jobs/${jobId}` }]),
    ...awards.filter(({ isNeeded }) => isNeeded).map(toAwardWay),
    ...filterEntries([...pages, ...reversible.map(toReversal)], words),
    ...awards.filter(({ isNeeded }) => !isNeeded).map(toAwardWay),
    ...(isSearch ? [{ label: WORDS.search(words.trim()), path: search(words.trim()), keys: "/" }] : []),
  ];
};

const toAwardWay = ({ id, label, isNeeded, isListed, band, group }: AwardDestination): Way => {
  const where = [band && WORDS.on(band), group && WORDS.in(group)].filter(Boolean);
  const show = isNeeded && isListed ? "needed" : undefined;
  const query = queryOf({ band: band ?? undefined, group: group ?? undefined, show });
  return {
    label: [label, ...(isNeeded ? [WORDS.needed] : []), ...where].join(" "),
    path: `awards/${id}${query}`,
    says: WORDS.award,
  };
};

const toReversal = ({ id, source, actions, createdAt }: Destination["reversible"][number]): Way => {
  const [verb, path] = actions.rollback ? ([WORDS.rollBack, "rollback"] as const) : ([WORDS.undo, "undo"] as const);
  const also = WORDS.reversalAlso;
  return {
    label: WORDS.reversal(verb, LABELS[source], id),
    path: `jobs/${id}/${path}`,
    says: WORDS.when(formatUtc(createdAt)),
    also,
  };
};

const Words = only({ words: Type.Optional(Type.String({ maxLength: 200 })) });

export const goPages = [
  pageRoute({ path: "/go", access: "user", query: Words }, async ({ app, asker, caller, query: { words = "" } }) => {
    const pages = caller.user.isAdmin ? [...PAGES, ...ADMINISTRATION] : PAGES;
    return {
      title: TEXTS.keys.goTo,
      body: <Go words={words} found={waysOf(await findDestination(app, asker, words), words, pages)} />,
    };
  }),
];
