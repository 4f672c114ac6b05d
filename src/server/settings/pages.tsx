/** @jsxImportSource @kitajs/html */
import { Type } from "typebox";
import { parseDay } from "../../kernel/day.ts";
import { SERVICES, type Service } from "../../domain/jobs/source.ts";
import { AppError, invalidFields } from "../../kernel/errors.ts";
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
import type { SettingUp } from "../../../views/partials/settings/second-factor.tsx";
import { Settings, SETTINGS_TABS, type SettingsTab } from "../../../views/pages/settings.tsx";
import { noCookie, SESSION_COOKIE } from "../http/cookies.ts";
import { assertTyped } from "../pages/forms.ts";
import { IdParam, only, ServiceParam, Short, words } from "../http/shapes.ts";
import { formRoute, pageRoute, type PageCall } from "../pages/page-route.ts";
import { SETTINGS_TEXTS } from "../../../views/texts/settings.ts";

const DoneQuery = only({ done: Type.Optional(Type.String({ maxLength: 40 })) });
const Secret = Type.String({ maxLength: 1000 });
const Interval = Type.Optional(Type.String({ maxLength: 20 }));
const chosen = Object.fromEntries(NOTICE_EVENTS.map((event) => [event, Type.Optional(Type.Literal("on"))]));

/** Account settings cannot be changed while acting as a user. */
const own = { notWhileImpersonating: true } as const;

/** What a form created and the page shows only once. */
interface Made extends SettingUp {
  newToken?: string;
  newKey?: string;
  programKey?: string;
}

/** The address for programs: the configured one, or that of the browser. */
const baseOf = ({ app, request }: PageCall): string => app.config.baseUrl ?? new URL(request.url).origin;

const settingsPage =
  (tab: SettingsTab) =>
  async (call: PageCall, outcome: Outcome, made: Made = {}) => {
    const { newToken, newKey, programKey, ...settingUp } = made;
    const { app, asker, caller } = call;
    const isTaking = takesPasskeys(app, call.client);
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

export const securityPage = settingsPage("security");
const programsPage = settingsPage("programs");
const notificationsPage = settingsPage("notifications");

const eventsIn = (fields: Record<string, string | undefined>): string[] =>
  NOTICE_EVENTS.filter((event) => fields[event] !== undefined);

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
  return invalidFields(error.fields.map(({ path, message }) => ({ path: `${path.split(".")[0]}-hours`, message })));
};

const onServices = { back: "/settings", page: settingsPage("services") } as const;
const ofService = { ...own, ...onServices, params: ServiceParam } as const;
const onSecurity = { ...own, back: "/settings/security", page: securityPage } as const;
const onPrograms = { ...own, back: "/settings/programs", page: programsPage } as const;
const onNotifications = { ...own, back: "/settings/notifications", page: notificationsPage } as const;

