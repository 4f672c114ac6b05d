import type { Caller } from "../auth/caller.ts";
import { AppError } from "../kernel/errors.ts";
import * as sessions from "../storage/people/sessions.ts";
import { listTokens } from "./tokens.ts";
import type { World } from "../world.ts";

/** The sessions of the user, with a mark for the caller's own. */
export const listSessions = async ({ db }: Pick<World, "db">, { user, sessionId }: Caller) => {
  const found = await db.read(() => sessions.listOf(user.id));
  return {
    sessions: found.map(({ id, createdAt, lastUsedAt, expiresAt, address, userAgent }) => ({
      id,
      createdAt,
      lastUsedAt,
      expiresAt,
      address,
      userAgent,
      current: id === sessionId,
    })),
  };
};

/** Ends another session of the user. */
export const endSession = async ({ db }: Pick<World, "db">, { user }: Caller, id: string): Promise<void> => {
  if (!(await db.write(() => sessions.end(user.id, id)))) throw new AppError("not_found", "There is no such session.");
};

/** Everything that gives access to an account: sessions and API tokens. */
export const signIns = async (world: Pick<World, "db">, caller: Caller) => ({
  ...(await listSessions(world, caller)),
  ...(await listTokens(world, caller.user.id)),
});
