import { LABELS } from "../origins/labels.ts";
import type { Service } from "../jobs/source.ts";
import { describeFactor } from "./factor.ts";

const WORDS = {
  account_made: "Account created",
  sign_in: "Signed in",
  signed_out_everywhere: "All sessions ended and all API tokens revoked",
  password_changed: "Password changed",
  password_set: "Password set",
  password_link: "Password link created",
  token_made: "API token created",
  token_revoked: "API token revoked",
  factor_added: "Second factor added",
  factor_removed: "Second factor removed",
  factor_reset: "Second factor reset",
  factor_refused: "Wrong code or passkey entered",
  recovery_codes_made: "Recovery codes created",
  credentials_set: "Service account added",
  credentials_changed: "Service account changed",
  credentials_removed: "Service account removed",
  profile_changed: "Callsign or e-mail address changed",
  role_changed: "Role changed",
  identity_linked: "External account linked",
  identity_removed: "External account unlinked",
  impersonation_begun: "An administrator started acting as you",
  impersonation_ended: "An administrator stopped acting as you",
  read_as_user: "An administrator viewed your data",
  write_as_user: "An administrator changed your data",
};

export type AccountEventName = keyof typeof WORDS;

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
