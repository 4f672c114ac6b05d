/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import { Type } from "../schema-types.ts";
import { version } from "../../../package.json";
import { impersonate } from "../../people/impersonation.ts";
import { demote, promote } from "../../people/roles.ts";
import { createUser, deleteUser, resetPassword } from "../../people/users.ts";
import { actorOf } from "../../auth/caller.ts";
import { parseDay } from "../../domain/day.ts";
import { readCursor, readNumbers, writeCursor } from "../../storage/page-cursor.ts";
import * as adminActions from "../../storage/admin-actions.ts";
import * as system from "../../storage/system.ts";
import * as userList from "../../storage/user-list.ts";
import * as users from "../../storage/users.ts";
import type { Outcome } from "../../../views/form.tsx";
import { Actions } from "../../../views/pages/admin-actions.tsx";
import { Overview } from "../../../views/pages/admin-overview.tsx";
import { Users } from "../../../views/pages/admin-users.tsx";
import { impersonationCookie } from "../cookies.ts";
import { fitForm } from "../forms.ts";
import { Cursor, IdParam, NewAccount, only, Short, words } from "../shapes.ts";
import { labelsOf } from "../dashboard/pages.tsx";
import { queryOf } from "../jobs/pages.tsx";
import { formRoute, pageRoute, type PageCall } from "../page-route.ts";
import { assertTyped } from "../settings/pages.tsx";
import { clientOf } from "../sign-in/pages.tsx";

const ROWS_A_PAGE = 50;

const Words = Type.Optional(Type.String({ maxLength: 200 }));
const UsersQuery = only({
  q: Words,
  sort: Type.Optional(words(["", "username", "-lastSeen", "lastSeen", "-createdAt", "createdAt"] as const)),
  filter: Type.Optional(words(["", "failing"] as const)),
  cursor: Cursor,
  done: Words,
});
const ActionsQuery = only({ admin: Words, action: Words, target: Words, from: Words, to: Words, cursor: Cursor });
const NewUserForm = only({ ...NewAccount.properties, role: Type.Optional(words(["user", "admin"] as const)) });
const PasswordForm = only({ password: Type.String({ maxLength: 1000 }) });
const DeleteForm = only({ name: Short });

/** Administration is done from an administrator's own session. */
const own = { access: "administrator", notWhileImpersonating: true } as const;
const back = "/admin/users";

const overviewPage = async ({ app }: PageCall) => {
  await app.lastSeen.flush();
  const { scheduler, startedAt, db, clock } = app;
  return {
    title: "Administration",
    body: (
      <Overview
        {...await db.read(() => system.figures(clock()))}
        databaseBytes={await db.sizeBytes()}
        location={db.location}
        scheduler={{ running: scheduler.isRunning, lastTickAt: scheduler.lastTickAt }}
        countryFile={await app.countryFileVersion()}
        version={version}
        startedAt={startedAt}
        now={clock()}
      />
    ),
  };
};

interface UsersAsked {
  q?: string;
  sort?: string;
  filter?: string;
  cursor?: string;
  done?: string;
}

const usersPage = async ({ app, caller, query }: PageCall<unknown, UsersAsked>, outcome: Outcome) => {
  const { q = "", filter = "", cursor } = query;
  const wanted = query.sort || "username";
  const question = ["user page", q, wanted, filter];
  const sort = wanted.replace("-", "") as userList.UserSort;
  await app.lastSeen.flush();
  const found = await app.db.read(() =>
    userList.list({
      q: q || undefined,
      failing: filter === "failing",
      sort,
      descending: wanted.startsWith("-"),
      after: cursor === undefined ? undefined : readCursor(question, cursor, 2),
      limit: ROWS_A_PAGE + 1,
    }),
  );
  const shown = found.users.slice(0, ROWS_A_PAGE);
  const asked = { q, sort: query.sort ?? "", filter };
  const next = found.users.length > ROWS_A_PAGE ? writeCursor(question, userList.placeOf(shown.at(-1)!, sort)) : null;
  return {
    title: "Users",
    body: (
      <Users
        users={shown}
        total={found.total}
        ownId={caller.user.id}
        asked={{ ...asked, sort: wanted }}
        here={queryOf({ ...asked, cursor })}
        next={next && queryOf({ ...asked, cursor: next })}
        labels={labelsOf(app)}
        now={app.clock()}
        done={outcome.done ?? query.done}
        problem={outcome.problem}
      />
    ),
  };
};

