import type { Actor } from "../domain/people/actor.ts";
import { AppError } from "../kernel/errors.ts";
import type { Role, User } from "../domain/people/user.ts";
import * as accountEvents from "../storage/people/account-events.ts";
import * as sessions from "../storage/people/sessions.ts";
import * as users from "../storage/people/users.ts";
import type { Unit } from "../storage/engine/unit.ts";
import { audited, type Deps } from "./audited.ts";

/** A user by name (in the shell) or id (in pages and programs). */
export type UserKey = string | number;

export const findUser = (key: UserKey): Unit<User> => (typeof key === "string" ? users.getByName(key) : users.get(key));

/** Makes a user an administrator. */
export const promote = (deps: Deps, actor: Actor, key: UserKey): Promise<User> =>
  audited(deps, actor, {
    action: "promote",
    target: () => findUser(key),
    *perform(user) {
      if (user.isAdmin) {
        throw new AppError("conflict", `${user.username} is already an administrator.`, { rule: "already_admin" });
      }
      return yield* setRole(deps, actor, user, "admin");
    },
  });

/** Removes the administrator role, unless it is the last administrator. */
export const demote = (deps: Deps, actor: Actor, key: UserKey): Promise<User> =>
  audited(deps, actor, {
    action: "demote",
    target: () => findUser(key),
    *perform(user) {
      if (!user.isAdmin) {
        throw new AppError("conflict", `${user.username} is not an administrator.`, { rule: "not_admin" });
      }
      yield* assertNotLast(user);
      return yield* setRole(deps, actor, user, "user");
    },
  });

/** Impersonations by and of the user end, and do not return when the role changes again. */
function* setRole({ clock }: Deps, actor: Actor, { id }: User, role: Role): Unit<User> {
  yield* accountEvents.record(id, clock(), "role_changed", { by: actor.name, details: { role } });
  yield* sessions.endImpersonationsOf(id);
  return yield* users.setRole(id, role);
}

function* assertNotLast(user: User): Unit<void> {
  if ((yield* users.count("admin")) > 1) return;
  throw new AppError("conflict", `${user.username} is the only administrator. Promote another user first.`, {
    rule: "last_admin",
  });
}
