import type { UserDef } from "../../domain/contact/adif-record.ts";
import type { RowOf } from "../engine/rows.ts";
import { many, run, type Unit } from "../engine/unit.ts";

type Defined = { [Name in keyof UserDef]: UserDef[Name] | undefined } & Pick<UserDef, "name">;

/** Stores the user-defined fields of a header. A later header can redefine a field. */
export function* keep(userId: number, defined: readonly Defined[]): Unit<void> {
  for (const { name, type = null, values = null } of defined) {
    yield* run`
      INSERT INTO user_fields (user_id, name, type, allowed) VALUES (${userId}, ${name}, ${type}, ${values})
      ON CONFLICT (user_id, name) DO UPDATE SET type = ${type}, allowed = ${values}`;
  }
}

export function* list(userId: number): Unit<UserDef[]> {
  const rows = yield* many<RowOf<"user_fields", "name" | "type" | "allowed">>`
    SELECT name, type, allowed FROM user_fields WHERE user_id = ${userId} ORDER BY name`;
  return rows.map(({ name, type, allowed }) => ({
    name,
    ...(type !== null && { type }),
    ...(allowed !== null && { values: allowed }),
  }));
}
