import { LABELS } from "../origins/labels.ts";
import { parseBand, type Band } from "../radio/band.ts";
import { AppError, type FieldProblem } from "../../kernel/errors.ts";
import { GRID } from "../contact/field-texts.ts";
import { formatCount } from "../../kernel/number-text.ts";
import type { ModeGroup } from "../radio/mode.ts";
import type { OwnLocation } from "../radio/own-place.ts";
import { parseStations } from "../contact/qso-filter.ts";
import { SERVICES } from "../jobs/source.ts";

export const AWARD_IDS = [
  "dxcc",
  "dxcc-challenge",
  "dxcc-5band",
  "dxcc-honor",
  "was",
  "was-5band",
  "was-triple",
  "waz",
  "vucc",
  "wac",
  "wac-5band",
  "wpx",
  "iota",
] as const;

export type AwardId = (typeof AWARD_IDS)[number];

/** Who can confirm a contact. */
export const WITNESSES = [...SERVICES, "card"] as const;
export type Witness = (typeof WITNESSES)[number];

/** Builds a record with one value for each witness. */
export const byWitness = <T>(answer: (witness: Witness) => T): Record<Witness, T> =>
  Object.fromEntries(WITNESSES.map((witness) => [witness, answer(witness)])) as Record<Witness, T>;

/** Whose confirmations count: those that the sponsor accepts, those of one witness, or all. */
export const CONFIRMERS = ["sponsor", ...WITNESSES, "any"] as const;
export type Confirmer = (typeof CONFIRMERS)[number];

/** Satellites count as a band of their own, whatever the frequency. */
export const SAT = "sat";
export type AwardBand = Band | typeof SAT;

export const AWARD_GROUPS = ["cw", "phone", "digital", "image", "ssb", "am", "rtty"] as const;
export type AwardGroup = (typeof AWARD_GROUPS)[number];

/** The options of an award page. */
export interface AwardView {
  band: AwardBand | null;
  group: AwardGroup | null;
  by: Confirmer;
  /** Only contacts made under this own callsign, or one of these (comma-separated). */
  station: string | null;
  /** Only contacts made from this entity or near this grid square; null stands for the most common place. */
  location: string | null;
}

export type ByWitness<T> = Record<Witness | "any", T>;

/** The progress of an award. */
export interface Progress {
  id: AwardId;
  label: string;
  /** The place from which the counted contacts were made, or null if no contact says it. */
  from: OwnLocation | null;
  /** What is counted. */
  unit: string;
  sponsor: string;
  accepts: readonly Witness[];
  /** Null if there is no award, only a count. */
  goal: number | null;
  /** The next level of the award, or null if none is left. */
  next: number | null;
  worked: number;
  confirmed: number;
  confirmedBy: ByWitness<number>;
  credited: number;
  /**
   * Contacts confirmed by the first service that would count if the mode of both sides were known; null if that does
   * not matter.
   */
  modeUnknown: number | null;
  /** The band or mode group that decides, for an award that exists for several of them. */
  of: string | null;
}

export type SlotKey = number | string;

/** A slot of an award: an entity, a state on a band, a square. */
export interface SlotName {
  key: SlotKey;
  label: string;
  band: AwardBand | null;
  group: AwardGroup | ModeGroup | null;
}

export interface Slot extends SlotName {
  worked: boolean;
  confirmed: boolean;
  confirmedBy: ByWitness<boolean>;
  credited: boolean;
  /** The earliest contact that confirms the slot, otherwise the earliest that worked it. */
  qsoId: number;
}

/** One of the bands or mode groups that an award is counted in. */
export interface Part {
  name: string;
  goal: number | null;
  worked: number;
  confirmed: number;
}

export interface AwardDetail extends Progress, AwardView {
  /** All places from which contacts were made, the most common first. */
  locations: readonly OwnLocation[];
  /** The log filters that select contacts made from that place; empty if it is all contacts. */
  madeFrom: { ownDxcc?: string; ownGrid?: string };
  parts: Part[];
  slots: Slot[];
  /** Contacts that count for nothing: the entity is unknown, or it did not exist on that day. */
  uncounted: { unknownEntity: number; notValid: number } | null;
}

