/** @jsxImportSource @kitajs/html */
import type { Static } from "typebox";
import { Type } from "typebox";
import { impersonate } from "../../people/impersonation.ts";
import { demote, promote } from "../../people/roles.ts";
import { inviteUser, linkPath, makePasswordLink, type PasswordLink } from "../../people/password-links.ts";
import { getFactors, resetFactors } from "../../people/factors.ts";
import { tokensOf } from "../../people/tokens.ts";
import { createUser, deleteUser, resetPassword, revokeTokenOf, signOutUser } from "../../people/users.ts";
import { formatIsoDate } from "../../kernel/instant.ts";
import { toActor } from "../../auth/caller.ts";
import { installation, listUpcomingSyncs } from "../../people/installation.ts";
import { getUserById } from "../../people/get-user.ts";
import { listActions, listUsers } from "../../people/listing.ts";
import type { Outcome } from "../../../views/form.tsx";
import { Actions } from "../../../views/pages/admin-actions.tsx";
import { Overview } from "../../../views/pages/admin-overview.tsx";
import { OneUser } from "../../../views/pages/admin-user.tsx";
import { Users } from "../../../views/pages/admin-users.tsx";
import { impersonationCookie } from "../http/cookies.ts";
import { clientOf } from "../http/client-address.ts";
import { asked, assertTyped, fitForm, queryOf } from "../pages/forms.ts";
import { hasFactor } from "../../domain/people/factor.ts";
import { LABELS } from "../../domain/origins/labels.ts";
import { Cursor, IdParam, NewAccount, only, Short, words } from "../http/shapes.ts";
import { formRoute, pageRoute, type PageCall } from "../pages/page-route.ts";
import { ADMIN_TEXTS } from "../../../views/texts/admin.ts";

const Words = Type.Optional(Type.String());
const UsersQuery = only({
  q: Words,
  sort: Type.Optional(words(["", "username", "-lastSeen", "lastSeen", "-createdAt", "createdAt"] as const)),
  filter: Type.Optional(words(["", "failing"] as const)),
  cursor: Cursor,
  done: Words,
});
const ActionsQuery = only({ admin: Words, action: Words, target: Words, from: Words, to: Words, cursor: Cursor });
const NewUserForm = only({ ...NewAccount.properties, role: Type.Optional(words(["user", "admin"] as const)) });
const InvitedForm = only({
  username: Short,
  callsign: Type.Optional(Short),
  email: Type.Optional(Short),
  role: Type.Optional(words(["user", "admin"] as const)),
});
const PasswordForm = only({ password: Type.String({ maxLength: 1000 }) });
const DeleteForm = only({ name: Short });

/** Administration needs an administrator's own session. */
const own = { access: "administrator", notWhileImpersonating: true } as const;
const back = "/admin/users";

const MAX_FAILING = 10;
const MAX_UPCOMING = 50;

const overviewPage = async ({ app }: PageCall) => ({
  title: ADMIN_TEXTS.frame.title,
  body: (
    <Overview
      {...await installation(app)}
      location={app.db.location}
      failing={await listUsers(app, { filter: "failing", limit: MAX_FAILING })}
      upcoming={await listUpcomingSyncs(app, MAX_UPCOMING)}
      labels={LABELS}
      countryFile={formatIsoDate((await app.callFacts()).releasedAt)}
      now={app.clock()}
    />
  ),
});

type UsersQuestion = Static<typeof UsersQuery>;

const usersPage = async ({ app, caller, query }: PageCall<unknown, UsersQuestion>, outcome: Outcome) => {
  const { done, ...question } = query;
  const { q = "", filter = "", sort = "", cursor } = question;
  const { users, total, nextCursor } = await listUsers(app, asked(question));
  const kept = { q, sort, filter };
  return {
    title: ADMIN_TEXTS.frame.users,
    body: (
      <Users
        users={users}
        total={total}
        ownId={caller.user.id}
        asked={{ ...kept, sort: sort || "username" }}
        here={queryOf({ ...kept, cursor })}
        next={nextCursor && queryOf({ ...kept, cursor: nextCursor })}
        labels={LABELS}
        now={app.clock()}
        done={outcome.done ?? done}
        problem={outcome.problem}
      />
    ),
  };
};

/** The page with the problem next to the form of one of several users. */
const besidesUser =
  (verb: string) =>
  (call: PageCall<{ id: number }, UsersQuestion>, { problem, done }: Outcome) =>
    usersPage(call, {
      done,
      ...(problem ? { problem: { ...problem, form: `${verb}-${call.params.id}` } } : {}),
    });

const actionsPage = async ({ app, query }: PageCall<unknown, Static<typeof ActionsQuery>>) => {
  const { admin = "", action = "", target = "", from = "", to = "" } = query;
  const { actions, total, nextCursor } = await listActions(app, asked(query));
  const kept = { admin, action, target, from, to };
  return {
    title: ADMIN_TEXTS.frame.actionLog,
    body: (
      <Actions
        actions={actions}
        total={total}
        asked={kept}
        next={nextCursor && queryOf({ ...kept, cursor: nextCursor })}
      />
    ),
  };
};

