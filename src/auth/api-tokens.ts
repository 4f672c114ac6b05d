/** How every API token begins, so that one is known when it is seen. */
export const API_TOKEN = "qsl_";

/** Which of the two forms of the Wavelog interface a feed key is for. */
export const KEY_FORMS = ["v1", "v2"] as const;
export type KeyForm = (typeof KEY_FORMS)[number];

/** Some devices have little room for a key; programs of the second form refuse keys that begin otherwise. */
const FORMS: Record<KeyForm, { start: string; letters: number }> = {
  v1: { start: "qf", letters: 22 },
  v2: { start: "wl2_", letters: 32 },
};

/** Letters and figures that nobody takes for one another. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

export const newFeedKey = (form: KeyForm, random: (count: number) => Uint8Array): string => {
  const { start, letters } = FORMS[form];
  return start + [...random(letters)].map((byte) => ALPHABET[byte % ALPHABET.length]!).join("");
};

export const isFeedKey = (text: string): boolean =>
  KEY_FORMS.some((form) => {
    const { start, letters } = FORMS[form];
    return text.startsWith(start) && text.length === start.length + letters;
  });

export const hashOfToken = (token: string): string => new Bun.CryptoHasher("sha256").update(token).digest("hex");
