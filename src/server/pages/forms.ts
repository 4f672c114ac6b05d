import type { Static, TSchema } from "typebox";
import { AppError, invalidField, invalidFields } from "../../kernel/errors.ts";
import { normaliseUsername } from "../../domain/people/user.ts";
import { MISSING, readText } from "../../kernel/schema.ts";
import { limitedText } from "../http/body.ts";
import type { Problem } from "../../../views/form.tsx";

/** The fields of a form. */
export const readForm = async (request: Request): Promise<Record<string, string>> => {
  const type = request.headers.get("content-type") ?? "";
  const text = await limitedText(request);
  if (text !== "" && !type.startsWith("application/x-www-form-urlencoded")) {
    throw new AppError("invalid", "The request is not a form.");
  }
  return Object.fromEntries(new URLSearchParams(text));
};

/** The fields as their schema describes them. An empty field counts as missing. */
export const fitForm = <T extends TSchema>(schema: T, fields: Record<string, string>): Static<T> =>
  withoutNames(() => readText(schema, Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""))));

/** Messages for people show the label of a field instead of its name. */
const withoutNames = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError) || error.fields === undefined) throw error;
    const fields = error.fields.map(({ path, message }) => ({ path, message: asSentence(message) }));
    throw invalidFields(fields);
  }
};

const asSentence = (message: string): string =>
  message === MISSING ? "Fill in this field." : `${message[0]!.toUpperCase()}${message.slice(1)}.`;

/** Refuses fields that the page does not offer. */
export const assertFormFields = (fields: Record<string, string>, known: readonly string[]): void => {
  const strange = Object.keys(fields).filter((name) => !known.includes(name));
  if (strange.length === 0) return;
  const problems = strange.map((path) => ({ path, message: "is not a known field" }));
  throw new AppError("invalid", `${strange[0]} is not a known field.`, { fields: problems });
};

/** The query of a page's own form. Browsers send every field, and an empty one means nothing. */
export const asked = <T extends Record<string, unknown>>(query: T): { [Name in keyof T]?: Exclude<T[Name], ""> } =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== "" && value !== undefined)) as never;

/** The given values as a query, or an empty text. */
export const queryOf = (given: Record<string, string | undefined>): string => {
  const named = Object.entries(given).filter((one): one is [string, string] => !!one[1]);
  return named.length === 0 ? "" : `?${new URLSearchParams(named)}`;
};

/** Deleting for good asks for the user's name. */
export const assertTyped = (typed: string, username: string): void => {
  if (normaliseUsername(typed) === username) return;
  throw invalidField("name", `Type ${username} to confirm.`);
};

/** An error as a form shows it, with what was typed. */
export const problemOf = (
  form: string,
  { message, fields = [], jobId }: Pick<AppError, "message" | "fields" | "jobId">,
  values: Record<string, string> = {},
): Problem => ({
  form,
  message,
  fields: Object.fromEntries(fields.map(({ path, message: words }) => [path.split(".").at(-1)!, words])),
  values,
  jobId,
});
