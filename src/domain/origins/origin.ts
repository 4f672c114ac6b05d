import { pickFields, type AdifRecord, type Fields } from "../contact/adif-record.ts";
import { formatAdifDate, parseDate } from "../../kernel/instant.ts";
import type { FileRecord, Layers, OwnLayer, Part } from "../contact/layers.ts";
import type { Qso } from "../contact/qso.ts";
import type { Service } from "../jobs/source.ts";
import { toUpperCased } from "../../kernel/text.ts";

/** Someone who describes contacts: the owner of the log, or a service. */
export interface Origin {
  /** Adds one of its records to the layers. `part` is the question that the record answers. */
  merge(layers: Layers, record: FileRecord, part?: Part): Layers;
  /** The same for a record that matches the contact of an earlier record of the same job. */
  mergeRepeat?(layers: Layers, record: FileRecord): Layers;
  /**
   * Undoes what changed between two states of a service's layer. Changes by files and people are undone by
   * `removeTakenBack`, which knows the later changes.
   */
  takeBack(layers: Layers, before: Layers, after: Layers): Layers;
  /** What its records can confirm. */
  confirms: readonly ConfirmedColumn[];
}

export type ConfirmedColumn = `${Service}Confirmed` | "cardConfirmed";

/** Everything that distinguishes one external logbook from another. This one has one record for each contact. */
export interface OneRecordOrigin extends Pick<Origin, "merge"> {
  label: string;
  /** The questions that it answers with a record each. */
  answers: readonly Part[];
  /** Its URL, unless the configuration has another. */
  url: string;
  /** The service's id of a record. */
  idOf(record: AdifRecord | undefined): string | null;
  /** The service's id of the contact, read from a file's record. */
  idInFile(record: FileRecord): string | null;
  getIdFrom(layers: Layers): string | null;
  /** Passes its records of a contact to `heard`, highest priority first. */
  forEachRecord(layers: Layers, heard: (record: AdifRecord) => void): void;
  /** Every field it gave; null if it said nothing. */
  details(layers: Layers): Fields | null;
  /** Whether it confirmed the contact, by its own record or by what others say. */
  getConfirmation(layers: Layers): Confirmed;
  /** How to get contacts to the service. */
  uploadAdvice: string;
  /** Whether its confirmations say that both sides used the same mode. */
  seesModes?: true;
  /** The field with which others say that it confirmed. */
  claim: Claim;
  /** The fields in which others speak for it. */
  spokenFor: readonly string[];
  /** Fields that are ignored although its own records contain them. */
  hearsay: readonly string[];
  /** The fields of the service that are needed to recognise a file's record. */
  key: readonly string[];
  /** Adds the credits that a sponsor granted. */
  addCredits(granted: Set<string>, layers: Layers): void;
  /** Writes what the contact has of it into an exported record. */
  exportInto(fields: Fields, qso: Qso): void;
}

/** A service that can have several records of one contact. */
export interface ServiceOrigin extends OneRecordOrigin, Origin {
  /** Adds a record that may not be the one that identifies the contact. */
  mergeTwin(layers: Layers, record: FileRecord, part?: Part): Layers;
  /** The layers with records that files carried, unless the service has said the same itself. */
  withBrought(layers: Layers): Layers;
  /** Adds records that a file carried. What the service said itself stays. */
  addCarried(layers: Layers, brought: Layers): Layers;
  /** Whether the service also knows the contact under this id. */
  isTwin(layers: Layers, id: string): boolean;
  /** Merges what the service said about two contacts that are the same. */
  mergeContact(layers: Layers, other: Layers): Layers;
  /** Removes the record that identifies the contact; another one takes its place. */
  withoutMain(layers: Layers): Layers;
  /** Removes what a merge added between `before` and `after`. */
  splitContact(layers: Layers, before: Layers, after: Layers): Layers;
  /** Adds to a contact that was merged into another what the service has said since. */
  restore(layers: Layers, into: Layers): Layers;
}

export interface Confirmed {
  confirmed: boolean;
  confirmedAt: number | null;
  /** Whether the service itself says so, or only a file or the owner. */
  via: "file" | "service" | null;
}

export const UNCONFIRMED: Confirmed = Object.freeze({ confirmed: false, confirmedAt: null, via: null });

/** A field that confirms, and the fields that belong to it. */
export interface Claim {
  status: string;
  yes: readonly string[];
  fields: readonly string[];
  /** Does not confirm if this other field has this value. */
  unless?: readonly [field: string, word: string];
}

/** ADIF's values for confirmed, and for verified by a sponsor. */
export const ADIF_YES = ["Y", "V"];

export const isConfirming = (status: string | undefined, yes: readonly string[]): boolean =>
  status !== undefined && yes.includes(toUpperCased(status));

export const isClaimed = (fields: Fields, { status, yes, unless }: Claim): boolean =>
  isConfirming(fields[status], yes) && !(unless && toUpperCased(fields[unless[0]]) === unless[1]);

/** Services use the same field for their own confirmation. */
export const REPORT_CLAIM: Claim = { status: "QSL_RCVD", yes: ADIF_YES, fields: ["QSL_RCVD", "QSLRDATE"] };

/** In a file it means a card, unless the confirmation came electronically. */
export const CARD_CLAIM: Claim = {
  ...REPORT_CLAIM,
  fields: [...REPORT_CLAIM.fields, "QSL_RCVD_VIA"],
  unless: ["QSL_RCVD_VIA", "E"],
};

/** A missing or negative value never removes a confirmation: the origin may just not repeat it. */
export const keepClaims = (known: Fields | undefined, said: Fields, claims: readonly Claim[]): Fields | null => {
  if (!known) return null;
  const kept = claims.filter((claim) => isClaimed(known, claim) && !isClaimed(said, claim));
  return kept.length === 0 ? null : Object.assign({}, ...kept.map(({ fields }) => pickFields(known, fields)));
};

/** A status that the user typed replaces the one from a file. */
export const getOwnersFields = (own: OwnLayer | null, status: string): Fields | undefined =>
  own?.typed?.[status] === undefined ? own?.file?.fields : own.typed;

/** ADIF's old way to say that a DXCC sponsor has verified a contact. */
export const addVerified = (granted: Set<string>, medium: string): void => {
  for (const facet of ["DXCC", "DXCC_BAND", "DXCC_MODE"]) granted.add(`${facet}:${medium}`);
};

/** Writes a value unless the current one means the same. */
export const setValue = (fields: Fields, name: string, value: string | null, isSaid: boolean): void => {
  if (isSaid) return;
  if (value === null) delete fields[name];
  else fields[name] = value;
};

export const setDay = (fields: Fields, name: string, at: number | null): void =>
  setValue(fields, name, at === null ? null : formatAdifDate(at), at !== null && parseDate(fields[name]) === at);
