/** The prefix of every API token, so that tokens can be recognised, for example by secret scanners. */
export const API_TOKEN = "qsl_";

/** The versions of the Wavelog interface that a program's key can be for. */
export const KEY_FORMS = ["v1", "v2"] as const;
export type KeyForm = (typeof KEY_FORMS)[number];

/** Some devices have little room for a key. Programs of version 2 reject keys with another prefix. */
const FORMS: Record<KeyForm, { start: string; letters: number }> = {
  v1: { start: "qf", letters: 22 },
  v2: { start: "wl2_", letters: 32 },
};

/** Letters and digits that cannot be confused with each other. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

export const createFeedKey = (form: KeyForm, random: (count: number) => Uint8Array): string => {
  const { start, letters } = FORMS[form];
  return start + [...random(letters)].map((byte) => ALPHABET[byte % ALPHABET.length]!).join("");
};

export const isFeedKey = (text: string): boolean =>
  KEY_FORMS.some((form) => {
    const { start, letters } = FORMS[form];
    return text.startsWith(start) && text.length === start.length + letters;
  });

export const hashOfToken = (token: string): string => new Bun.CryptoHasher("sha256").update(token).digest("hex");
