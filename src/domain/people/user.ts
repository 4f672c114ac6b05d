import { AppError } from "../../kernel/errors.ts";

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

/** Throws with all problems of a new user at once. */
export const assertNewUser = (user: NewUser): void => {
  const fields = [
    ...checkUsername(user.username),
    ...checkPassword(user.password),
    ...checkProfile(user.callsign, user.email),
  ];
  if (fields.length > 0) throw new AppError("invalid", fields.map(({ message }) => message).join(" "), { fields });
};

/** Like `assertNewUser` for a user who sets the password later. */
export const assertInvited = ({ username, callsign, email }: Omit<NewUser, "password">): void => {
  const fields = [...checkUsername(username), ...checkProfile(callsign, email)];
  if (fields.length > 0) throw new AppError("invalid", fields.map(({ message }) => message).join(" "), { fields });
};

export const assertPassword = (password: string): void => {
  const fields = checkPassword(password);
  if (fields.length > 0) throw new AppError("invalid", fields[0]!.message, { fields });
};

const checkUsername = (username: string) =>
  USERNAME.test(normaliseUsername(username))
    ? []
    : [
        {
          path: "username",
          message:
            "A username must have 2 to 32 letters, digits, dots, dashes or underscores and start with a letter or digit.",
        },
      ];

const checkPassword = (password: string) => {
  if (password.length < MIN_PASSWORD_LENGTH) {
    return [{ path: "password", message: `A password must have at least ${MIN_PASSWORD_LENGTH} characters.` }];
  }
  if (password.length > MAX_PASSWORD_LENGTH) {
    return [{ path: "password", message: `A password can have at most ${MAX_PASSWORD_LENGTH} characters.` }];
  }
  return [];
};

const checkProfile = (callsign: string | null | undefined, email: string | null | undefined) => [
  ...(callsign && !CALLSIGN.test(canonicalCall(callsign))
    ? [{ path: "callsign", message: `${JSON.stringify(callsign)} is not a valid callsign.` }]
    : []),
  ...(email && !EMAIL.test(email.trim())
    ? [{ path: "email", message: `${JSON.stringify(email)} is not a valid e-mail address.` }]
    : []),
];

export const assertProfile = (callsign: string | null | undefined, email: string | null | undefined): void => {
  const fields = checkProfile(callsign, email);
  if (fields.length > 0) throw new AppError("invalid", fields.map(({ message }) => message).join(" "), { fields });
};
