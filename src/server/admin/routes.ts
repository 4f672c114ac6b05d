import { Type } from "typebox";
import { impersonate } from "../../people/impersonation.ts";
import { demote, promote } from "../../people/roles.ts";
import { inviteUser, linkPath, makePasswordLink, type PasswordLink } from "../../people/password-links.ts";
import { resetFactors } from "../../people/factors.ts";
import { listTokens } from "../../people/tokens.ts";
import { createUser, deleteUser, resetPassword, revokeTokenOf, signOutUser } from "../../people/users.ts";
import { toActor } from "../../auth/caller.ts";
import { installation } from "../../people/installation.ts";
import { listActions, listUsers, USER_SORTS } from "../../people/listing.ts";
import { impersonationCookie } from "../http/cookies.ts";
import { route } from "../http/route.ts";
import {
  Count,
  Cursor,
  Id,
  IdParam,
  Limit,
  Ms,
  NewAccount,
  NextCursor,
  only,
  orNull,
  ServiceWord,
  Short,
  SignInShape,
  StatusWord,
  Text,
  TokenShape,
  UserShape,
  words,
} from "../http/shapes.ts";

const ListedUser = only({
  ...UserShape.properties,
  qsoCount: Count,
  jobCount: Count,
  lastJobAt: orNull(Ms),
  lastJobStatus: orNull(StatusWord),
  pausedServices: Type.Array(only({ source: ServiceWord, reason: words(["credentials", "not_configured"] as const) })),
});
const OneUser = only({ user: UserShape });
const ActionShape = only({
  id: Id,
  at: Ms,
  admin: Text,
  via: words(["web", "api", "cli", "impersonation"] as const),
  action: Text,
  target: orNull(Text),
  details: Type.Record(Text, Type.Unknown()),
});

const own = { access: "administrator", notWhileImpersonating: true } as const;
/** Accounts are changed in a session, not by a program with a token. */
const inPerson = { ...own, sessionOnly: true } as const;
/** Changes that outlast the session need a recent confirmation. */
const confirmed = { ...inPerson, confirmed: true } as const;

/** A link with which anyone who has it can set the password. */
const LinkShape = only({ user: UserShape, path: Text, token: Text, expiresAt: Ms, mailedTo: Type.Optional(Text) });
const told = (link: PasswordLink) => ({ ...link, path: linkPath(link) });

