/** @jsxImportSource @kitajs/html */
import type { Static } from "typebox";
import { Type } from "typebox";
import { impersonate } from "../../people/impersonation.ts";
import { demote, promote } from "../../people/roles.ts";
import { inviteUser, linkPath, makePasswordLink, type PasswordLink } from "../../people/password-links.ts";
import { getFactors, resetFactors } from "../../people/factors.ts";
import { listTokens } from "../../people/tokens.ts";
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
import { asked, assertTyped, queryOf } from "../pages/forms.ts";
import { hasFactor } from "../../domain/people/factor.ts";
import { Cursor, Id, IdParam, NewAccount, only, Short, words } from "../http/shapes.ts";
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

/** Administration needs an administrator's own session. */
const own = { access: "administrator", notWhileImpersonating: true } as const;

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
      countryFile={formatIsoDate((await app.callFacts()).releasedAt)}
      now={app.clock()}
    />
  ),
});

type UsersQuestion = Static<typeof UsersQuery>;

const usersPage = async ({ app, caller, query }: PageCall<unknown, UsersQuestion>, outcome: Outcome) => {
  const { q = "", filter = "", sort = "", cursor } = query;
  const { users, total, nextCursor } = await listUsers(app, asked(query));
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
        now={app.clock()}
        {...outcome}
      />
    ),
  };
};

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

type UserCall = PageCall<{ id: number }>;

/** One user: how they sign in, and a form to delete the account. */
const userPage = async ({ app, caller, params: { id } }: UserCall, outcome: Outcome, link?: PasswordLink) => {
  const user = await getUserById(app, id);
  return {
    title: user.username,
    body: (
      <OneUser
        user={user}
        isOwn={id === caller.user.id}
        tokens={(await listTokens(app, id)).tokens}
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

/** Forms on the page of one user, and in the list of users. */
const ofOne = { ...own, params: IdParam, back: "/admin/users/:id", page: userPage } as const;
const onList = { ...own, query: UsersQuery, back: "/admin/users", page: usersPage } as const;
const inList = { ...onList, params: IdParam, confirmed: true } as const;

export const adminPages = [
  pageRoute("/admin", { ...own, page: overviewPage }),
  pageRoute("/admin/users", { ...own, query: UsersQuery, page: usersPage }),
  pageRoute("/admin/actions", { ...own, query: ActionsQuery, page: actionsPage }),
  formRoute("/admin/users", {
    ...onList,
    confirmed: true,
    form: "new-user-form",
    fields: only({ ...NewAccount.properties, role: Type.Optional(words(["user", "admin"] as const)) }),
    submit: async ({ app, caller }, user) => `made.${(await createUser(app, toActor(caller), user)).username}`,
  }),
  formRoute("/admin/users/:id/promote", {
    ...inList,
    form: "promote-:id",
    submit: async ({ app, caller, params }) => `promoted.${(await promote(app, toActor(caller), params.id)).username}`,
  }),
  formRoute("/admin/users/:id/demote", {
    ...inList,
    form: "demote-:id",
    async submit({ app, caller, params }) {
      const { id, username } = await demote(app, toActor(caller), params.id);
      return id === caller.user.id ? { goto: "/" } : `demoted.${username}`;
    },
  }),
  formRoute("/admin/users/:id/password", {
    ...inList,
    form: "password-:id",
    fields: only({ password: Type.String({ maxLength: 1000 }) }),
    submit: async ({ app, caller, params }, { password }) =>
      `password.${(await resetPassword(app, toActor(caller), params.id, password)).username}`,
  }),
  formRoute("/admin/users/:id/delete", {
    ...inList,
    form: "delete-:id",
    fields: only({ name: Short }),
    async submit({ app, caller, params }, { name }) {
      const { username } = await getUserById(app, params.id);
      assertTyped(name, username);
      await deleteUser(app, toActor(caller), params.id);
      return `deleted.${username}`;
    },
  }),
  formRoute("/admin/users/invite", {
    ...onList,
    confirmed: true,
    form: "invite-form",
    fields: only({
      username: Short,
      callsign: Type.Optional(Short),
      email: Type.Optional(Short),
      role: Type.Optional(words(["user", "admin"] as const)),
    }),
    async submit(call, invited) {
      const link = await inviteUser(call.app, toActor(call.caller), invited);
      return userPage({ ...call, params: link.user }, {}, link);
    },
  }),
  pageRoute("/admin/users/:id", { ...own, params: IdParam, query: OneUserQuery, page: userPage }),
  formRoute("/admin/users/:id/password-link", {
    ...ofOne,
    confirmed: true,
    form: "password-link",
    submit: async (call) => userPage(call, {}, await makePasswordLink(call.app, toActor(call.caller), call.params.id)),
  }),
  formRoute("/admin/users/:id/reset-factor", {
    ...ofOne,
    confirmed: true,
    form: "reset-factor",
    done: "factor-reset",
    async submit({ app, caller, params }) {
      await resetFactors(app, toActor(caller), params.id);
    },
  }),
  formRoute("/admin/users/:id/sign-out", {
    ...ofOne,
    form: "end-sign-ins",
    async submit({ app, caller, params }) {
      const { id } = await signOutUser(app, toActor(caller), params.id);
      return id === caller.user.id ? { goto: "/login?done=out" } : "out";
    },
  }),
  formRoute("/admin/users/:id/tokens/:token/revoke", {
    ...ofOne,
    params: only({ id: Id, token: Id }),
    form: "revoke",
    done: "revoked",
    async submit({ app, caller, params }) {
      await revokeTokenOf(app, toActor(caller), params.id, params.token);
    },
  }),
  formRoute("/admin/users/:id/impersonate", {
    ...onList,
    params: IdParam,
    form: "impersonate-:id",
    async submit({ app, caller, params, client, header }) {
      const { token } = await impersonate(app, caller, params.id, client);
      header("set-cookie", impersonationCookie(app.config, token));
      return { goto: "/" };
    },
  }),
];
