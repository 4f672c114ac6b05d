import { splitCall } from "../../callsign/parts.ts";
import type { StoredCredentials } from "../../storage/jobs/service-credentials.ts";

type Known = Pick<StoredCredentials, "book" | "callsign" | "agreedBook">;

/**
 * Explains why the user should check whose logbook the credentials open. Returns null if nothing is unusual, or if the
 * user entered that callsign with the credentials or agreed to it.
 */
export const describeStrangeBook = ({ book, callsign, agreedBook }: Known, own: string | null): string | null => {
  if (book === null || own === null || callsign !== null || agreedBook === book) return null;
  if (splitCall(book).base === splitCall(own.toUpperCase()).base) return null;
  return `This account opens the logbook of ${book}, but your callsign is ${own}.`;
};
