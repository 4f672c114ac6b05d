import { expect, test } from "bun:test";
import Typebox from "typebox";
import { Type } from "../../src/server/http/schema-types.ts";

const everyKind = (type: typeof Type) => [
  type.Array(type.Integer(), { maxItems: 3 }),
  type.Boolean(),
  type.Enum(["read", "write"]),
  type.Integer({ minimum: 1 }),
  type.Literal("on"),
  type.Null(),
  type.Number({ maximum: 2 }),
  type.Object({ a: type.String(), b: type.Optional(type.String()) }, { additionalProperties: false }),
  type.Object({ b: type.Optional(type.Object({})) }),
  type.Optional(type.Union([type.String(), type.Null()])),
  type.Record(type.String(), type.Unknown()),
  type.String({ maxLength: 4 }),
  type.Unsafe<"a">(type.Enum(["a"])),
];

/** With what typebox keeps out of sight. */
const whole = (schema: unknown): unknown =>
  Array.isArray(schema)
    ? schema.map(whole)
    : typeof schema === "object" && schema !== null
      ? Object.fromEntries(
          Object.getOwnPropertyNames(schema)
            .sort()
            .map((name) => [name, whole((schema as Record<string, unknown>)[name])]),
        )
      : schema;

test("schemas are those that typebox builds", () => {
  expect(everyKind(Type).map(whole)).toEqual(everyKind(Typebox as typeof Type).map(whole));
  expect(JSON.stringify(everyKind(Type))).toBe(JSON.stringify(everyKind(Typebox as typeof Type)));
});
