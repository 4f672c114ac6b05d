/** @jsxImportSource @kitajs/html */
import { Type } from "../schema-types.ts";
import type { App } from "../../app.ts";
import { changePassword, changeProfile, deleteOwnAccount } from "../../people/account.ts";
import { createApiToken, revokeApiToken } from "../../auth/api-tokens.ts";
import { changeSettings } from "../../logbook/schedule.ts";
import { parseDay } from "../../domain/day.ts";
import { AppError } from "../../domain/errors.ts";
import { SERVICES, type Service } from "../../domain/source.ts";
import { canonicalUsername } from "../../domain/user.ts";
import * as apiTokens from "../../storage/api-tokens.ts";
import * as serviceCredentials from "../../storage/service-credentials.ts";
import * as sessions from "../../storage/sessions.ts";
import * as users from "../../storage/users.ts";
import { clearCredentials, setCredentials, testCredentials } from "../../sync/source/credentials.ts";
import type { Outcome } from "../../../views/form.tsx";
import { Settings, type SettingsProps } from "../../../views/pages/settings.tsx";
import type { SetService } from "../../../views/partials/service-settings.tsx";
import { noCookie, SESSION_COOKIE } from "../cookies.ts";
import { fitForm } from "../forms.ts";
import { IdParam, only, ServiceParam, ServiceWord, Short } from "../shapes.ts";
import { formRoute, pageRoute, type PageCall } from "../page-route.ts";
import { scheduleOf } from "../schedule/schedule-of.ts";
import { clientOf } from "../sign-in/pages.tsx";

const DoneQuery = only({ done: Type.Optional(Type.String({ maxLength: 40 })) });
const Secret = Type.String({ maxLength: 1000 });
const ScheduleForm = only({
  source: ServiceWord,
  enabled: Type.Optional(Type.Literal("on")),
  intervalHours: Type.Integer(),
});
const ProfileForm = only({ callsign: Type.Optional(Short), email: Type.Optional(Short) });
const PasswordForm = only({ current: Secret, password: Secret });
const SessionParam = only({ id: Type.String({ minLength: 1, maxLength: 100 }) });
const TokenForm = only({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  scope: Type.Unsafe<"read" | "write">(Type.Enum(["read", "write"])),
  expires: Type.Optional(Type.String({ maxLength: 40 })),
});
const LeaveForm = only({ name: Short, password: Secret });

/** What concerns the account itself is the user's own. */
const own = { access: "user", notWhileImpersonating: true } as const;

const servicesOf = async ({ db, providers }: App, userId: number): Promise<SetService[]> => {
  const [known, schedule] = await db.read(function* () {
    return [yield* serviceCredentials.list(userId), yield* scheduleOf(userId)] as const;
  });
  return SERVICES.map((source) => {
    const stored = known.find((one) => one.source === source);
    const { label, help, fields } = providers[source];
    return {
      source,
      label,
      help,
      fields,
      configured: stored !== undefined,
      state: stored?.state ?? "unknown",
      reason: stored?.stateReason ?? null,
      checkedAt: stored?.checkedAt ?? null,
      callsign: stored?.callsign ?? null,
      schedule: schedule[source],
    };
  });
};

const accountOf = ({ db }: App, { user, sessionId }: PageCall["caller"]): Promise<SettingsProps["account"]> =>
  db.read(function* () {
    const signedIn = yield* sessions.listOf(user.id);
    return {
      sessions: signedIn.map((one) => ({ ...one, current: one.id === sessionId })),
      tokens: yield* apiTokens.listOf(user.id),
    };
  });

const settingsPage = async ({ app, caller }: PageCall, outcome: Outcome, newToken?: string) => {
  const user = await app.db.read(() => users.get(caller.user.id));
  return {
    title: "Settings",
    body: (
      <Settings
        user={user}
        services={await servicesOf(app, user.id)}
        account={caller.impersonatedBy ? null : await accountOf(app, caller)}
        newToken={newToken}
        now={app.clock()}
        {...outcome}
      />
    ),
  };
};