export interface Needed extends AwardView {
  id: AwardId;
  label: string;
  modeUnknown: number | null;
  /** Null for prefixes, squares and islands, which cannot be listed completely. */
  neverWorked: SlotName[] | null;
  notConfirmed: (SlotName & { confirmedElsewhere: Witness[]; qsoId: number })[];
}

export type Cell = "confirmed" | "worked";

export interface AwardMatrix extends AwardView {
  id: AwardId;
  label: string;
  modeUnknown: number | null;
  bands: AwardBand[];
  rows: { key: SlotKey; label: string; mixed: Cell | null; cells: (Cell | null)[] }[];
  /** One per column, the mixed column first. */
  totals: { worked: number; confirmed: number }[];
}

/** Explains that contacts do not count because a mode is unknown, and what to do. Null if there are none. */
export const describeModeUnknown = (count: number | null): string | null =>
  count
    ? `Not counted: ${formatCount(count, "QSO")} that ${LABELS.first} confirmed without saying both modes. Sync ${LABELS.first} to get them.`
    : null;

/** Units with few enough names for a table with one row each and one column per band. */
const MATRIX_UNITS = ["entities", "current entities", "states", "zones", "continents"];

export const hasMatrix = ({ unit }: Pick<Progress, "unit">): boolean =>
  MATRIX_UNITS.some((name) => unit.startsWith(name));

export const parseAwardId = (text: string): AwardId => {
  const wanted = text.toLowerCase();
  const id = AWARD_IDS.find((known) => known === wanted);
  if (!id)
    throw new AppError("not_found", `There is no award ${JSON.stringify(text)}. There are: ${AWARD_IDS.join(", ")}.`);
  return id;
};

/** The same as text. */
export type Asked = Partial<Record<keyof AwardView, string | null | undefined>>;

/** Reads the options of an award page and reports every invalid value. */
export const parseAwardView = ({ band, group, by, station, location }: Asked): AwardView => {
  const fields: FieldProblem[] = [];
  const known = <T>(path: string, text: string | null | undefined, read: (text: string) => T | null, list: string) => {
    if (text == null) return null;
    const value = read(text);
    if (value === null) fields.push({ path, message: `${JSON.stringify(text)} is not ${list}.` });
    return value;
  };
  const view: AwardView = {
    band: known("band", band, parseAwardBand, "a band; use 20m, 70cm or the like, or sat"),
    group: known("group", group, oneOf(AWARD_GROUPS), `a mode group; use ${AWARD_GROUPS.join(", ")}`),
    by: known("by", by, oneOf(CONFIRMERS), `a confirmation; use ${CONFIRMERS.join(", ")}`) ?? "sponsor",
    station: parseStation(station, fields),
    location: known("location", location, parseLocation, "an entity number or a grid square"),
  };
  const [problem] = fields;
  if (problem) throw new AppError("invalid", problem.message, { fields });
  return view;
};

const parseStation = (text: string | null | undefined, problems: FieldProblem[]): string | null => {
  try {
    return parseStations(text)?.join(",") ?? null;
  } catch (error) {
    if (!(error instanceof AppError) || !error.fields) throw error;
    problems.push(...error.fields.map(({ path, message }) => ({ path, message })));
    return null;
  }
};

/** An entity number, or a grid square of four or six characters. */
const parseLocation = (text: string): string | null => {
  const wanted = text.trim().toUpperCase();
  if (/^\d{1,3}$/.test(wanted)) return String(Number(wanted));
  return GRID.test(wanted) && (wanted.length === 4 || wanted.length === 6) ? wanted : null;
};

const parseAwardBand = (text: string): AwardBand | null => (text.toLowerCase() === SAT ? SAT : parseBand(text));

const oneOf =
  <T extends string>(words: readonly T[]) =>
  (text: string): T | null =>
    words.find((word) => word === text.toLowerCase()) ?? null;

/** The needed slots as every interface returns them. Says so if they cannot be listed completely. */
export const toNeededView = ({ neverWorked, ...needed }: Needed) => ({
  ...needed,
  complete: neverWorked !== null,
  neverWorked: neverWorked ?? [],
});

export type NeededView = ReturnType<typeof toNeededView>;
