import type { Told } from "../domain/jobs/feed.ts";

/** What a program said of a contact, ready for a log. */
export interface Heard {
  /** The name of the program. */
  client: string;
  told: Told;
  /** It is worth nothing once this is answered, and waits for that a moment. */
  awaits?: string;
  answers?: string;
}

/** What a packet held; null where it speaks of something else than contacts. */
export type Reading = Heard[] | null;

/** A packet that is not what its port is for: it changes nothing, and is counted. */
export class Broken extends Error {}

const MAX_NAME_LENGTH = 64;

/** The name of a program as a job can carry it. */
export const clientOf = (text: string | undefined, otherwise: string): string =>
  (text ?? "")
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()
    .trim() || otherwise;
