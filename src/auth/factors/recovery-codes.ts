import { hashOfToken } from "../api-tokens.ts";

const CODES = 10;
/** With 32 letters that is 80 bits: a plain hash gives nothing away. */
const LETTERS_OF_CODE = 16;
/** None that is taken for another. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

type Random = (bytes: number) => Uint8Array;

/** A code that people type, in groups. */
export const newCode = (random: Random): string => {
  const letters = Array.from(random(LETTERS_OF_CODE), (byte) => LETTERS[byte % LETTERS.length]);
  return letters.join("").replaceAll(/.{4}(?=.)/g, "$&-");
};

/** As many as are written down at once. */
export const newRecoveryCodes = (random: Random): string[] => Array.from({ length: CODES }, () => newCode(random));

/** However it is typed: groups, spaces and capitals make no difference. */
const plain = (code: string): string => code.toLowerCase().replaceAll(/[\s-]/g, "");

export const isRecoveryCode = (code: string): boolean => plain(code).length === LETTERS_OF_CODE;

export const hashOfCode = (code: string): string => hashOfToken(plain(code));
