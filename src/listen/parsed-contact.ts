import type { Fields } from "../domain/contact/adif-record.ts";
import type { Told } from "../domain/jobs/feed.ts";

/** A contact that a program sent, ready for the log. */
export interface ParsedContact {
  /** The name of the program. */
  client: string;
  told: Told;
  /** The entry waits a moment for this answer, which makes it obsolete. */
  awaits?: string;
  answers?: string;
  /** Contacts with the same mark that arrive within seconds are one. The one with more fields counts. */
  sameAs?: string;
}

/** The contents of a packet; null if it is not about contacts. */
export type Reading = ParsedContact[] | null;

/** A packet that is not valid on its port. It changes nothing and is counted. */
export class Broken extends Error {}

/** The fields that have a value. */
export const removeEmpty = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ""));

const MAX_NAME_LENGTH = 64;

/** The name of the program in the form that a job stores. */
export const normaliseClient = (text: string | undefined, otherwise: string): string =>
  (text ?? "")
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()
    .trim() || otherwise;
