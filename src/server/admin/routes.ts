import { Type } from "../schema-types.ts";
import { impersonate } from "../../people/impersonation.ts";
import { demote, promote } from "../../people/roles.ts";
import { createUser, deleteUser, resetPassword } from "../../people/users.ts";
import { actorOf } from "../../auth/caller.ts";
import { parseDay } from "../../domain/day.ts";
import { readCursor, readNumbers, writeCursor } from "../../storage/page-cursor.ts";
import { version } from "../../../package.json";
import * as adminActions from "../../storage/admin-actions.ts";
import * as system from "../../storage/system.ts";
import * as userList from "../../storage/user-list.ts";
import { impersonationCookie } from "../cookies.ts";
import { route } from "../route.ts";
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
  UserShape,
  words,
} from "../shapes.ts";
import { clientOf } from "../sign-in/routes.ts";

const ROWS_A_PAGE = 50;

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

/** What changes accounts is done by a person who signed in, not by a program with a token. */
const own = { access: "administrator", notWhileImpersonating: true } as const;

export const adminRoutes = [
  route(
    {
      method: "GET",
      path: "/api/admin/stats",
      ...own,
      summary: "The figures of the installation",
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
    },
    async ({ app }) => {
      await app.lastSeen.flush();
      const { scheduler, startedAt } = app;
      return {
        ...(await app.db.read(() => system.figures(app.clock()))),
        databaseBytes: await app.db.sizeBytes(),
        scheduler: { running: scheduler.isRunning, lastTickAt: scheduler.lastTickAt },
        version,
        startedAt,
      };
    },
  ),
  route(
    {
      method: "GET",
      path: "/api/admin/users",
      ...own,
      summary: "The users with their counts",
      query: only({
        q: Type.Optional(Short),
        sort: Type.Optional(
          words(["username", "-username", "lastSeen", "-lastSeen", "createdAt", "-createdAt"] as const),
        ),
        filter: Type.Optional(words(["failing"] as const)),
        limit: Limit,
        cursor: Cursor,
      }),
      answer: only({ users: Type.Array(ListedUser), total: Count, nextCursor: NextCursor }),
    },
    async ({ app, query }) => {
      const { q, sort: wanted = "username", filter, limit = ROWS_A_PAGE, cursor } = query;
      const descending = wanted.startsWith("-");
      const sort = wanted.replace("-", "") as userList.UserSort;
      const question = ["users", q, wanted, filter];
      const after = cursor === undefined ? undefined : readCursor(question, cursor, 2);
      await app.lastSeen.flush();
      const order = { q, failing: filter === "failing", sort, descending, after, limit: limit + 1 };
      const found = await app.db.read(() => userList.list(order));
      const users = found.users.slice(0, limit);
      const nextCursor =
        found.users.length > limit ? writeCursor(question, userList.placeOf(users.at(-1)!, sort)) : null;
      return { users, total: found.total, nextCursor };
    },
  ),
  route(
    {
      method: "POST",
      path: "/api/admin/users",
      ...own,
      summary: "Make a user",
      body: only({ ...NewAccount.properties, role: Type.Optional(words(["user", "admin"] as const)) }),
      answer: OneUser,
      status: 201,
    },
    async ({ app, caller, body }) => ({ user: await createUser(app, actorOf(caller), body) }),
  ),
  route(
    {
      method: "DELETE",
      path: "/api/admin/users/:id",
      ...own,
      summary: "Delete a user with the whole log",
      params: IdParam,
    },
    async ({ app, caller, params }) => {
      await deleteUser(app, actorOf(caller), params.id);
    },
  ),
  route(
    {
      method: "POST",
      path: "/api/admin/users/:id/promote",
      ...own,
      summary: "Make an administrator",
      params: IdParam,
      answer: OneUser,
    },
    async ({ app, caller, params }) => ({ user: await promote(app, actorOf(caller), params.id) }),
  ),
  route(
    {
      method: "POST",
      path: "/api/admin/users/:id/demote",
      ...own,
      summary: "Take the role away",
      params: IdParam,
      answer: OneUser,
    },
    async ({ app, caller, params }) => ({ user: await demote(app, actorOf(caller), params.id) }),
  ),
  route(
    {
      method: "POST",
      path: "/api/admin/users/:id/password",
      ...own,
      sessionOnly: true,
      summary: "Set a user's password and end the user's sessions",
      params: IdParam,
      body: only({ password: Text }),
      answer: OneUser,
    },
    async ({ app, caller, params, body }) => ({
      user: await resetPassword(app, actorOf(caller), params.id, body.password),
    }),
  ),
  route(
    {
      method: "POST",
      path: "/api/admin/users/:id/impersonate",
      ...own,
      sessionOnly: true,
      summary: "Act as a user for an hour",
      params: IdParam,
      answer: SignInShape,
    },
    async (call) => {
      const { app, caller, params } = call;
      const { token, expiresAt, user } = await impersonate(app, caller, params.id, clientOf(call));
      call.header("set-cookie", impersonationCookie(app.config, token));
      return { token, expiresAt, user };
    },
  ),
  route(
    {
      method: "GET",
      path: "/api/admin/actions",
      ...own,
      summary: "What administrators did, newest first",
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
    },
    async ({ app, query }) => {
      const { limit = ROWS_A_PAGE, cursor, from, to, ...named } = query;
      const question = ["actions", named, from, to];
      const filter = {
        ...named,
        from: from === undefined ? undefined : parseDay(from, "from"),
        to: to === undefined ? undefined : parseDay(to, "to", true),
        beforeId: cursor === undefined ? undefined : readNumbers(question, cursor, 1)[0]!,
        limit: limit + 1,
      };
      const { actions, total } = await app.db.read(() => adminActions.list(filter));
      const page = actions.slice(0, limit);
      return {
        actions: page,
        total,
        nextCursor: actions.length > limit ? writeCursor(question, [page.at(-1)!.id]) : null,
      };
    },
  ),
];
