import { LABELS } from "../origins/labels.ts";
import type { Service } from "../jobs/source.ts";
import { describeFactor } from "./factor.ts";

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
  | "credentials_set"
  | "credentials_changed"
  | "credentials_removed"
  | "profile_changed"
  | "role_changed"
  | "identity_linked"
  | "identity_removed"
  | "impersonation_begun"
  | "impersonation_ended"
  | "read_as_user"
  | "write_as_user";

/** An event of an account, shown to its user. */
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

/** Where a request came from, and who made it if it was not the user. */
export interface RequestOrigin {
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
  credentials_set: "Credentials of a service were stored",
  credentials_changed: "Credentials of a service were changed",
  credentials_removed: "Credentials of a service were removed",
  profile_changed: "Callsign or e-mail address was changed",
  role_changed: "The role was changed",
  identity_linked: "An account elsewhere may sign in as you",
  identity_removed: "An account elsewhere may no longer sign in as you",
  impersonation_begun: "An administrator started acting as you",
  impersonation_ended: "An administrator stopped acting as you",
  read_as_user: "Read as you",
  write_as_user: "Changed as you",
};

/** Describes the event. */
export const describeEvent = ({ event, details }: Pick<AccountEvent, "event" | "details">): string => {
  if (details.through) return `${WORDS[event]} by ${details.through}`;
  const more = [
    describeFactor(details.factor),
    labelOf(details.source),
    details.name,
    details.account,
    details.scope,
    details.role,
    details.method,
    details.path,
  ].filter(Boolean);
  return more.length === 0 ? WORDS[event] : `${WORDS[event]}: ${more.join(" ")}`;
};

const labelOf = (source: unknown): string | undefined => LABELS[source as Service];
