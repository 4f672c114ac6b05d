/** What somebody proves with besides the password: the code of an app, one of the codes kept for the worst, a passkey. */
export type FactorName = "code" | "recovery" | "passkey";

const WORDS: Record<FactorName, string> = {
  code: "with a code",
  recovery: "with a recovery code",
  passkey: "with a passkey",
};

export const factorWords = (name: unknown): string | null => WORDS[name as FactorName] ?? null;

/** A passkey as its user knows it. */
export interface KnownPasskey {
  id: number;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}

/** What a user has besides the password. */
export interface Factors {
  /** The authenticator app. */
  app: { createdAt: number; lastUsedAt: number | null } | null;
  passkeys: KnownPasskey[];
  /** How many recovery codes were not used yet. */
  recoveryCodes: number;
  /** This server lets no administrator in without. */
  isRequired: boolean;
}

export const hasFactor = ({ app, passkeys }: Pick<Factors, "app" | "passkeys">): boolean =>
  app !== null || passkeys.length > 0;
