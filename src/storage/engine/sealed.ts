import { many, type Unit } from "./unit.ts";

export interface Sealed {
  userId: number;
  username: string;
  kind: "credentials" | "app" | "passkey" | "target";
  /** The purpose that is part of the encryption. */
  source: string;
  account: string;
  /** The user's name for it. */
  name: string;
  sealed: Uint8Array;
}

/** Everything encrypted with the secret of the installation. */
export const listAll = (): Unit<Sealed[]> =>
  many`
    SELECT s.user_id AS "userId", u.username, s.kind, s.source, s.account, s.name, s.sealed
    FROM (
      SELECT user_id, 'credentials' AS kind, source, account, source AS name, sealed FROM service_credentials
      UNION ALL
      SELECT user_id, 'app', 'totp', 'main', '', sealed FROM totp_secrets WHERE sealed IS NOT NULL
      UNION ALL
      SELECT user_id, 'passkey', 'passkey', credential_id, name, sealed FROM passkeys
      UNION ALL
      SELECT user_id, 'target', kind, host, host, sealed FROM notice_targets
    ) s
    JOIN users u ON u.id = s.user_id
    ORDER BY s.user_id, s.kind, s.source, s.name`;
