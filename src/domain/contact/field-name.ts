import { END_OF_REPORT } from "../origins/first.ts";

/** Wider than the standard's letters, digits and underscore: user-defined names contain spaces, hyphens and dots. */
export const NAME_SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-. ";
export const MAX_FIELD_NAME_LENGTH = 128;

const NAME = /^[A-Z0-9_.-](?:[A-Z0-9_. -]{0,126}[A-Z0-9_.-])?$/;
/** In ADIF these end a header, a record and a report. */
const END_MARKS: ReadonlySet<string> = new Set(["EOH", "EOR", END_OF_REPORT]);

/** Whether the name can be written as ADIF and read again. */
export const isFieldName = (text: string): boolean => NAME.test(text) && !END_MARKS.has(text);

/** The field name in upper case as stored in logs, or null if it is invalid. */
export const parseFieldName = (text: string | undefined): string | null => {
  const name = text?.trim().toUpperCase() ?? "";
  return isFieldName(name) ? name : null;
};

/** The data type letter, or undefined if it is invalid. */
export const typeLetter = (text: string | undefined): string | undefined => {
  const letter = text?.trim().toUpperCase() ?? "";
  return /^[A-Z]$/.test(letter) ? letter : undefined;
};
