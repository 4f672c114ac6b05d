import type { User } from "../src/domain/people/user.ts";
import type { World } from "../src/world.ts";
import type { Flags, Shell } from "./shell.ts";

/** The user whose log a command uses: --user, QSOLOG_USER, or the only user. */
export const resolveUser = async (
  shell: Shell,
  flags: Flags & { user?: string },
  world: Pick<World, "db">,
): Promise<User> => {
  const people = await import("../src/people/get-user.ts");
  const name = flags.user ?? shell.env.QSOLOG_USER;
  return name ? people.getUserByName(world, name) : people.getOnlyUser(world);
};
