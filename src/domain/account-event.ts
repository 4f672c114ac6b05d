import { factorWords } from "./factor.ts";

export type AccountEventName =
  | "account_made"
  | "sign_in"
  | "signed_out_everywhere"
  | "password_changed"
  | "password_set"
  | "password_link"
  | "token_made"
  | "token_revoked"
  | "factor_added"
  | "factor_removed"
  | "factor_reset"
  | "factor_refused"
  | "recovery_codes_made"
  | "profile_changed"
  | "role_changed"
  | "impersonation_begun"
  | "impersonation_ended"
  | "read_as_user"
  | "write_as_user";

/** Something that happened to an account, for its user to see. */
export interface AccountEvent {
  id: number;
  at: number;
  event: AccountEventName;
  /** Who did it; null for the user. */
  by: string | null;
  address: string | null;
  userAgent: string | null;
  details: Record<string, unknown>;
}

/** Where something came from, and from whom, if not from the user. */
export interface Whence {
  by?: string | null;
  address?: string | null;
  userAgent?: string | null;
  details?: Record<string, unknown>;
}

const WORDS: Record<AccountEventName, string> = {
  account_made: "The account was made",
  sign_in: "Signed in",
  signed_out_everywhere: "All sessions ended, all API tokens revoked",
  password_changed: "The password was changed",
  password_set: "The password was set",
  password_link: "A link to set the password was made",
  token_made: "An API token was made",
  token_revoked: "An API token was revoked",
  factor_added: "A second factor was added",
  factor_removed: "A second factor was removed",
  factor_reset: "The second factor was taken away",
  factor_refused: "A wrong code or passkey was given",
  recovery_codes_made: "Recovery codes were made",
  profile_changed: "Callsign or e-mail address was changed",
  role_changed: "The role was changed",
  impersonation_begun: "An administrator started acting as you",
  impersonation_ended: "An administrator stopped acting as you",
  read_as_user: "Read as you",
  write_as_user: "Changed as you",
};

/** What happened, for people. */
export const eventWords = ({ event, details }: Pick<AccountEvent, "event" | "details">): string => {
  const more = [
    factorWords(details.factor),
    details.name,
    details.scope,
    details.role,
    details.method,
    details.path,
  ].filter(Boolean);
  return more.length === 0 ? WORDS[event] : `${WORDS[event]}: ${more.join(" ")}`;
};
