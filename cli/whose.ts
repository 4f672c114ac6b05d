import { AppError } from "../src/domain/errors.ts";
import type { User } from "../src/domain/user.ts";
import type { World } from "../src/world.ts";
import type { Flags, Shell } from "./shell.ts";

/** Whose log a command is about: the user named, or the one in QSOLOG_USER, or the only one there is. */
export const whose = async (
  shell: Shell,
  flags: Flags & { user?: string },
  { db }: Pick<World, "db">,
): Promise<User> => {
  const users = await import("../src/storage/users.ts");
  const name = flags.user ?? shell.env.QSOLOG_USER;
  if (name) return db.read(() => users.getByName(name));
  const everybody = await db.read(() => users.list());
  if (everybody.length === 1) return everybody[0]!;
  if (everybody.length === 0) throw new AppError("not_found", "There is no user yet: qsolog admin create NAME.");
  throw new AppError("invalid", "There are several users: say which with --user or QSOLOG_USER.");
};
