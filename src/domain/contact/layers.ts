import type { AdifRecord, Fields } from "./adif-record.ts";
import { byService, SERVICES, type Service, type Source } from "../jobs/source.ts";

/** What the owner of the log said: typed values, and records from files. */
export interface OwnLayer {
  typed?: Fields;
  /** The combined record of files and programs. */
  file?: FileRecord;
  /** From a file that the first service wrote: the service's statements, imported by hand. */
  report?: FileRecord;
  /** Records of services carried by an export of this program. The services' own records have priority. */
  brought?: BroughtLayers;
}

export type BroughtLayers = { [Name in Service]?: ServiceLayer };

export interface FileRecord extends AdifRecord {
  /** The program that wrote the file, if its records have a special meaning. */
  program?: string;
  /** All records of the contact, if an export of this program carries them. */
  brought?: readonly NamedRecord[];
  /** The records that this one was combined from, in order of arrival. Not set if there was only one. */
  parts?: readonly FilePart[];
}

/** One of the records that files and programs gave for a contact. */
export interface FilePart {
  record: FileRecord;
  /**
   * Whether all other records have priority: its file already had a record of the same contact, or a merge added it.
   */
  isLinked: boolean;
}

/** Where records of contacts come from: typed by the owner, files, programs and services. */
export type RecordOrigin = "own" | Exclude<Source, "repair">;

/** A record of a contact with the key that its origin gives it. */
export interface NamedRecord {
  origin: RecordOrigin;
  /**
   * `typed` for the owner. For files `file` or `report` and the fingerprint of the record. For services the question
   * and the service's id of the contact: `qsl 2024…`. For a service's record carried by a file: `first-qsl 2024…`.
   */
  key: string;
  /**
   * Whether the service has it in addition to the record that identifies the contact. For file records see `FilePart`.
   */
  isLinked: boolean;
  record: FileRecord;
}

export interface ServiceRecord extends AdifRecord {
  /** Set only in the layers that rules see, if a file carried the record. */
  via?: "file";
}

/** The question that a service's record answers. */
export type Part = "qso" | "qsl" | "record";

/** One record of a service for each question. */
export type Answers = { [Name in Part]?: ServiceRecord };

/** What a service said about a contact. */
export interface ServiceLayer extends Answers {
  /** Its other records of the contact, by the service's id. */
  twins?: Record<string, Answers>;
}

export const listAnswers = (answers: Answers): [Part, ServiceRecord][] =>
  Object.entries(answers) as [Part, ServiceRecord][];

/** What each origin said about a contact. A service writes only its own layer. */
export type Layers = { own: OwnLayer | null } & Record<Service, ServiceLayer | null>;

/** The names of the layers. */
export const ORIGINS = ["own", ...SERVICES] as const;

export const NO_LAYERS: Layers = { own: null, ...byService(() => null) };

export const sameLayers = (a: Layers, b: Layers): boolean => a === b || Bun.deepEquals(a, b);

/** Whether both say the same, even if in different file records. */
export const saySame = (a: Layers, b: Layers): boolean => sameLayers(a, b) || differInPartsOnly(a, b);

/** Whether only the division into file records differs. */
export const differInPartsOnly = (a: Layers, b: Layers): boolean =>
  (hasParts(a) || hasParts(b)) && !sameLayers(a, b) && sameLayers(mergeParts(a), mergeParts(b));

const hasParts = ({ own }: Layers): boolean => own?.file?.parts !== undefined || own?.report?.parts !== undefined;

const mergeParts = ({ own, ...services }: Layers): Layers => {
  const { file, report, ...others } = own ?? {};
  const joined = { ...(file && { file: removeParts(file) }), ...(report && { report: removeParts(report) }) };
  return { ...services, own: own && { ...others, ...joined } };
};

export const removeParts = ({ parts: _, ...record }: FileRecord): FileRecord => record;