export const settingsPages = [
  ...SETTINGS_TABS.map(({ tab, path }) => pageRoute(`/${path}`, { query: DoneQuery, page: settingsPage(tab) })),
  formRoute("/settings/auto-sync", {
    ...onServices,
    form: "schedule",
    fields: only(
      Object.fromEntries(SERVICES.flatMap((source) => [source, `${source}-hours`].map((name) => [name, Interval]))),
    ),
    done: "schedule",
    async submit({ app, asker }, fields) {
      await changeSchedule(app, asker, readSchedules(fields)).catch((error: unknown) => {
        throw atHours(error);
      });
    },
  }),
  formRoute("/settings/credentials/:source/connect", {
    ...ofService,
    confirmed: true,
    form: "connect-:source",
    async submit({ app, asker, params: { source }, client }, fields) {
      const { job } = await connectService(app, asker, { source, fields, client });
      return `connected-${source}-${job.id}`;
    },
  }),
  formRoute("/settings/credentials/:source", {
    ...ofService,
    confirmed: true,
    form: "credentials-:source",
    done: "credentials-:source",
    async submit({ app, asker, params, client }, fields) {
      await setCredentials(app, asker, params.source, fields, client);
    },
  }),
  formRoute("/settings/credentials/:source/test", {
    ...ofService,
    form: "test-:source",
    done: "tested-:source",
    async submit({ app, asker, params, request }) {
      await testCredentials(app, asker, params.source, request.signal);
    },
  }),
  formRoute("/settings/credentials/:source/clear", {
    ...ofService,
    confirmed: true,
    form: "clear-:source",
    done: "cleared-:source",
    submit: ({ app, asker, params, client }) => clearCredentials(app, asker, params.source, client),
  }),
  formRoute("/settings/profile", {
    ...own,
    confirmed: true,
    form: "profile",
    back: "/settings/profile",
    fields: only({ callsign: Type.Optional(Short), email: Type.Optional(Short) }),
    done: "profile",
    page: settingsPage("profile"),
    async submit({ app, caller, client }, { callsign = null, email = null }) {
      await changeProfile(app, caller.user, { callsign, email }, client);
    },
  }),
  formRoute("/settings/password", {
    ...onSecurity,
    form: "password",
    fields: only({
      current: Type.Optional(Secret),
      password: Secret,
      revokeTokens: Type.Optional(Type.Literal("on")),
    }),
    done: "password",
    submit({ app, caller, client }, { current, password, revokeTokens }) {
      const change = { current, next: password, revokeTokens: revokeTokens !== undefined };
      return changePassword(app, caller, change, client);
    },
  }),
  formRoute("/settings/sessions/:id/end", {
    ...onSecurity,
    params: only({ id: Type.String({ minLength: 1, maxLength: 100 }) }),
    form: "session",
    done: "session",
    submit: ({ app, caller, params }) => endSession(app, caller, params.id),
  }),
  formRoute("/settings/sign-out", {
    ...onSecurity,
    form: "sign-out",
    async submit({ app, caller, client, header }) {
      await signOutEverywhere(app, caller, client);
      header("set-cookie", noCookie(app.config, SESSION_COOKIE));
      return { goto: "/login?done=out" };
    },
  }),
  formRoute("/settings/tokens", {
    ...onPrograms,
    confirmed: true,
    form: "token",
    fields: only({
      name: Type.String({ minLength: 1, maxLength: 100 }),
      scope: Type.Unsafe<"read" | "write">(Type.Enum(["read", "write"])),
      expires: Type.Optional(Type.String({ maxLength: 40 })),
    }),
    async submit(call, { name, scope, expires }) {
      const expiresAt = expires === undefined ? null : parseDay(expires, "expires", true);
      const { token } = await createOwnToken(call.app, call.caller, { name, scope, expiresAt }, call.client);
      return programsPage(call, {}, { newToken: token });
    },
  }),
  formRoute("/settings/keys", {
    ...onPrograms,
    confirmed: true,
    form: "key",
    fields: only({
      name: Type.String({ minLength: 1, maxLength: 64 }),
      form: Type.Unsafe<"v1" | "v2">(Type.Enum(["v1", "v2"])),
      scope: Type.Unsafe<"feed" | "lookup">(Type.Enum(["feed", "lookup"])),
    }),
    async submit(call, order) {
      const { token } = await createOwnToken(call.app, call.caller, order, call.client);
      return programsPage(call, {}, { programKey: token });
    },
  }),
  formRoute("/settings/tokens/:id/revoke", {
    ...onPrograms,
    params: IdParam,
    form: "token",
    done: "token",
    submit: ({ app, caller, params, client }) => revokeToken(app, caller.user.id, params.id, client),
  }),
  formRoute("/settings/notices", {
    ...onNotifications,
    confirmed: true,
    form: "notice",
    fields: only({
      kind: words(TARGET_KINDS),
      url: Type.String({ maxLength: 1000 }),
      token: Type.Optional(Secret),
      ...chosen,
    }),
    async submit(call, { kind, url, token, ...events }) {
      const { key } = await addTarget(call.app, call.asker, { kind, url, token, events: eventsIn(events) });
      return key === null ? "notice" : notificationsPage(call, {}, { newKey: key });
    },
  }),
  formRoute("/settings/notices/:id", {
    ...onNotifications,
    params: IdParam,
    form: "notice-:id",
    fields: only(chosen),
    done: "notice",
    async submit({ app, asker, params }, fields) {
      await changeTarget(app, asker, params.id, eventsIn(fields));
    },
  }),
  formRoute("/settings/notices/:id/test", {
    ...onNotifications,
    params: IdParam,
    form: "notice-:id-test",
    done: "notice-tested",
    async submit({ app, asker, params }) {
      await testTarget(app, asker, params.id);
    },
  }),
  formRoute("/settings/notices/:id/remove", {
    ...onNotifications,
    params: IdParam,
    form: "notice-:id-remove",
    done: "notice-removed",
    submit: ({ app, asker, params }) => removeTarget(app, asker, params.id),
  }),
  formRoute("/settings/delete", {
    ...own,
    form: "leave",
    back: "/settings/account",
    fields: only({ name: Short, password: Type.Optional(Secret) }),
    page: settingsPage("account"),
    async submit({ app, caller, client, header }, { name, password }) {
      assertTyped(name, caller.user.username);
      await deleteOwnAccount(app, caller, password, client);
      header("set-cookie", noCookie(app.config, SESSION_COOKIE));
      return { goto: "/login?done=gone" };
    },
  }),
];
