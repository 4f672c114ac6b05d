import { checkOrder, parseDay } from "../kernel/day.ts";
import { type FieldProblem, invalidFields } from "../kernel/errors.ts";
import { normaliseUsername, type Role } from "../domain/people/user.ts";
import * as adminActions from "../storage/people/admin-actions.ts";
import { limitOf, otherList, pageOf, readCursor, readNumbers } from "../storage/engine/page-cursor.ts";
import * as userList from "../storage/people/user-list.ts";
import type { World } from "../world.ts";

const ROWS_A_PAGE = 50;

export const USER_SORTS = ["username", "-username", "lastSeen", "-lastSeen", "createdAt", "-createdAt"] as const;

export interface UsersAsked {
  q?: string;
  role?: Role;
  sort?: (typeof USER_SORTS)[number];
  filter?: "failing";
  limit?: number;
  cursor?: string;
}

/** A page of users with their counts. */
export const listUsers = async (
  { db, lastSeen }: Pick<World, "db"> & { lastSeen: { flush(): Promise<void> } },
  { q, role, sort: wanted = "username", filter, limit: asked, cursor }: UsersAsked,
) => {
  const limit = limitOf(asked, ROWS_A_PAGE);
  const descending = wanted.startsWith("-");
  const sort = wanted.replace("-", "") as userList.UserSort;
  const question = ["users", q, role, wanted, filter];
  const after = cursor === undefined ? undefined : parseCursor(question, cursor, sort);
  await lastSeen.flush();
  const order = { q, role, failing: filter === "failing", sort, descending, after, limit: limit + 1 };
  const found = await db.read(() => userList.list(order));
  const { rows, nextCursor } = pageOf(found.users, limit, question, (user) => userList.getCursor(user, sort));
  return { users: rows, total: found.total, nextCursor };
};

/** The position where a page of users ended: a name or a time. */
const parseCursor = (question: unknown, cursor: string, sort: userList.UserSort): [string | number, number] => {
  if (sort !== "username") return readNumbers(question, cursor, 2) as [number, number];
  const [name, id] = readCursor(question, cursor, 2);
  if (typeof name !== "string" || typeof id !== "number") throw otherList();
  return [name, id];
};

/** All users, for the shell. */
export const listEveryUser = async ({ db }: Pick<World, "db">, { q, role }: Pick<UsersAsked, "q" | "role">) => {
  const order = { q, role, sort: "username" as const, descending: false, limit: Number.MAX_SAFE_INTEGER };
  return { ...(await db.read(() => userList.list(order))), nextCursor: null };
};

interface ActionsAsked {
  admin?: string;
  action?: string;
  target?: string;
  from?: string;
  to?: string;
  limit?: number;
  cursor?: string;
}

/** A page of the action log, newest first. Names must match completely, ignoring case. */
export const listActions = async ({ db }: Pick<World, "db">, asked: ActionsAsked) => {
  assertSaid(asked);
  const { action, from, to, cursor } = asked;
  const slip = checkOrder(from, to);
  if (slip !== null) throw invalidFields([slip]);
  const limit = limitOf(asked.limit, ROWS_A_PAGE);
  const [admin, target] = [asked.admin, asked.target].map((name) => name && normaliseUsername(name));
  const question = ["actions", admin, action, target, from, to];
  const filter = {
    admin,
    action: action?.trim(),
    target,
    from: from === undefined ? undefined : parseDay(from, "from"),
    to: to === undefined ? undefined : parseDay(to, "to", true),
    beforeId: cursor === undefined ? undefined : readNumbers(question, cursor, 1)[0]!,
    limit: limit + 1,
  };
  const found = await db.read(() => adminActions.list(filter));
  const { rows, nextCursor } = pageOf(found.actions, limit, question, ({ id }) => [id]);
  return { actions: rows, total: found.total, nextCursor };
};

const MAX_LENGTH = 200;

/** Rejects empty filters, which would otherwise mean no filter or a user without a name. */
const assertSaid = ({ admin, action, target }: ActionsAsked): void => {
  const fields = Object.entries({ admin, action, target }).flatMap(([path, text]): FieldProblem[] => {
    if (text === undefined) return [];
    if (text.trim() === "") return [{ path, message: `${path} is empty.` }];
    const isGarbled = text.length > MAX_LENGTH || text.includes("\0");
    return isGarbled
      ? [{ path, message: `${path} is not valid text, or is longer than ${MAX_LENGTH} characters.` }]
      : [];
  });
  if (fields.length > 0) throw invalidFields(fields);
};
