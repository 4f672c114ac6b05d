import * as accountEvents from "../storage/people/account-events.ts";
import { limitOf, pageOf, readNumbers } from "../storage/engine/page-cursor.ts";
import type { World } from "../world.ts";

const ROWS_A_PAGE = 20;

/** The events of an account, newest first. */
export const listEvents = async (
  { db }: Pick<World, "db">,
  userId: number,
  asked: { limit?: number; cursor?: string } = {},
) => {
  const limit = limitOf(asked.limit, ROWS_A_PAGE);
  const question = ["events", userId];
  const beforeId = asked.cursor === undefined ? undefined : readNumbers(question, asked.cursor, 1)[0]!;
  const found = await db.read(() => accountEvents.list(userId, { beforeId, limit: limit + 1 }));
  const { rows, nextCursor } = pageOf(found, limit, question, ({ id }) => [id]);
  return { events: rows, nextCursor };
};
