import type { AdifRecord, Fields } from "./adif-record.ts";
import { byService, SERVICES, type Service, type Source } from "../jobs/source.ts";

/** What the owner of the log said: typed by hand, or read from files. */
export interface OwnLayer {
  typed?: Fields;
  /** What files and programs say together. */
  file?: FileRecord;
  /** From a file that the first service wrote: the service's words, brought by hand. */
  report?: FileRecord;
  /** Records of services that an export of this program brought. The services' own records count before them. */
  brought?: BroughtLayers;
}

export type BroughtLayers = { [Name in Service]?: ServiceLayers[Name] };

export interface FileRecord extends AdifRecord {
  /** The program that wrote the file, where its records mean something else than usual. */
  program?: string;
  /** All records of the contact, where an export of this program carries them. */
  brought?: readonly NamedRecord[];
  /** The records that this one is joined from, in the order in which they came. A record that came alone has none. */
  parts?: readonly FilePart[];
}

/** One of the records that files and programs gave of a contact. */
export interface FilePart {
  record: FileRecord;
  /** Whether every other record counts before it: its file had said another one of the same contact, or a merge brought it. */
  isLinked: boolean;
}

/** Where records of contacts come from: the owner by hand, files, programs and services. */
export type RecordOrigin = "own" | Exclude<Source, "repair">;

/** A record of a contact, under the name by which its origin knows it. */
export interface NamedRecord {
  origin: RecordOrigin;
  /**
   * `typed` by the owner; of files `file` or `report` and the fingerprint of the record; of a service what it answers and
   * what it calls the contact: `qsl 2024…`. A service's record that a file brought: `first-qsl 2024…`.
   */
  key: string;
  /** Whether the service has it beside the record that the contact is known by. Of a file's record see `FilePart`. */
  isLinked: boolean;
  record: FileRecord;
}

export interface ServiceRecord extends AdifRecord {
  /** Only in layers as rules see them: a file brought the record. */
  via?: "file";
}

/** What the first service said: its copy of the contact, and the confirmation with the partner's details. */
export interface FirstLayer {
  qso?: ServiceRecord;
  qsl?: ServiceRecord;
  /** Its other records of the contact, by what it calls them. */
  twins?: Record<string, Omit<FirstLayer, "twins">>;
}

export interface SecondLayer extends ServiceRecord {
  twins?: Record<string, ServiceRecord>;
}

/** What each service said, in its own form. */
interface ServiceLayers {
  first: FirstLayer;
  second: SecondLayer;
}

export type ServiceLayer = ServiceLayers[Service];

/** What a service answers: one question with a record, or several with a record each. */
export type Answers = AdifRecord | Record<string, AdifRecord>;

export const isOneRecord = (answers: object): answers is AdifRecord => "fields" in answers;

/** What each origin said about a contact. A service writes its own layer and nothing else. */
export type Layers = { own: OwnLayer | null } & { [Name in Service]: ServiceLayers[Name] | null };

/** The names of the layers. */
export const ORIGINS = ["own", ...SERVICES] as const;

export const NO_LAYERS: Layers = { own: null, ...byService(() => null) };

/** Which of its questions a service answered with a record. */
export type Part = "qso" | "qsl" | "record";

export const sameLayers = (a: Layers, b: Layers): boolean => a === b || Bun.deepEquals(a, b);

/** Whether both say the same, in whichever records of files. */
export const saySame = (a: Layers, b: Layers): boolean => sameLayers(a, b) || differInPartsOnly(a, b);

/** Whether other records of files say the same. */
export const differInPartsOnly = (a: Layers, b: Layers): boolean =>
  (hasParts(a) || hasParts(b)) && !sameLayers(a, b) && sameLayers(asOneRecord(a), asOneRecord(b));

const hasParts = ({ own }: Layers): boolean => own?.file?.parts !== undefined || own?.report?.parts !== undefined;

const asOneRecord = ({ own, ...services }: Layers): Layers => {
  const { file, report, ...others } = own ?? {};
  const joined = { ...(file && { file: withoutParts(file) }), ...(report && { report: withoutParts(report) }) };
  return { ...services, own: own && { ...others, ...joined } };
};

export const withoutParts = ({ parts: _, ...record }: FileRecord): FileRecord => record;