/** The page with the problem beside the form of one user among many. */
const besidesUser =
  (verb: string) =>
  (call: PageCall<{ id: number }, UsersAsked>, { problem, done }: Outcome) =>
    usersPage(call, {
      done,
      ...(problem ? { problem: { ...problem, form: `${verb}-${call.params.id}` } } : {}),
    });

const actionsPage = async ({ app, query }: PageCall<unknown, Partial<Record<string, string>>>) => {
  const { admin = "", action = "", target = "", from = "", to = "", cursor } = query;
  const asked = { admin, action, target, from, to };
  const question = ["action page", asked];
  const { actions, total } = await app.db.read(() =>
    adminActions.list({
      admin: admin.trim().toLowerCase() || undefined,
      action: action || undefined,
      target: target.trim().toLowerCase() || undefined,
      from: from === "" ? undefined : parseDay(from, "from"),
      to: to === "" ? undefined : parseDay(to, "to", true),
      beforeId: cursor === undefined ? undefined : readNumbers(question, cursor, 1)[0]!,
      limit: ROWS_A_PAGE + 1,
    }),
  );
  const shown = actions.slice(0, ROWS_A_PAGE);
  const next = actions.length > ROWS_A_PAGE ? writeCursor(question, [shown.at(-1)!.id]) : null;
  return {
    title: "Action log",
    body: <Actions actions={shown} total={total} asked={asked} next={next && queryOf({ ...asked, cursor: next })} />,
  };
};

const ofUser = { ...own, params: IdParam, query: UsersQuery, back } as const;

export const adminPages = [
  pageRoute({ path: "/admin", ...own }, overviewPage),
  pageRoute({ path: "/admin/users", ...own, query: UsersQuery }, (call) => usersPage(call, {})),
  pageRoute({ path: "/admin/actions", ...own, query: ActionsQuery }, actionsPage),
  formRoute(
    { path: "/admin/users", ...own, query: UsersQuery, form: "new-user-form", back },
    async ({ app, caller }, fields) => {
      const { username } = await createUser(app, actorOf(caller), fitForm(NewUserForm, fields));
      return `made.${username}`;
    },
    usersPage,
  ),
  formRoute(
    { path: "/admin/users/:id/promote", ...ofUser, form: "promote" },
    async ({ app, caller, params }) => {
      const { username } = await promote(app, actorOf(caller), params.id);
      return `promoted.${username}`;
    },
    besidesUser("promote"),
  ),
  formRoute(
    { path: "/admin/users/:id/demote", ...ofUser, form: "demote" },
    async ({ app, caller, params }) => {
      const { id, username } = await demote(app, actorOf(caller), params.id);
      return id === caller.user.id ? { goto: "/" } : `demoted.${username}`;
    },
    besidesUser("demote"),
  ),
  formRoute(
    { path: "/admin/users/:id/password", ...ofUser, form: "password" },
    async ({ app, caller, params }, fields) => {
      const { password } = fitForm(PasswordForm, fields);
      const { username } = await resetPassword(app, actorOf(caller), params.id, password);
      return `password.${username}`;
    },
    besidesUser("password"),
  ),
  formRoute(
    { path: "/admin/users/:id/delete", ...ofUser, form: "delete" },
    async ({ app, caller, params }, fields) => {
      const { name } = fitForm(DeleteForm, fields);
      const target = await app.db.read(() => users.get(params.id));
      assertTyped(name, target.username);
      await deleteUser(app, actorOf(caller), params.id);
      return `deleted.${target.username}`;
    },
    besidesUser("delete"),
  ),
  formRoute(
    { path: "/admin/users/:id/impersonate", ...ofUser, form: "impersonate" },
    async (call) => {
      const { app, caller, params, header } = call;
      const { token } = await impersonate(app, caller, params.id, clientOf(call));
      header("set-cookie", impersonationCookie(app.config, token));
      return { goto: "/" };
    },
    besidesUser("impersonate"),
  ),
];
