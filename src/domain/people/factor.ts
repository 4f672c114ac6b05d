/** The second factors: a code from an app, a recovery code, or a passkey. */
export type FactorName = "code" | "recovery" | "passkey";

const WORDS: Record<FactorName, string> = {
  code: "with a code",
  recovery: "with a recovery code",
  passkey: "with a passkey",
};

export const describeFactor = (name: unknown): string | null => WORDS[name as FactorName] ?? null;

/** A passkey as its user sees it. */
export interface KnownPasskey {
  id: number;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}

/** The second factors of a user. */
export interface Factors {
  /** The authenticator app. */
  app: { createdAt: number; lastUsedAt: number | null } | null;
  passkeys: KnownPasskey[];
  /** The number of unused recovery codes. */
  recoveryCodes: number;
  /** Whether this server requires a second factor from administrators. */
  isRequired: boolean;
}

export const hasFactor = ({ app, passkeys }: Pick<Factors, "app" | "passkeys">): boolean =>
  app !== null || passkeys.length > 0;
