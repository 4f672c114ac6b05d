import type { Static, TSchema } from "typebox";
import { AppError, type FieldProblem } from "./errors.ts";

type Compile = typeof import("typebox/compile").Compile;
type Convert = typeof import("typebox/value").Convert;
type Checker = ReturnType<Compile>;

/** Loaded with the first schema, because they take longer to load than the rest of a start. */
const compiler = (): { Compile: Compile } => require("typebox/compile");
const converter = (): { Convert: Convert } => require("typebox/value");

/** Loads the compiler (150 ms) before anybody waits for it. */
export const loadCompiler = (): void => {
  compiler();
  converter();
};

/** Schemas are compiled on first use. Compiling them all would slow down the start. */
const checkers = new WeakMap<TSchema, Checker>();

const getChecker = (schema: TSchema): Checker => {
  const known = checkers.get(schema);
  if (known) return known;
  const made = compiler().Compile(schema);
  checkers.set(schema, made);
  return made;
};

export const fits = (schema: TSchema, value: unknown): boolean => getChecker(schema).Check(value);

/** Checks a value against its schema. Throws with every field that does not fit. */
export const read = <T extends TSchema>(schema: T, value: unknown): Static<T> => {
  const checker = getChecker(schema);
  if (checker.Check(value)) return value as Static<T>;
  const fields = listProblems(checker, value);
  const words = fields.map(({ path, message }) => (path === "" ? message : `${path} ${message}`)).join("; ");
  throw new AppError("invalid", `Invalid input: ${words}.`, { fields });
};

/** The same for text input: a query string, a form, parts of a path. */
export const readText = <T extends TSchema>(schema: T, value: unknown): Static<T> => {
  if (isObject(value) && isPlainText(schema, value)) return value as Static<T>;
  return read(schema, isObject(value) ? convertFields(schema, value) : converter().Convert(schema, value));
};

/** Strings need no conversion. Most pages only have strings, so the first page does not wait for the compiler. */
const isPlainText = (schema: FlatSchema, value: Record<string, unknown>): boolean => {
  const { type, properties = {}, required = [] } = schema;
  return (
    type === "object" &&
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, text]) => {
      if (!Object.hasOwn(properties, name) || typeof text !== "string") return false;
      const { type: wanted, maxLength = Infinity, ...more } = properties[name]!;
      return wanted === "string" && text.length <= maxLength && Object.keys(more).length === 0;
    })
  );
};

type FlatSchema = TSchema & {
  type?: string;
  required?: readonly string[];
  properties?: Record<string, { type?: string; maxLength?: number }>;
};

/** A number must consist of digits: `true`, `1.9` and `1e1` are not accepted. */
const convertFields = (schema: TSchema, value: Record<string, unknown>): unknown => {
  const { properties = {} } = schema as { properties?: Record<string, TSchema & { type?: string }> };
  const { Convert } = converter();
  const fields = Object.entries(value).map(([name, text]) => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isOdd = field?.type === "integer" && !(typeof text === "string" && WHOLE_NUMBER.test(text));
    return [name, field && !isOdd ? Convert(field, text) : text];
  });
  return Object.fromEntries(fields);
};

const WHOLE_NUMBER = /^(0|-?[1-9]\d*)$/;

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === "object";

/** One problem per field, although the checker reports a union once for each member. */
const listProblems = (checker: Checker, value: unknown): FieldProblem[] => {
  const problems = new Map<string, string>();
  const allowed = new Map<string, Allowed>();
  for (const { keyword, instancePath, message, params } of checker.Errors(value)) {
    const path = toPath(instancePath);
    const here = allowed.get(path) ?? { values: [], types: [] };
    allowed.set(path, here);
    if (keyword === "const") here.values.push((params as { allowedValue: unknown }).allowedValue);
    if (keyword === "enum") here.values.push(...(params as { allowedValues: unknown[] }).allowedValues);
    if (keyword === "type") here.types.push((params as { type: string | string[] }).type);
    for (const [place, words] of describeError(keyword, path, message, params as Record<string, unknown>)) {
      if (keyword === "anyOf" || keyword === "enum") problems.set(place, oneOf(here));
      else if (!problems.has(place)) problems.set(place, words);
    }
  }
  return [...problems].map(([path, message]) => ({ path, message }));
};

/** The allowed values or types of a field. */
interface Allowed {
  values: unknown[];
  types: (string | string[])[];
}

/** A form sends an empty text for a field that was not chosen. */
const oneOf = ({ values, types }: Allowed): string => {
  const named = values.filter((value) => value !== "");
  if (named.length > 0) return `must be one of ${named.join(", ")}`;
  return types.length > 1 ? `must be ${types.flat().join(" or ")}` : "has an invalid format";
};

export const MISSING = "is missing";

const toPath = (pointer: string): string => pointer.split("/").slice(1).join(".");

const describeError = (
  keyword: string,
  path: string,
  message: string,
  params: Record<string, unknown>,
): [string, string][] => {
  const below = (name: string) => (path === "" ? name : `${path}.${name}`);
  switch (keyword) {
    case "required":
      return (params.requiredProperties as string[]).map((name) => [below(name), MISSING]);
    case "additionalProperties":
      return (params.additionalProperties as string[]).map((name) => [below(name), "is not a known field"]);
    case "boolean":
      return [[path, "is not a known field"]];
    default:
      return [[path, message]];
  }
};

/** A document as handlers and clients pass it on: nobody changes it. */
export type Frozen<T> = T extends object ? { readonly [Name in keyof T]: Frozen<T[Name]> } : T;
