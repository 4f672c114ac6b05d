import { parseBand, type Band } from "../radio/band.ts";
import { AppError, type FieldProblem } from "../../kernel/errors.ts";
import { GRID } from "../contact/field-texts.ts";
import { counted } from "../../kernel/number-text.ts";
import type { ModeGroup } from "../radio/mode.ts";
import type { Whereabouts } from "../radio/own-place.ts";
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

/** The same question of each witness. */
export const byWitness = <T>(answer: (witness: Witness) => T): Record<Witness, T> =>
  Object.fromEntries(WITNESSES.map((witness) => [witness, answer(witness)])) as Record<Witness, T>;

/** Whose confirmations count: those the sponsor accepts, one witness's, or anybody's. */
export const CONFIRMERS = ["sponsor", ...WITNESSES, "any"] as const;
export type Confirmer = (typeof CONFIRMERS)[number];

/** Satellites are a band of their own, whatever the frequency. */
export const SAT = "sat";
export type AwardBand = Band | typeof SAT;

export const AWARD_GROUPS = ["cw", "phone", "digital", "image", "ssb", "am", "rtty"] as const;
export type AwardGroup = (typeof AWARD_GROUPS)[number];

/** How somebody wants to see an award. */
export interface AwardView {
  band: AwardBand | null;
  group: AwardGroup | null;
  by: Confirmer;
  /** Only contacts made under this callsign, or one of these, with commas between. */
  station: string | null;
  /** Made from this entity, or from around this grid square; null stands for the most usual place. */
  location: string | null;
}

export type ByWitness<T> = Record<Witness | "any", T>;

/** Where somebody stands. */
export interface Progress {
  id: AwardId;
  label: string;
  /** Where the contacts were made from that the figures are of; null where none says so. */
  from: Whereabouts | null;
  /** What is counted. */
  unit: string;
  sponsor: string;
  accepts: readonly Witness[];
  /** Null where there is no award to be had, and the figures are plain counts. */
  goal: number | null;
  /** The next figure worth reaching; null where none is left. */
  next: number | null;
  worked: number;
  confirmed: number;
  confirmedBy: ByWitness<number>;
  credited: number;
  /** Contacts that the first service confirmed, where each side's mode would count and is not known; null where it does not. */
  modeUnknown: number | null;
  /** The band or group the figures are of, where an award is for each of several and this is the one that decides. */
  of: string | null;
}

export type SlotKey = number | string;

/** A place to fill: an entity, a state on a band, a square. */
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
  /** The earliest contact that confirms the slot, else the earliest that worked it. */
  qsoId: number;
}

/** One of the bands or groups an award is counted in. */
export interface Part {
  name: string;
  goal: number | null;
  worked: number;
  confirmed: number;
}

export interface AwardDetail extends Progress, AwardView {
  /** All places that contacts were made from, the most usual first. */
  locations: readonly Whereabouts[];
  /** The filters of the log that leave the contacts made from that place; empty where all are. */
  madeFrom: { ownDxcc?: string; ownGrid?: string };
  parts: Part[];
  slots: Slot[];
  /** Contacts that count for nothing here: nobody knows the entity, or it did not exist on that day. */
  uncounted: { unknownEntity: number; notValid: number } | null;
}

export interface Needed extends AwardView {
  id: AwardId;
  label: string;
  modeUnknown: number | null;
  /** Null where nobody can list them all: prefixes, squares, islands. */
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
  /** Per column, the mixed one first. */
  totals: { worked: number; confirmed: number }[];
}

/** What keeps a mode from counting, and what helps; null where nothing does. */
export const modeUnknownInWords = (count: number | null, service: string): string | null =>
  count
    ? `${counted(count, "QSO")} confirmed by ${service} not counted: mode not known on both sides; sync ${service}.`
    : null;

/** What has few enough names to be a row each, with a column a band. */
const MATRIX_UNITS = ["entities", "current entities", "states", "zones", "continents"];

export const hasMatrix = ({ unit }: Pick<Progress, "unit">): boolean =>
  MATRIX_UNITS.some((name) => unit.startsWith(name));

export const awardId = (text: string): AwardId => {
  const wanted = text.toLowerCase();
  const id = AWARD_IDS.find((known) => known === wanted);
  if (!id)
    throw new AppError("not_found", `There is no award ${JSON.stringify(text)}. There are: ${AWARD_IDS.join(", ")}.`);
  return id;
};

type Asked = Partial<Record<keyof AwardView, string | null | undefined>>;

/** Reads how somebody wants to see an award; every word that means nothing is reported. */
export const awardView = ({ band, group, by, station, location }: Asked): AwardView => {
  const fields: FieldProblem[] = [];
  const known = <T>(path: string, text: string | null | undefined, read: (text: string) => T | null, list: string) => {
    if (text == null) return null;
    const value = read(text);
    if (value === null) fields.push({ path, message: `${JSON.stringify(text)} is not one of ${list}` });
    return value;
  };
  const view: AwardView = {
    band: known("band", band, bandIn, "the bands or sat"),
    group: known("group", group, oneOf(AWARD_GROUPS), AWARD_GROUPS.join(", ")),
    by: known("by", by, oneOf(CONFIRMERS), CONFIRMERS.join(", ")) ?? "sponsor",
    station: stationIn(station, fields),
    location: known("location", location, locationIn, "the numbers of entities, or grid squares"),
  };
  const [problem] = fields;
  if (problem) throw new AppError("invalid", `${problem.path}: ${problem.message}.`, { fields });
  return view;
};

const stationIn = (text: string | null | undefined, problems: FieldProblem[]): string | null => {
  try {
    return parseStations(text)?.join(",") ?? null;
  } catch (error) {
    if (!(error instanceof AppError) || !error.fields) throw error;
    problems.push(...error.fields.map(({ path, message }) => ({ path, message: message.replace(/\.$/, "") })));
    return null;
  }
};

/** The number of an entity, or a square of four letters or six. */
const locationIn = (text: string): string | null => {
  const wanted = text.trim().toUpperCase();
  if (/^\d{1,3}$/.test(wanted)) return String(Number(wanted));
  return GRID.test(wanted) && (wanted.length === 4 || wanted.length === 6) ? wanted : null;
};

const bandIn = (text: string): AwardBand | null => (text.toLowerCase() === SAT ? SAT : parseBand(text));

const oneOf =
  <T extends string>(words: readonly T[]) =>
  (text: string): T | null =>
    words.find((word) => word === text.toLowerCase()) ?? null;

/** What is needed, as every interface gives it: where not everything can be listed, it says so. */
export const neededView = ({ neverWorked, ...needed }: Needed) => ({
  ...needed,
  complete: neverWorked !== null,
  neverWorked: neverWorked ?? [],
});

export type NeededView = ReturnType<typeof neededView>;
