import { Type } from "typebox";
import { changePassword, changeProfile, deleteOwnAccount, signOutEverywhere } from "../../people/account.ts";
import { listEvents } from "../../people/events.ts";
import { listIdentities, unlinkIdentity } from "../../people/identities.ts";
import { endSession, listSessions } from "../../people/sessions.ts";
import { createOwnToken, KEY_FORMS, listTokens, revokeToken } from "../../people/tokens.ts";
import { clientOf } from "../http/client-address.ts";
import { noCookie, SESSION_COOKIE } from "../http/cookies.ts";
import { route } from "../http/route.ts";
import {
  Cursor,
  Id,
  IdParam,
  Limit,
  Ms,
  NextCursor,
  only,
  orNull,
  Short,
  Text,
  UserShape,
  AnyScope,
  TokenShape,
  words,
} from "../http/shapes.ts";

const Me = only({ user: UserShape, impersonatedBy: Type.Optional(only({ id: Id, username: Text, expiresAt: Ms })) });
const SessionShape = only({
  id: Text,
  createdAt: Ms,
  lastUsedAt: Ms,
  expiresAt: Ms,
  address: orNull(Text),
  userAgent: orNull(Text),
  current: Type.Boolean(),
});

const EventShape = only({
  id: Id,
  at: Ms,
  event: Text,
  by: orNull(Text),
  address: orNull(Text),
  userAgent: orNull(Text),
  details: Type.Record(Text, Type.Unknown()),
});

const IdentityShape = only({
  id: Id,
  issuer: Text,
  label: orNull(Text),
  createdAt: Ms,
  lastUsedAt: orNull(Ms),
});

const own = { sessionOnly: true, notWhileImpersonating: true } as const;

export const meRoutes = [
  route(
    {
      name: "getMe",
      method: "GET",
      path: "/api/me",
      access: "user",
      summary: "Get the signed-in user",
      description: "Names the administrator too, if one acts as the user.",
      answer: Me,
    },
    ({ app, caller }) => ({
      user: app.lastSeen.merge(caller.user),
      ...(caller.impersonatedBy
        ? {
            impersonatedBy: {
              id: caller.impersonatedBy.id,
              username: caller.impersonatedBy.username,
              // Acting as another user always has an end.
              expiresAt: caller.expiresAt!,
            },
          }
        : {}),
    }),
  ),
  route(
    {
      name: "updateMe",
      method: "PUT",
      path: "/api/me",
      access: "user",
      summary: "Change your callsign or e-mail address",
      ...own,
      confirmed: true,
      body: only({ callsign: Type.Optional(orNull(Short)), email: Type.Optional(orNull(Short)) }),
      answer: Me,
    },
    async (call) => {
      const { app, caller, body } = call;
      return { user: app.lastSeen.merge(await changeProfile(app, caller.user, body, clientOf(call))) };
    },
  ),
  route(
    {
      name: "deleteMe",
      method: "DELETE",
      path: "/api/me",
      access: "user",
      summary: "Delete your account and your whole log",
      description: "Administrators cannot delete themselves.",
      ...own,
      body: only({ password: Type.Optional(Text) }),
    },
    async (call) => {
      const { app, caller, body } = call;
      await deleteOwnAccount(app, caller, body.password, clientOf(call));
      call.header("set-cookie", noCookie(app.config, SESSION_COOKIE));
    },
  ),
  route(
    {
      name: "changePassword",
      method: "PUT",
      path: "/api/me/password",
      access: "user",
      summary: "Change your password",
      description: "Ends all other sessions, and revokes your API tokens if you ask for it.",
      ...own,
      body: only({ current: Type.Optional(Text), next: Text, revokeTokens: Type.Optional(Type.Boolean()) }),
    },
    (call) => changePassword(call.app, call.caller, call.body, clientOf(call)),
  ),
  route(
    {
      name: "listSessions",
      method: "GET",
      path: "/api/me/sessions",
      access: "user",
      summary: "List your sessions",
      ...own,
      answer: only({ sessions: Type.Array(SessionShape) }),
    },
    ({ app, caller }) => listSessions(app, caller),
  ),
  route(
    {
      name: "endSession",
      method: "DELETE",
      path: "/api/me/sessions/:id",
      access: "user",
      summary: "End one of your sessions",
      ...own,
      params: only({ id: Type.String({ minLength: 1, maxLength: 100 }) }),
    },
    ({ app, caller, params }) => endSession(app, caller, params.id),
  ),
  route(
    {
      name: "listTokens",
      method: "GET",
      path: "/api/me/tokens",
      access: "user",
      summary: "List your API tokens",
      description: "The tokens themselves are shown only when they are created.",
      ...own,
      answer: only({ tokens: Type.Array(TokenShape) }),
    },
    ({ app, caller }) => listTokens(app, caller.user.id),
  ),
  route(
    {
      name: "createToken",
      method: "POST",
      path: "/api/me/tokens",
      access: "user",
      summary: "Create an API token",
      description: "The answer is the only one that has the token.",
      ...own,
      confirmed: true,
      body: only({
        name: Type.String({ minLength: 1, maxLength: 100 }),
        scope: AnyScope,
        expiresAt: Type.Optional(orNull(Ms)),
        form: Type.Optional(words(KEY_FORMS)),
      }),
      answer: only({ ...TokenShape.properties, token: Text }),
      status: 201,
    },
    (call) => createOwnToken(call.app, call.caller, call.body, clientOf(call)),
  ),
  route(
    {
      name: "revokeToken",
      method: "DELETE",
      path: "/api/me/tokens/:id",
      access: "user",
      summary: "Revoke one of your API tokens",
      ...own,
      params: IdParam,
    },
    (call) => revokeToken(call.app, call.caller.user.id, call.params.id, clientOf(call)),
  ),
  route(
    {
      name: "signOutEverywhere",
      method: "DELETE",
      path: "/api/me/sign-ins",
      access: "user",
      summary: "Sign out everywhere",
      description: "Ends every session and revokes every API token, also the session that asks.",
      ...own,
    },
    async (call) => {
      await signOutEverywhere(call.app, call.caller, clientOf(call));
      call.header("set-cookie", noCookie(call.app.config, SESSION_COOKIE));
    },
  ),
  route(
    {
      name: "listIdentities",
      method: "GET",
      path: "/api/me/identities",
      access: "user",
      summary: "List your external sign-ins",
      description: "The accounts at a single sign-on provider that sign in as you.",
      ...own,
      answer: only({ provider: orNull(Text), hasPassword: Type.Boolean(), identities: Type.Array(IdentityShape) }),
    },
    ({ app, caller }) => listIdentities(app, caller.user.id),
  ),
  route(
    {
      name: "unlinkIdentity",
      method: "DELETE",
      path: "/api/me/identities/:id",
      access: "user",
      summary: "Unlink an external sign-in",
      description: "Ends other sessions that were started with it.",
      ...own,
      confirmed: true,
      params: IdParam,
    },
    (call) => unlinkIdentity(call.app, call.caller, call.params.id, clientOf(call)),
  ),
  route(
    {
      name: "listAccountEvents",
      method: "GET",
      path: "/api/me/events",
      access: "user",
      summary: "List what happened to your account",
      description: "Newest first. Events are kept for a year.",
      ...own,
      query: only({ limit: Limit, cursor: Cursor }),
      answer: only({ events: Type.Array(EventShape), nextCursor: NextCursor }),
    },
    ({ app, caller, query }) => listEvents(app, caller.user.id, query),
  ),
];
