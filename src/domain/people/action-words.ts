import type { AdminAction, AdminActionName } from "./actor.ts";

/** Describes an administrator's action; the user's name follows. */
export const ACTION_WORDS: Record<AdminActionName, string> = {
  create_user: "created a user",
  delete_user: "deleted a user",
  promote: "promoted",
  demote: "demoted",
  reset_password: "set a password",
  invite_user: "invited a user",
  password_link: "created a password link",
  reset_factor: "reset the second factor of",
  add_factor: "set up a second factor for",
  end_sign_ins: "signed out everywhere",
  revoke_token: "revoked a token",
  impersonate: "started acting as",
  stop_impersonation: "stopped acting as",
  write_as_user: "changed data as",
};

export const VIA_WORDS: Record<AdminAction["via"], string> = {
  web: "web",
  api: "API",
  cli: "command line",
  impersonation: "acting as the user",
};

export const describeDetails = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
