import { canonicalCall } from "../domain/people/user.ts";
import { AppError, type FieldProblem } from "../kernel/errors.ts";
import type { CredentialField, Credentials } from "../domain/jobs/provider.ts";

/** Normalises a typed value for the service, or throws what is wrong with it. */
export type Cleaner = (value: string) => string;

/** Reads exactly the fields of a service. Empty optional fields are left out. */
export function readCredentials(
  fields: readonly CredentialField[],
  cleaners: Record<string, Cleaner>,
  given: Record<string, unknown>,
): Credentials {
  const problems: FieldProblem[] = Object.keys(given)
    .filter((name) => !fields.some((field) => field.name === name))
    .map((path) => ({ path, message: "This field does not exist." }));
  const credentials: Credentials = {};
  for (const field of fields) {
    try {
      const value = readValue(field, cleaners[field.name]!, given[field.name]);
      if (value !== "") credentials[field.name] = value;
    } catch (error) {
      problems.push({ path: field.name, message: (error as Error).message });
    }
  }
  if (problems.length > 0) {
    const lines = problems.map(({ path, message }) => {
      const label = fields.find(({ name }) => name === path)?.label ?? path;
      return message.startsWith(label) ? message : `${label}: ${message}`;
    });
    throw new AppError("invalid", lines.join(" "), { fields: problems });
  }
  return credentials;
}

/** A callsign as the services write it. */
export function cleanCallsign(value: string): string {
  const call = canonicalCall(value).replaceAll("_", "/");
  if (call === "") return call;
  if (!/^[A-Z0-9]+(\/[A-Z0-9]+)*$/.test(call) || !/\d/.test(call) || !/[A-Z]/.test(call) || call.length > 20) {
    throw new Error("This is not a valid callsign.");
  }
  return call;
}

/** A username without the spaces that pasting adds. */
export function cleanWord(value: string): string {
  const word = value.trim();
  if (/\s/.test(word)) throw new Error("Remove the spaces.");
  return word;
}

/** Keeps the password as it is, except for the line end that piping adds. */
export function cleanPassword(value: string): string {
  return value.replace(/\r?\n$/, "");
}

function readValue({ label, required }: CredentialField, clean: Cleaner, given: unknown): string {
  if (given !== undefined && given !== null && typeof given !== "string") throw new Error(`${label} must be text.`);
  const value = clean(given ?? "");
  if (value.length > 256) throw new Error(`${label} is too long.`);
  if ([...value].some((char) => char < " " || char === "\x7f"))
    throw new Error(`${label} contains an invalid character.`);
  if (required && value === "") throw new Error(`${label} is missing.`);
  return value;
}
