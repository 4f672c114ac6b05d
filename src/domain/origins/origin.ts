import type { AdifRecord, Fields } from "../contact/adif-record.ts";
import { adifDate, parseDate } from "../../kernel/instant.ts";
import type { FileRecord, Layers, OwnLayer, Part } from "../contact/layers.ts";
import type { Qso } from "../contact/qso.ts";
import type { Service } from "../jobs/source.ts";
import { upperCased } from "../../kernel/text.ts";

/** Who speaks of contacts: the owner of the log, or a service. */
export interface Origin {
  /** The layers after one of its records was heard; `part` says which of several questions it answers. */
  hear(layers: Layers, record: FileRecord, part?: Part): Layers;
  /** The same for a record that means what another of the same job meant. */
  hearAgain?(layers: Layers, record: FileRecord): Layers;
  /**
   * The layers as they are, except what changed between two states of a service's. What files and persons said is taken back by
   * `withoutTakenBack`, which knows the changes since.
   */
  takeBack(layers: Layers, before: Layers, after: Layers): Layers;
  /** What its records can confirm. */
  confirms: readonly ConfirmedColumn[];
}

export type ConfirmedColumn = `${Service}Confirmed` | "cardConfirmed";

/** An external logbook, in all that makes it different from another. It has one record of a contact. */
export interface OneRecordOrigin extends Origin {
  label: string;
  /** The questions that it answers with a record each. */
  answers: readonly Part[];
  /** Where it is, unless the configuration says otherwise. */
  url: string;
  /** What it calls a record. */
  idOf(record: AdifRecord | undefined): string | null;
  /** What it calls the contact of a record that a file brings. */
  idInFile(record: FileRecord): string | null;
  idIn(layers: Layers): string | null;
  /** Its records of a contact, those first that are believed first. */
  speak(layers: Layers, heard: (record: AdifRecord) => void): void;
  /** Every field it gave; null where it said nothing. */
  details(layers: Layers): Fields | null;
  /** Whether it confirmed the contact, by its own word or by what others say of it. */
  confirmation(layers: Layers): Confirmed;
  /** How contacts get there that it has not. */
  uploadAdvice: string;
  /** Whether its confirmations say that both sides were in the same mode. */
  seesModes?: true;
  /** How others say that it confirmed. */
  claim: Claim;
  /** The fields in which others speak for it. */
  spokenFor: readonly string[];
  /** What is not believed though its own records say it. */
  hearsay: readonly string[];
  /** Its fields without which a record of a file would not be known again. */
  key: readonly string[];
  /** Adds the credits that a sponsor granted, as it tells them. */
  addCredits(granted: Set<string>, layers: Layers): void;
  /** Writes into an exported record what the contact has of it. */
  tell(fields: Fields, qso: Qso): void;
}

/** The same where several of its records may mean one contact. */
export interface ServiceOrigin extends OneRecordOrigin {
  /** Hears a record that is perhaps another one than the contact is known by. */
  hearBeside(layers: Layers, record: FileRecord, part?: Part): Layers;
  /** The layers with what files brought of the service, where it has not said it itself. */
  withBrought(layers: Layers): Layers;
  /** The layers after a file brought records of the service. What the service said itself stays. */
  bring(layers: Layers, brought: Layers): Layers;
  /** Whether a contact is known by this name beside its own. */
  isTwin(layers: Layers, id: string): boolean;
  /** The layers of one contact with what the service said of another that is the same. */
  merged(layers: Layers, other: Layers): Layers;
  /** The layers without the record that the contact is known by; another that means it takes its place. */
  withoutMain(layers: Layers): Layers;
  /** The layers without what a merge brought from before to after. */
  parted(layers: Layers, before: Layers, after: Layers): Layers;
  /** The layers of a contact that was merged into another, with what was said of it since. */
  comeBack(layers: Layers, into: Layers): Layers;
}

export interface Confirmed {
  confirmed: boolean;
  confirmedAt: number | null;
  /** Whether the service itself says so, or only a file or the owner does. */
  via: "file" | "service" | null;
}

export const UNCONFIRMED: Confirmed = Object.freeze({ confirmed: false, confirmedAt: null, via: null });

/** A field that confirms, and the fields that belong to it. */
export interface Claim {
  status: string;
  yes: readonly string[];
  fields: readonly string[];
  /** Says nothing where another field says how it came, and this is how. */
  unless?: readonly [field: string, word: string];
}

/** Confirmed, and verified by a sponsor, as ADIF says it. */
export const ADIF_YES = ["Y", "V"];

export const isConfirming = (status: string | undefined, yes: readonly string[]): boolean =>
  status !== undefined && yes.includes(upperCased(status));

export const isClaimed = (fields: Fields, { status, yes, unless }: Claim): boolean =>
  isConfirming(fields[status], yes) && !(unless && upperCased(fields[unless[0]]) === unless[1]);

/** A service uses the same field for itself. */
export const REPORT_CLAIM: Claim = { status: "QSL_RCVD", yes: ADIF_YES, fields: ["QSL_RCVD", "QSLRDATE"] };

/** In a file it speaks of a card, unless the confirmation came electronically. */
export const CARD_CLAIM: Claim = {
  ...REPORT_CLAIM,
  fields: [...REPORT_CLAIM.fields, "QSL_RCVD_VIA"],
  unless: ["QSL_RCVD_VIA", "E"],
};

/** An absent or negative word never takes a confirmation back: the origin may simply not say it this time. */
export const claimsKept = (known: Fields | undefined, said: Fields, claims: readonly Claim[]): Fields | null => {
  if (!known) return null;
  const kept = claims.filter((claim) => isClaimed(known, claim) && !isClaimed(said, claim));
  return kept.length === 0 ? null : Object.assign({}, ...kept.map(({ fields }) => picked(known, fields)));
};

export const picked = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]!]));

export const withTypes = <T extends AdifRecord>(record: T, types: Record<string, string> | undefined): T =>
  types && Object.keys(types).length > 0 ? { ...record, types } : record;

/** A status that a person typed replaces the one of a file. */
export const ownersWord = (own: OwnLayer | null, status: string): Fields | undefined =>
  own?.typed?.[status] === undefined ? own?.file?.fields : own.typed;

/** ADIF's old word for a contact that a sponsor of DXCC has verified. */
export const addVerified = (granted: Set<string>, medium: string): void => {
  for (const facet of ["DXCC", "DXCC_BAND", "DXCC_MODE"]) granted.add(`${facet}:${medium}`);
};

/** Writes a value unless what stands there means the same already. */
export const settle = (fields: Fields, name: string, value: string | null, isSaid: boolean): void => {
  if (isSaid) return;
  if (value === null) delete fields[name];
  else fields[name] = value;
};

export const settleDay = (fields: Fields, name: string, at: number | null): void =>
  settle(fields, name, at === null ? null : adifDate(at), at !== null && parseDate(fields[name]) === at);
