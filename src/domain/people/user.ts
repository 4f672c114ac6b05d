import { invalidFields, type FieldProblem } from "../../kernel/errors.ts";

export type Role = "user" | "admin";

/** A user as every program and page sees one. */
export interface User {
  id: number;
  username: string;
  callsign: string | null;
  email: string | null;
  role: Role;
  isAdmin: boolean;
  lastSeen: number | null;
  createdAt: number;
}

export interface NewUser {
  username: string;
  password: string;
  callsign?: string | null;
  email?: string | null;
  role?: Role;
}

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 1000;

const USERNAME = /^[a-z0-9][a-z0-9._-]{1,31}$/;
const USERNAME_RULE =
  "A username must have 2 to 32 letters, digits, dots, dashes or underscores and start with a letter or digit.";
/** A callsign as typed by a user. */
export const CALLSIGN = /^(?=.*[A-Z])[A-Z0-9]+(\/[A-Z0-9]+){0,3}$/;
const EMAIL = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;

/** Normalises a callsign. */
export const canonicalCall = (call: string): string => call.trim().toUpperCase().replaceAll("\u00D8", "0");

/** Normalises a profile. */
export const normaliseProfile = (
  callsign: string | null | undefined,
  email: string | null | undefined,
): { callsign: string | null; email: string | null } => ({
  callsign: canonicalCall(callsign ?? "") || null,
  email: email?.trim() || null,
});

/** Normalises a username for storage and look-up. */
export const normaliseUsername = (name: string): string => name.trim().toLowerCase();

/** Throws with all problems of the given fields at once. */
export const assertUser = ({ username, password, callsign, email }: Partial<NewUser>): void => {
  const fields: FieldProblem[] = [];
  const check = (path: keyof NewUser, isValid: boolean, message: string) => {
    if (!isValid) fields.push({ path, message });
  };
  if (username !== undefined) check("username", USERNAME.test(normaliseUsername(username)), USERNAME_RULE);
  if (password !== undefined) {
    const { length } = password;
    check(
      "password",
      length >= MIN_PASSWORD_LENGTH,
      `A password must have at least ${MIN_PASSWORD_LENGTH} characters.`,
    );
    check("password", length <= MAX_PASSWORD_LENGTH, `A password can have at most ${MAX_PASSWORD_LENGTH} characters.`);
  }
  if (callsign)
    check("callsign", CALLSIGN.test(canonicalCall(callsign)), `${JSON.stringify(callsign)} is not a valid callsign.`);
  if (email) check("email", EMAIL.test(email.trim()), `${JSON.stringify(email)} is not a valid e-mail address.`);
  if (fields.length > 0) throw invalidFields(fields);
};
