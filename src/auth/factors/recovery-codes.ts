import { hashOfToken } from "../api-tokens.ts";

const CODES = 10;
/** 16 of 32 possible letters are 80 bits, so a plain hash is safe. */
const LETTERS_OF_CODE = 16;
/** Letters and digits that cannot be confused with each other. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

type Random = (bytes: number) => Uint8Array;

/** A code in groups for typing. */
export const createCode = (random: Random): string => {
  const letters = Array.from(random(LETTERS_OF_CODE), (byte) => LETTERS[byte % LETTERS.length]);
  return letters.join("").replaceAll(/.{4}(?=.)/g, "$&-");
};

export const createRecoveryCodes = (random: Random): string[] =>
  Array.from({ length: CODES }, () => createCode(random));

/** Ignores groups, spaces and case. */
const normaliseCode = (code: string): string => code.toLowerCase().replaceAll(/[\s-]/g, "");

export const isRecoveryCode = (code: string): boolean => normaliseCode(code).length === LETTERS_OF_CODE;

export const hashOfCode = (code: string): string => hashOfToken(normaliseCode(code));