const OneUserQuery = only({ done: Words });

/** One user: how they sign in, and a form to delete the account. */
const userPage = async ({ app, caller }: PageCall, id: number, outcome: Outcome, link?: PasswordLink) => {
  const user = await getUserById(app, id);
  return {
    title: user.username,
    body: (
      <OneUser
        user={user}
        isOwn={id === caller.user.id}
        tokens={(await tokensOf(app, id)).tokens}
        hasFactor={hasFactor(await getFactors(app, user))}
        link={link && { address: addressOf(app, linkPath(link)), expiresAt: link.expiresAt, mailedTo: link.mailedTo }}
        now={app.clock()}
        {...outcome}
      />
    ),
  };
};

/** A full URL if the public address is known, otherwise a path. */
const addressOf = ({ config }: PageCall["app"], path: string): string => (config.baseUrl ?? "") + path;

const besidesOne = (call: PageCall<{ id: number }>, outcome: Outcome) => userPage(call, call.params.id, outcome);

const ofOne = { ...own, params: IdParam, back: "/admin/users/:id" } as const;

const ofUser = { ...own, params: IdParam, query: UsersQuery, back } as const;

export const adminPages = [
  pageRoute({ path: "/admin", ...own }, overviewPage),
  pageRoute({ path: "/admin/users", ...own, query: UsersQuery }, (call) => usersPage(call, {})),
  pageRoute({ path: "/admin/actions", ...own, query: ActionsQuery }, actionsPage),
  formRoute(
    { path: "/admin/users", ...own, confirmed: true, query: UsersQuery, form: "new-user-form", back },
    async ({ app, caller }, fields) => {
      const { username } = await createUser(app, toActor(caller), fitForm(NewUserForm, fields));
      return `made.${username}`;
    },
    usersPage,
  ),
  formRoute(
    { path: "/admin/users/:id/promote", ...ofUser, confirmed: true, form: "promote" },
    async ({ app, caller, params }) => {
      const { username } = await promote(app, toActor(caller), params.id);
      return `promoted.${username}`;
    },
    besidesUser("promote"),
  ),
  formRoute(
    { path: "/admin/users/:id/demote", ...ofUser, confirmed: true, form: "demote" },
    async ({ app, caller, params }) => {
      const { id, username } = await demote(app, toActor(caller), params.id);
      return id === caller.user.id ? { goto: "/" } : `demoted.${username}`;
    },
    besidesUser("demote"),
  ),
  formRoute(
    { path: "/admin/users/:id/password", ...ofUser, confirmed: true, form: "password" },
    async ({ app, caller, params }, fields) => {
      const { password } = fitForm(PasswordForm, fields);
      const { username } = await resetPassword(app, toActor(caller), params.id, password);
      return `password.${username}`;
    },
    besidesUser("password"),
  ),
  formRoute(
    { path: "/admin/users/:id/delete", ...ofUser, confirmed: true, form: "delete" },
    async ({ app, caller, params }, fields) => {
      const { name } = fitForm(DeleteForm, fields);
      const target = await getUserById(app, params.id);
      assertTyped(name, target.username);
      await deleteUser(app, toActor(caller), params.id);
      return `deleted.${target.username}`;
    },
    besidesUser("delete"),
  ),
  formRoute(
    { path: "/admin/users/invite", ...own, confirmed: true, query: UsersQuery, form: "invite-form", back },
    async (call, fields) => {
      const link = await inviteUser(call.app, toActor(call.caller), fitForm(InvitedForm, fields));
      return userPage(call, link.user.id, {}, link);
    },
    usersPage,
  ),
  pageRoute({ path: "/admin/users/:id", ...own, params: IdParam, query: OneUserQuery }, (call) =>
    userPage(call, call.params.id, { done: call.query.done }),
  ),
  formRoute(
    { path: "/admin/users/:id/password-link", ...ofOne, confirmed: true, form: "password-link" },
    async (call) =>
      userPage(call, call.params.id, {}, await makePasswordLink(call.app, toActor(call.caller), call.params.id)),
    besidesOne,
  ),
  formRoute(
    { path: "/admin/users/:id/reset-factor", ...ofOne, confirmed: true, form: "reset-factor" },
    async ({ app, caller, params }) => {
      await resetFactors(app, toActor(caller), params.id);
      return "factor-reset";
    },
    besidesOne,
  ),
  formRoute(
    { path: "/admin/users/:id/sign-out", ...ofOne, form: "end-sign-ins" },
    async ({ app, caller, params }) => {
      const { id } = await signOutUser(app, toActor(caller), params.id);
      return id === caller.user.id ? { goto: "/login?done=out" } : "out";
    },
    besidesOne,
  ),
  formRoute(
    {
      path: "/admin/users/:id/tokens/:token/revoke",
      ...ofOne,
      params: only({ id: IdParam.properties.id, token: IdParam.properties.id }),
      form: "revoke",
    },
    async ({ app, caller, params }) => {
      await revokeTokenOf(app, toActor(caller), params.id, params.token);
      return "revoked";
    },
    besidesOne,
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
