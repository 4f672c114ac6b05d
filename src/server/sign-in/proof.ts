import type { Proof } from "../../auth/factors/factors.ts";
import type { PasskeyAnswer } from "../../auth/factors/passkeys.ts";
import { invalidField } from "../../kernel/errors.ts";

interface Given {
  code?: string | undefined;
  passkey?: PasskeyAnswer | undefined;
}

/** A code or a passkey, not both. */
export const proofOf = (given: Given): Proof => {
  const proof = theOnly<Proof>(given);
  if (proof === null) throw invalidField("code", "Enter a code or use a passkey.");
  return proof;
};

/** The same, or a password. */
export const confirmationOf = (given: Given & { password?: string | undefined }): { password: string } | Proof => {
  const proof = theOnly<{ password: string } | Proof>(given);
  if (proof === null) throw invalidField("password", "Enter your password or a code, or use a passkey.");
  return proof;
};

const theOnly = <T>(given: object): T | null => {
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return named.length === 1 ? (Object.fromEntries(named) as T) : null;
};

/** The answer for a passkey, which a script wrote into the form. */
export const passkeyInForm = (text: string): PasskeyAnswer => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as PasskeyAnswer;
  } catch {
    // Reported below: our script did not write this.
  }
  throw invalidField("passkey", "Passkeys need JavaScript and a browser that supports them.");
};
