/** @jsxImportSource @kitajs/html */
import { Type } from "typebox";
import { parseDay } from "../../kernel/day.ts";
import { SERVICES, type Service } from "../../domain/jobs/source.ts";
import { AppError } from "../../kernel/errors.ts";
import { connectService } from "../../logbook/connect.ts";
import { changeSchedule, type SettingsChange } from "../../logbook/schedule.ts";
import { NOTICE_EVENTS, TARGET_KINDS } from "../../domain/people/notice.ts";
import { addTarget, changeTarget, listTargets, removeTarget, testTarget } from "../../logbook/notices.ts";
import { clearCredentials, serviceSetups, setCredentials, testCredentials } from "../../logbook/services.ts";
import { changePassword, changeProfile, deleteOwnAccount, signOutEverywhere } from "../../people/account.ts";
import { listEvents } from "../../people/events.ts";
import { getFactors, takesPasskeys } from "../../people/factors.ts";
import { listIdentities } from "../../people/identities.ts";
import { getUserById } from "../../people/get-user.ts";
import { endSession, signIns } from "../../people/sessions.ts";
import { createOwnToken, revokeToken } from "../../people/tokens.ts";
import type { Outcome } from "../../../views/form.tsx";
import type { SettingUp } from "../../../views/partials/second-factor.tsx";
import { Settings, SETTINGS_TABS, type SettingsTab } from "../../../views/pages/settings.tsx";
import { clientOf } from "../http/client-address.ts";
import { noCookie, SESSION_COOKIE } from "../http/cookies.ts";
import { assertTyped, fitForm } from "../pages/forms.ts";
import { IdParam, only, ServiceParam, Short, words } from "../http/shapes.ts";
import { formRoute, pageRoute, type PageCall } from "../pages/page-route.ts";
import { SETTINGS_TEXTS } from "../../../views/texts/settings.ts";

const DoneQuery = only({ done: Type.Optional(Type.String({ maxLength: 40 })) });
const Secret = Type.String({ maxLength: 1000 });
const Interval = Type.Optional(Type.String({ maxLength: 20 }));
const ScheduleForm = only(
  Object.fromEntries(SERVICES.flatMap((source) => [source, `${source}-hours`].map((name) => [name, Interval]))),
);
const ProfileForm = only({ callsign: Type.Optional(Short), email: Type.Optional(Short) });
const PasswordForm = only({
  current: Type.Optional(Secret),
  password: Secret,
  revokeTokens: Type.Optional(Type.Literal("on")),
});
const SessionParam = only({ id: Type.String({ minLength: 1, maxLength: 100 }) });
const TokenForm = only({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  scope: Type.Unsafe<"read" | "write">(Type.Enum(["read", "write"])),
  expires: Type.Optional(Type.String({ maxLength: 40 })),
});
const chosen = Object.fromEntries(NOTICE_EVENTS.map((event) => [event, Type.Optional(Type.Literal("on"))]));
const EventsForm = only(chosen);
const NoticeForm = only({
  kind: words(TARGET_KINDS),
  url: Type.String({ maxLength: 1000 }),
  token: Type.Optional(Secret),
  ...chosen,
});
const KeyForm = only({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  form: Type.Unsafe<"v1" | "v2">(Type.Enum(["v1", "v2"])),
  scope: Type.Unsafe<"feed" | "lookup">(Type.Enum(["feed", "lookup"])),
});
const LeaveForm = only({ name: Short, password: Type.Optional(Secret) });

/** Account settings cannot be changed while acting as a user. */
const own = { access: "user", notWhileImpersonating: true } as const;

/** What a form created and the page shows only once. */
interface Made extends SettingUp {
  newToken?: string;
  newKey?: string;
  programKey?: string;
}

/** The address for programs: the configured one, or that of the browser. */
const baseOf = ({ app, request }: PageCall): string => app.config.baseUrl ?? new URL(request.url).origin;

/** The page on which the form of an address is. */
const TAB_OF_FORM: Record<string, SettingsTab> = {
  notices: "notifications",
  profile: "profile",
  password: "security",
  factors: "security",
  identities: "security",
  sessions: "security",
  "sign-out": "security",
  tokens: "programs",
  keys: "programs",
  delete: "account",
};

const tabOf = ({ request }: PageCall): SettingsTab => {
  const [, word = ""] = /\/settings\/([a-z-]+)/.exec(new URL(request.url).pathname) ?? [];
  return SETTINGS_TABS.find(({ tab }) => tab === word)?.tab ?? TAB_OF_FORM[word] ?? "services";
};

