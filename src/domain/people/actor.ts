/** Who performs an administrator operation, and through which interface. */
export interface Actor {
  id: number | null;
  name: string;
  via: "web" | "api" | "cli" | "impersonation";
}

/** Anyone with a shell on the server. */
export const OPERATOR: Actor = { id: null, name: "operator", via: "cli" };

export type AdminActionName =
  | "create_user"
  | "delete_user"
  | "promote"
  | "demote"
  | "reset_password"
  | "invite_user"
  | "password_link"
  | "reset_factor"
  | "add_factor"
  | "end_sign_ins"
  | "revoke_token"
  | "impersonate"
  | "stop_impersonation"
  | "write_as_user";

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
