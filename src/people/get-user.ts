import type { User } from "../domain/people/user.ts";
import { AppError } from "../kernel/errors.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";

/** A user by name, as typed in the shell. */
export const getUserByName = ({ db }: Pick<World, "db">, name: string): Promise<User> =>
  db.read(() => users.getByName(name));

export const getUserById = ({ db }: Pick<World, "db">, id: number): Promise<User> => db.read(() => users.get(id));

/** The only user. Throws if there are none or several. */
export const getOnlyUser = async ({ db }: Pick<World, "db">): Promise<User> => {
  const everybody = await db.read(() => users.list());
  if (everybody.length === 1) return everybody[0]!;
  if (everybody.length === 0)
    throw new AppError("not_found", "There are no users yet. Create one: qsolog admin create NAME");
  throw new AppError("invalid", "There are several users. Choose one with --user or QSOLOG_USER.");
};
