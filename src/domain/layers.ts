import type { AdifRecord, Fields } from "./adif-record.ts";
import { SERVICES } from "./source.ts";

/** What the owner of the log said: typed by hand, or read from files. */
export interface OwnLayer {
  typed?: Fields;
  file?: FileRecord;
  /** From a file that the first service wrote: the service's words, brought by hand. */
  report?: FileRecord;
}

export interface FileRecord extends AdifRecord {
  /** The program that wrote the file, where its records mean something else than usual. */
  program?: string;
}

/** What the first service said: its copy of the contact, and the confirmation with the partner's details. */
export interface FirstLayer {
  qso?: AdifRecord;
  qsl?: AdifRecord;
  /** Its other records of the contact, by what it calls them. */
  twins?: Record<string, Omit<FirstLayer, "twins">>;
}

export interface SecondLayer extends AdifRecord {
  twins?: Record<string, AdifRecord>;
}

/** What each origin said about a contact. A service writes its own layer and nothing else. */
export interface Layers {
  own: OwnLayer | null;
  first: FirstLayer | null;
  second: SecondLayer | null;
}

/** The names of the layers. */
export const ORIGINS = ["own", ...SERVICES] as const;

export const NO_LAYERS: Layers = { own: null, first: null, second: null };

/** Which of its questions a service answered with a record. */
export type Part = "qso" | "qsl" | "record";

export const sameLayers = (a: Layers, b: Layers): boolean => a === b || Bun.deepEquals(a, b);
