import { Type } from "typebox";
import { changePassword, changeProfile, deleteOwnAccount, signOutEverywhere } from "../../people/account.ts";
import { listEvents } from "../../people/events.ts";
import { listIdentities, unlinkIdentity } from "../../people/identities.ts";
import { endSession, listSessions } from "../../people/sessions.ts";
import { createOwnToken, KEY_FORMS, listTokens, revokeToken } from "../../people/tokens.ts";
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
  route("GET /api/me", {
    name: "getMe",
    summary: "Get the signed-in user",
    description: "Names the administrator too, if one acts as the user.",
    answer: Me,
    handle: ({ app, caller }) => ({
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
  }),
  route("PUT /api/me", {
    name: "updateMe",
    summary: "Change your callsign or e-mail address",
    ...own,
    confirmed: true,
    body: only({ callsign: Type.Optional(orNull(Short)), email: Type.Optional(orNull(Short)) }),
    answer: Me,
    async handle(call) {
      const { app, caller, body } = call;
      return { user: app.lastSeen.merge(await changeProfile(app, caller.user, body, call.client)) };
    },
  }),
  route("DELETE /api/me", {
    name: "deleteMe",
    summary: "Delete your account and your whole log",
    description: "Administrators cannot delete themselves.",
    ...own,
    body: only({ password: Type.Optional(Text) }),
    async handle(call) {
      const { app, caller, body } = call;
      await deleteOwnAccount(app, caller, body.password, call.client);
      call.header("set-cookie", noCookie(app.config, SESSION_COOKIE));
    },
  }),
  route("PUT /api/me/password", {
    name: "changePassword",
    summary: "Change your password",
    description: "Ends all other sessions, and revokes your API tokens if you ask for it.",
    ...own,
    body: only({ current: Type.Optional(Text), next: Text, revokeTokens: Type.Optional(Type.Boolean()) }),
    handle: (call) => changePassword(call.app, call.caller, call.body, call.client),
  }),
  route("GET /api/me/sessions", {
    name: "listSessions",
    summary: "List your sessions",
    ...own,
    answer: only({ sessions: Type.Array(SessionShape) }),
    handle: ({ app, caller }) => listSessions(app, caller),
  }),
  route("DELETE /api/me/sessions/:id", {
    name: "endSession",
    summary: "End one of your sessions",
    ...own,
    params: only({ id: Type.String({ minLength: 1, maxLength: 100 }) }),
    handle: ({ app, caller, params }) => endSession(app, caller, params.id),
  }),
  route("GET /api/me/tokens", {
    name: "listTokens",
    summary: "List your API tokens",
    description: "The tokens themselves are shown only when they are created.",
    ...own,
    answer: only({ tokens: Type.Array(TokenShape) }),
    handle: ({ app, caller }) => listTokens(app, caller.user.id),
  }),
  route("POST /api/me/tokens", {
    name: "createToken",
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
    handle: (call) => createOwnToken(call.app, call.caller, call.body, call.client),
  }),
  route("DELETE /api/me/tokens/:id", {
    name: "revokeToken",
    summary: "Revoke one of your API tokens",
    ...own,
    params: IdParam,
    handle: (call) => revokeToken(call.app, call.caller.user.id, call.params.id, call.client),
  }),
  route("DELETE /api/me/sign-ins", {
    name: "signOutEverywhere",
    summary: "Sign out everywhere",
    description: "Ends every session and revokes every API token, also the session that asks.",
    ...own,
    async handle(call) {
      await signOutEverywhere(call.app, call.caller, call.client);
      call.header("set-cookie", noCookie(call.app.config, SESSION_COOKIE));
    },
  }),
  route("GET /api/me/identities", {
    name: "listIdentities",
    summary: "List your external sign-ins",
    description: "The accounts at a single sign-on provider that sign in as you.",
    ...own,
    answer: only({ provider: orNull(Text), hasPassword: Type.Boolean(), identities: Type.Array(IdentityShape) }),
    handle: ({ app, caller }) => listIdentities(app, caller.user.id),
  }),
  route("DELETE /api/me/identities/:id", {
    name: "unlinkIdentity",
    summary: "Unlink an external sign-in",
    description: "Ends other sessions that were started with it.",
    ...own,
    confirmed: true,
    params: IdParam,
    handle: (call) => unlinkIdentity(call.app, call.caller, call.params.id, call.client),
  }),
  route("GET /api/me/events", {
    name: "listAccountEvents",
    summary: "List what happened to your account",
    description: "Newest first. Events are kept for a year.",
    ...own,
    query: only({ limit: Limit, cursor: Cursor }),
    answer: only({ events: Type.Array(EventShape), nextCursor: NextCursor }),
    handle: ({ app, caller, query }) => listEvents(app, caller.user.id, query),
  }),
];
