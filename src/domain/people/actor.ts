/** Who performs an administrator operation, and through which interface. */
export interface Actor {
  id: number | null;
  name: string;
  via: "web" | "api" | "cli" | "impersonation";
}

/** Anyone with a shell on the server. */
export const OPERATOR: Actor = { id: null, name: "operator", via: "cli" };

/** What administrators can do, in words that the user's name can follow. */
export const ACTION_WORDS = {
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

export type AdminActionName = keyof typeof ACTION_WORDS;

/** An entry of the action log. */
export interface AdminAction {
  id: number;
  at: number;
  admin: string;
  via: Actor["via"];
  action: AdminActionName;
  target: string | null;
  details: Record<string, unknown>;
}