export const settingsPage = async (call: PageCall, outcome: Outcome, made: Made = {}) => {
  const { newToken, newKey, programKey, ...settingUp } = made;
  const { app, asker, caller } = call;
  const isTaking = takesPasskeys(app, clientOf(call));
  const user = await getUserById(app, asker.owner.id);
  const account = caller.impersonatedBy
    ? null
    : {
        ...(await signIns(app, caller)),
        ...(await listEvents(app, asker.owner.id)),
        linked: await listIdentities(app, asker.owner.id),
        factors: await getFactors(app, user),
        takesPasskeys: isTaking,
        settingUp,
      };
  const tab = tabOf(call);
  return {
    title: `${SETTINGS_TABS.find((one) => one.tab === tab)!.name} · ${SETTINGS_TEXTS.page.title}`,
    takesPasskeys: isTaking && account !== null && tab === "security",
    body: (
      <Settings
        tab={tab}
        user={user}
        services={await serviceSetups(app, asker)}
        account={account}
        {...await listTargets(app, asker)}
        hasMail={app.sendMail !== null}
        newToken={newToken}
        newKey={newKey}
        programKey={programKey}
        base={baseOf(call)}
        now={app.clock()}
        {...outcome}
      />
    ),
  };
};

/** The page with the problem next to one of several forms of a kind. */
const besides =
  (form: (call: PageCall, fields: Record<string, string>) => string) =>
  (call: PageCall, { problem, done }: Outcome) =>
    settingsPage(call, { done, ...(problem ? { problem: { ...problem, form: form(call, problem.values) } } : {}) });

const eventsIn = (fields: Record<string, string | undefined>): string[] =>
  NOTICE_EVENTS.filter((event) => fields[event] !== undefined);

const idOf = (call: PageCall): number => (call.params as { id: number }).id;

const sourceOf = (call: PageCall): Service => (call.params as { source: Service }).source;

/** The interval of each service: off, a number of hours from the list, or another one. */
const readSchedules = (fields: Record<string, string | undefined>): SettingsChange =>
  Object.fromEntries(
    SERVICES.flatMap((source): [Service, SettingsChange[Service]][] => {
      const choice = fields[source];
      if (choice === undefined) return [];
      if (choice === "off") return [[source, { enabled: false }]];
      const hours = choice === "other" ? (fields[`${source}-hours`] ?? "") : choice;
      return [[source, { enabled: true, intervalHours: /^\d{1,5}$/.test(hours.trim()) ? Number(hours) : Number.NaN }]];
    }),
  );

/** A wrong interval is a problem of the field for other hours. */
const atHours = (error: unknown): unknown => {
  if (!(error instanceof AppError) || error.fields === undefined) return error;
  const fields = error.fields.map(({ path, message }) => ({ path: `${path.split(".")[0]}-hours`, message }));
  return new AppError(error.code, fields.map(({ message }) => message).join(" "), { fields });
};

const back = "/settings";

