type Typebox = typeof import("typebox").default;
type Builders =
  | "Array"
  | "Boolean"
  | "Enum"
  | "Integer"
  | "Literal"
  | "Null"
  | "Number"
  | "Object"
  | "Optional"
  | "Record"
  | "String"
  | "Union"
  | "Unknown"
  | "Unsafe";

const HIDDEN = { enumerable: false, configurable: true, writable: true };

const made = (kind: string, schema: object, options: object = {}): object =>
  Object.defineProperty({ ...schema, ...options }, "~kind", { ...HIDDEN, value: kind });

const isOptional = (schema: object): boolean => "~optional" in schema;

const objectOf = (properties: Record<string, object>, options?: object): object => {
  const required = Object.keys(properties).filter((name) => !isOptional(properties[name]!));
  return made("Object", { type: "object", ...(required.length > 0 ? { required } : {}), properties }, options);
};

/** With what does not show. */
const copied = (schema: object): object => Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema));

const optionally = (schema: object): object =>
  Object.defineProperty(copied(schema), "~optional", { ...HIDDEN, value: true });

/**
 * Those of typebox's builders that shapes are made with. A schema is plain data, and the hundreds of modules that
 * typebox builds it with would be a fifth of a start; its compiler is loaded when the first value is checked.
 */
export const Type = {
  Array: (items: object, options?: object) => made("Array", { type: "array", items }, options),
  Boolean: (options?: object) => made("Boolean", { type: "boolean" }, options),
  Enum: (values: readonly string[], options?: object) => made("Enum", { enum: values }, options),
  Integer: (options?: object) => made("Integer", { type: "integer" }, options),
  Literal: (value: string, options?: object) => made("Literal", { type: typeof value, const: value }, options),
  Null: (options?: object) => made("Null", { type: "null" }, options),
  Number: (options?: object) => made("Number", { type: "number" }, options),
  Object: objectOf,
  Optional: optionally,
  Record: (_: object, values: object, options?: object) =>
    made("Record", { type: "object", patternProperties: { "^.*$": values } }, options),
  String: (options?: object) => made("String", { type: "string" }, options),
  Union: (anyOf: readonly object[], options?: object) => made("Union", { anyOf }, options),
  Unknown: (options?: object) => made("Unknown", {}, options),
  Unsafe: (schema: object) => Object.defineProperty(copied(schema), "~unsafe", { ...HIDDEN, value: null }),
} as unknown as Pick<Typebox, Builders>;