/** The same page with the problem beside the form of one of several things of a kind. */
const besides =
  (form: (call: PageCall, fields: Record<string, string>) => string) =>
  (call: PageCall, { problem, done }: Outcome) =>
    settingsPage(call, { done, ...(problem ? { problem: { ...problem, form: form(call, problem.values) } } : {}) });

const sourceOf = (call: PageCall): Service => (call.params as { source: Service }).source;

const back = "/settings";

export const settingsPages = [
  pageRoute({ path: "/settings", access: "user", query: DoneQuery }, (call) =>
    settingsPage(call, { done: call.query.done }),
  ),
  formRoute(
    { path: "/settings/auto-sync", access: "user", form: "schedule", back },
    async ({ app, caller }, fields) => {
      const { source, enabled, intervalHours } = fitForm(ScheduleForm, fields);
      await changeSettings(app, caller.user.id, { [source]: { enabled: enabled !== undefined, intervalHours } });
      return `schedule-${source}`;
    },
    besides((_call, fields) => `schedule-${fields.source}`),
  ),
  formRoute(
    { path: "/settings/credentials/:source", ...own, params: ServiceParam, form: "credentials", back },
    async ({ app, caller, params }, fields) => {
      await setCredentials(app, caller.user.id, params.source, fields);
      return `credentials-${params.source}`;
    },
    besides((call) => `credentials-${sourceOf(call)}`),
  ),
  formRoute(
    { path: "/settings/credentials/:source/test", ...own, params: ServiceParam, form: "test", back },
    async ({ app, caller, params, request }) => {
      await testCredentials(app, caller.user.id, params.source, request.signal);
      return `tested-${params.source}`;
    },
    besides((call) => `test-${sourceOf(call)}`),
  ),
  formRoute(
    { path: "/settings/credentials/:source/clear", ...own, params: ServiceParam, form: "clear", back },
    async ({ app, caller, params }) => {
      await clearCredentials(app, caller.user.id, params.source);
      return `cleared-${params.source}`;
    },
    besides((call) => `clear-${sourceOf(call)}`),
  ),
  formRoute(
    { path: "/settings/profile", ...own, form: "profile", back },
    async ({ app, caller }, fields) => {
      const { callsign = null, email = null } = fitForm(ProfileForm, fields);
      await changeProfile(app, caller.user, { callsign, email });
      return "profile";
    },
    settingsPage,
  ),
  formRoute(
    { path: "/settings/password", ...own, form: "password", back },
    async (call, fields) => {
      const { current, password } = fitForm(PasswordForm, fields);
      await changePassword(call.app, call.caller, { current, next: password }, clientOf(call));
      return "password";
    },
    settingsPage,
  ),
  formRoute(
    { path: "/settings/sessions/:id/end", ...own, params: SessionParam, form: "session", back },
    async ({ app, caller, params }) => {
      const ended = await app.db.write(() => sessions.end(caller.user.id, params.id));
      if (!ended) throw new AppError("not_found", "There is no such session.");
      return "session";
    },
    settingsPage,
  ),
  formRoute(
    { path: "/settings/tokens", ...own, form: "token", back },
    async (call, fields) => {
      const { name, scope, expires } = fitForm(TokenForm, fields);
      const expiresAt = expires === undefined ? null : parseDay(expires, "expires", true);
      const { token } = await createApiToken(call.app, call.caller.user.id, { name, scope, expiresAt });
      return settingsPage(call, {}, token);
    },
    settingsPage,
  ),
  formRoute(
    { path: "/settings/tokens/:id/revoke", ...own, params: IdParam, form: "token", back },
    async ({ app, caller, params }) => {
      await revokeApiToken(app, caller.user.id, params.id);
      return "token";
    },
    settingsPage,
  ),
  formRoute(
    { path: "/settings/delete", ...own, form: "leave", back },
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

/** What cannot be undone asks for the name. */
export const assertTyped = (typed: string, username: string): void => {
  if (canonicalUsername(typed) === username) return;
  const message = `Type ${username} to confirm.`;
  throw new AppError("invalid", message, { fields: [{ path: "name", message }] });
};