export const settingsPages = [
  pageRoute({ path: "/settings", access: "user", query: DoneQuery }, (call) =>
    settingsPage(call, { done: call.query.done }),
  ),
  ...SETTINGS_TABS.filter(({ tab }) => tab !== "services").map(({ path }) =>
    pageRoute({ path: `/${path}`, access: "user", query: DoneQuery }, (call) =>
      settingsPage(call, { done: call.query.done }),
    ),
  ),
  formRoute(
    { path: "/settings/auto-sync", access: "user", form: "schedule", back },
    async ({ app, asker }, fields) => {
      await changeSchedule(app, asker, readSchedules(fitForm(ScheduleForm, fields))).catch((error: unknown) => {
        throw atHours(error);
      });
      return "schedule";
    },
    settingsPage,
  ),
  formRoute(
    {
      path: "/settings/credentials/:source/connect",
      ...own,
      confirmed: true,
      params: ServiceParam,
      form: "connect",
      back,
    },
    async (call, fields) => {
      const { source } = call.params;
      const { job } = await connectService(call.app, call.asker, { source, fields, client: clientOf(call) });
      return `connected-${source}-${job.id}`;
    },
    besides((call) => `connect-${sourceOf(call)}`),
  ),
  formRoute(
    { path: "/settings/credentials/:source", ...own, confirmed: true, params: ServiceParam, form: "credentials", back },
    async (call, fields) => {
      const { app, asker, params } = call;
      await setCredentials(app, asker, params.source, fields, clientOf(call));
      return `credentials-${params.source}`;
    },
    besides((call) => `credentials-${sourceOf(call)}`),
  ),
  formRoute(
    { path: "/settings/credentials/:source/test", ...own, params: ServiceParam, form: "test", back },
    async ({ app, asker, params, request }) => {
      await testCredentials(app, asker, params.source, request.signal);
      return `tested-${params.source}`;
    },
    besides((call) => `test-${sourceOf(call)}`),
  ),
  formRoute(
    { path: "/settings/credentials/:source/clear", ...own, confirmed: true, params: ServiceParam, form: "clear", back },
    async (call) => {
      const { app, asker, params } = call;
      await clearCredentials(app, asker, params.source, clientOf(call));
      return `cleared-${params.source}`;
    },
    besides((call) => `clear-${sourceOf(call)}`),
  ),
  formRoute(
    { path: "/settings/profile", ...own, confirmed: true, form: "profile", back: "/settings/profile" },
    async (call, fields) => {
      const { callsign = null, email = null } = fitForm(ProfileForm, fields);
      await changeProfile(call.app, call.caller.user, { callsign, email }, clientOf(call));
      return "profile";
    },
    settingsPage,
  ),
  formRoute(
    { path: "/settings/password", ...own, form: "password", back: "/settings/security" },
    async (call, fields) => {
      const { current, password, revokeTokens } = fitForm(PasswordForm, fields);
      const change = { current, next: password, revokeTokens: revokeTokens !== undefined };
      await changePassword(call.app, call.caller, change, clientOf(call));
      return "password";
    },
    settingsPage,
  ),
  formRoute(
    { path: "/settings/sessions/:id/end", ...own, params: SessionParam, form: "session", back: "/settings/security" },
    async ({ app, caller, params }) => {
      await endSession(app, caller, params.id);
      return "session";
    },
    settingsPage,
  ),
  formRoute(
    { path: "/settings/sign-out", ...own, form: "sign-out", back: "/settings/security" },
    async (call) => {
      await signOutEverywhere(call.app, call.caller, clientOf(call));
      call.header("set-cookie", noCookie(call.app.config, SESSION_COOKIE));
      return { goto: "/login?done=out" };
    },
    settingsPage,
  ),
  formRoute(
    { path: "/settings/tokens", ...own, confirmed: true, form: "token", back: "/settings/programs" },
    async (call, fields) => {
      const { name, scope, expires } = fitForm(TokenForm, fields);
      const expiresAt = expires === undefined ? null : parseDay(expires, "expires", true);
      const { token } = await createOwnToken(call.app, call.caller, { name, scope, expiresAt }, clientOf(call));
      return settingsPage(call, {}, { newToken: token });
    },
    settingsPage,
  ),
  formRoute(
    { path: "/settings/keys", ...own, confirmed: true, form: "key", back: "/settings/programs" },
    async (call, fields) => {
      const order = fitForm(KeyForm, fields);
      const { token } = await createOwnToken(call.app, call.caller, order, clientOf(call));
      return settingsPage(call, {}, { programKey: token });
    },
    settingsPage,
  ),
  formRoute(
    { path: "/settings/tokens/:id/revoke", ...own, params: IdParam, form: "token", back: "/settings/programs" },
    async (call) => {
      await revokeToken(call.app, call.caller.user.id, call.params.id, clientOf(call));
      return "token";
    },
    settingsPage,
  ),
  formRoute(
    { path: "/settings/notices", ...own, confirmed: true, form: "notice", back: "/settings/notifications" },
    async (call, fields) => {
      const { kind, url, token, ...events } = fitForm(NoticeForm, fields);
      const { key } = await addTarget(call.app, call.asker, { kind, url, token, events: eventsIn(events) });
      return key === null ? "notice" : settingsPage(call, {}, { newKey: key });
    },
    settingsPage,
  ),
  formRoute(
    { path: "/settings/notices/:id", ...own, params: IdParam, form: "notice", back: "/settings/notifications" },
    async ({ app, asker, params }, fields) => {
      await changeTarget(app, asker, params.id, eventsIn(fitForm(EventsForm, fields)));
      return "notice";
    },
    besides((call) => `notice-${idOf(call)}`),
  ),
  formRoute(
    { path: "/settings/notices/:id/test", ...own, params: IdParam, form: "notice", back: "/settings/notifications" },
    async ({ app, asker, params }) => {
      await testTarget(app, asker, params.id);
      return "notice-tested";
    },
    besides((call) => `notice-${idOf(call)}-test`),
  ),
  formRoute(
    { path: "/settings/notices/:id/remove", ...own, params: IdParam, form: "notice", back: "/settings/notifications" },
    async ({ app, asker, params }) => {
      await removeTarget(app, asker, params.id);
      return "notice-removed";
    },
    besides((call) => `notice-${idOf(call)}-remove`),
  ),
  formRoute(
    { path: "/settings/delete", ...own, form: "leave", back: "/settings/account" },
    async (call, fields) => {
      const { app, caller, header } = call;
      const { name, password } = fitForm(LeaveForm, fields);
      assertTyped(name, caller.user.username);
      await deleteOwnAccount(app, caller, password, clientOf(call));
      header("set-cookie", noCookie(app.config, SESSION_COOKIE));
      return { goto: "/login?done=gone" };
    },
    settingsPage,
  ),
];
