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
    { method: "GET", path: "/api/me", access: "user", summary: "Who is signed in", answer: Me },
    ({ app, caller }) => ({
      user: app.lastSeen.merge(caller.user),
      ...(caller.impersonatedBy
        ? {
            impersonatedBy: {
              id: caller.impersonatedBy.id,
              username: caller.impersonatedBy.username,
              // Acting as another user always ends at some time.
              expiresAt: caller.expiresAt!,
            },
          }
        : {}),
    }),
  ),
  route(
    {
      method: "PUT",
      path: "/api/me",
      access: "user",
      summary: "Change callsign and e-mail address",
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
      method: "DELETE",
      path: "/api/me",
      access: "user",
      summary: "Delete the own account with the whole log",
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
      method: "PUT",
      path: "/api/me/password",
      access: "user",
      summary: "Change the password; ends all other sessions",
      ...own,
      body: only({ current: Type.Optional(Text), next: Text, revokeTokens: Type.Optional(Type.Boolean()) }),
    },
    (call) => changePassword(call.app, call.caller, call.body, clientOf(call)),
  ),
  route(
    {
      method: "GET",
      path: "/api/me/sessions",
      access: "user",
      summary: "Where the user is signed in",
      ...own,
      answer: only({ sessions: Type.Array(SessionShape) }),
    },
    ({ app, caller }) => listSessions(app, caller),
  ),
  route(
    {
      method: "DELETE",
      path: "/api/me/sessions/:id",
      access: "user",
      summary: "Sign out elsewhere",
      ...own,
      params: only({ id: Type.String({ minLength: 1, maxLength: 100 }) }),
    },
    ({ app, caller, params }) => endSession(app, caller, params.id),
  ),
  route(
    {
      method: "GET",
      path: "/api/me/tokens",
      access: "user",
      summary: "The user's API tokens",
      ...own,
      answer: only({ tokens: Type.Array(TokenShape) }),
    },
    ({ app, caller }) => listTokens(app, caller.user.id),
  ),
  route(
    {
      method: "POST",
      path: "/api/me/tokens",
      access: "user",
      summary: "Make an API token; its text is given this once",
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
      method: "DELETE",
      path: "/api/me/tokens/:id",
      access: "user",
      summary: "Revoke an API token",
      ...own,
      params: IdParam,
    },
    (call) => revokeToken(call.app, call.caller.user.id, call.params.id, clientOf(call)),
  ),
  route(
    {
      method: "DELETE",
      path: "/api/me/sign-ins",
      access: "user",
      summary: "End every session and revoke every API token, also the one that asks",
      ...own,
    },
    async (call) => {
      await signOutEverywhere(call.app, call.caller, clientOf(call));
      call.header("set-cookie", noCookie(call.app.config, SESSION_COOKIE));
    },
  ),
  route(
    {
      method: "GET",
      path: "/api/me/identities",
      access: "user",
      summary: "The accounts elsewhere that sign in as the user",
      ...own,
      answer: only({ provider: orNull(Text), hasPassword: Type.Boolean(), identities: Type.Array(IdentityShape) }),
    },
    ({ app, caller }) => listIdentities(app, caller.user.id),
  ),
  route(
    {
      method: "DELETE",
      path: "/api/me/identities/:id",
      access: "user",
      summary: "Let an account elsewhere sign in no longer",
      ...own,
      confirmed: true,
      params: IdParam,
    },
    (call) => unlinkIdentity(call.app, call.caller, call.params.id, clientOf(call)),
  ),
  route(
    {
      method: "GET",
      path: "/api/me/events",
      access: "user",
      summary: "What happened to the account, newest first",
      ...own,
      query: only({ limit: Limit, cursor: Cursor }),
      answer: only({ events: Type.Array(EventShape), nextCursor: NextCursor }),
    },
    ({ app, caller, query }) => listEvents(app, caller.user.id, query),
  ),
];