export const adminRoutes = [
  route("GET /api/admin/stats", {
    name: "getInstallation",
    ...own,
    summary: "Get the figures of the installation",
    answer: only({
      users: Count,
      administrators: Count,
      active24h: Count,
      active30d: Count,
      qsos: Count,
      jobs: only({ pending: Count, running: Count, completed: Count, failed: Count, cancelled: Count }),
      databaseBytes: Count,
      scheduler: only({ running: Type.Boolean(), lastTickAt: orNull(Ms) }),
      version: Text,
      startedAt: Ms,
    }),
    handle: ({ app }) => installation(app),
  }),
  route("GET /api/admin/users", {
    name: "listUsers",
    ...own,
    summary: "List users with their counts",
    description: "`q` is a part of username, callsign or e-mail address.",
    query: only({
      q: Type.Optional(Short),
      sort: Type.Optional(words(USER_SORTS)),
      filter: Type.Optional(words(["failing"] as const)),
      limit: Limit,
      cursor: Cursor,
    }),
    answer: only({ users: Type.Array(ListedUser), total: Count, nextCursor: NextCursor }),
    handle: ({ app, query }) => listUsers(app, query),
  }),
  route("POST /api/admin/users", {
    name: "createUser",
    ...confirmed,
    summary: "Create a user",
    body: only({ ...NewAccount.properties, role: Type.Optional(words(["user", "admin"] as const)) }),
    answer: OneUser,
    status: 201,
    handle: async ({ app, caller, body }) => ({ user: await createUser(app, toActor(caller), body) }),
  }),
  route("POST /api/admin/users/invite", {
    name: "inviteUser",
    ...confirmed,
    summary: "Create a user and a link to set the password",
    body: only({
      username: Short,
      callsign: Type.Optional(orNull(Short)),
      email: Type.Optional(orNull(Short)),
      role: Type.Optional(words(["user", "admin"] as const)),
    }),
    answer: LinkShape,
    status: 201,
    handle: async ({ app, caller, body }) => told(await inviteUser(app, toActor(caller), body)),
  }),
  route("POST /api/admin/users/:id/password-link", {
    name: "createPasswordLink",
    ...confirmed,
    summary: "Create a link to set a new password",
    description: "It works once and expires in an hour. The old password works until then. Not for yourself.",
    params: IdParam,
    answer: LinkShape,
    status: 201,
    handle: async ({ app, caller, params }) => told(await makePasswordLink(app, toActor(caller), params.id)),
  }),
  route("POST /api/admin/users/:id/reset-factor", {
    name: "resetFactors",
    ...confirmed,
    summary: "Remove every second factor of a user",
    description: "Not for yourself.",
    params: IdParam,
    answer: OneUser,
    handle: async ({ app, caller, params }) => ({ user: await resetFactors(app, toActor(caller), params.id) }),
  }),
  route("GET /api/admin/users/:id/tokens", {
    name: "listTokensOfUser",
    ...inPerson,
    summary: "List a user's API tokens",
    params: IdParam,
    answer: only({ tokens: Type.Array(TokenShape) }),
    handle: ({ app, params }) => listTokens(app, params.id),
  }),
  route("DELETE /api/admin/users/:id/tokens/:token", {
    name: "revokeTokenOfUser",
    ...inPerson,
    summary: "Revoke a user's API token",
    params: only({ id: Id, token: Id }),
    async handle({ app, caller, params }) {
      await revokeTokenOf(app, toActor(caller), params.id, params.token);
    },
  }),
  route("DELETE /api/admin/users/:id/sign-ins", {
    name: "signOutUser",
    ...inPerson,
    summary: "Sign a user out everywhere",
    description: "Ends every session and revokes every API token.",
    params: IdParam,
    async handle({ app, caller, params }) {
      await signOutUser(app, toActor(caller), params.id);
    },
  }),
  route("DELETE /api/admin/users/:id", {
    name: "deleteUser",
    ...confirmed,
    summary: "Delete a user and the whole log",
    description: "Answers when everything is removed.",
    params: IdParam,
    async handle({ app, caller, params }) {
      await deleteUser(app, toActor(caller), params.id);
    },
  }),
  route("POST /api/admin/users/:id/promote", {
    name: "promoteUser",
    ...confirmed,
    summary: "Make a user an administrator",
    params: IdParam,
    answer: OneUser,
    handle: async ({ app, caller, params }) => ({ user: await promote(app, toActor(caller), params.id) }),
  }),
  route("POST /api/admin/users/:id/demote", {
    name: "demoteUser",
    ...confirmed,
    summary: "Remove the administrator role",
    params: IdParam,
    answer: OneUser,
    handle: async ({ app, caller, params }) => ({ user: await demote(app, toActor(caller), params.id) }),
  }),
  route("POST /api/admin/users/:id/password", {
    name: "resetPassword",
    ...confirmed,
    summary: "Set a user's password",
    description: "Ends the user's sessions and revokes the API tokens. Not for yourself.",
    params: IdParam,
    body: only({ password: Text }),
    answer: OneUser,
    handle: async ({ app, caller, params, body }) => ({
      user: await resetPassword(app, toActor(caller), params.id, body.password),
    }),
  }),
  route("POST /api/admin/users/:id/impersonate", {
    name: "impersonateUser",
    ...inPerson,
    summary: "Act as a user for an hour",
    params: IdParam,
    answer: SignInShape,
    async handle(call) {
      const { app, caller, params } = call;
      const { token, expiresAt, user } = await impersonate(app, caller, params.id, call.client);
      call.header("set-cookie", impersonationCookie(app.config, token));
      return { token, expiresAt, user };
    },
  }),
  route("GET /api/admin/actions", {
    name: "listAdminActions",
    ...own,
    summary: "List what administrators did, newest first",
    description: "`admin`, `action` and `target` match whole names, in any case.",
    query: only({
      admin: Type.Optional(Text),
      action: Type.Optional(Text),
      target: Type.Optional(Text),
      from: Type.Optional(Text),
      to: Type.Optional(Text),
      limit: Limit,
      cursor: Cursor,
    }),
    answer: only({ actions: Type.Array(ActionShape), total: Count, nextCursor: NextCursor }),
    handle: ({ app, query }) => listActions(app, query),
  }),
];
