import type { Witness } from "../awards/award.ts";
import type { Place } from "../radio/maidenhead.ts";
import type { Service } from "../jobs/source.ts";

/** The figures of the statistics page; each is a document of its own. */
export const FIGURE_NAMES = [
  "calendar",
  "hours",
  "bands",
  "modes",
  "curve",
  "confirmations",
  "furthest",
  "map",
] as const;
export type FigureName = (typeof FIGURE_NAMES)[number];

export const FIGURE_TITLES: Record<FigureName | "shares", string> = {
  calendar: "Activity by week",
  hours: "Bands by hour (UTC)",
  bands: "Bands by year",
  shares: "QSOs by band",
  modes: "Modes by year",
  curve: "Worked and confirmed over time",
  confirmations: "How fast contacts are confirmed",
  furthest: "Longest distance by band",
  map: "Most worked entities",
};

/** Contacts counted by two properties. */
export interface CountsFigure {
  columns: string[];
  rows: { name: string; counts: number[] }[];
}

/** Totals at the end of each month. */
export interface CurveFigure {
  months: string[];
  lines: { name: CurveName; worked: number[]; confirmed: number[] }[];
}
export const CURVE_NAMES = ["entities", "states", "zones", "grids"] as const;
export type CurveName = (typeof CURVE_NAMES)[number];

/** Days between contact and confirmation; null if no day is known. */
export type Delays = Record<`${Service}Days`, number | null>;

/** How many contacts each witness confirmed, and the median number of days it took. */
export interface ConfirmationRow extends Record<Witness, number>, Delays {
  of: "all" | "band" | "year";
  name: string;
  total: number;
}

export interface FurthestRow {
  band: string;
  km: number;
  qsoId: number;
  call: string;
  gridsquare: string;
}

export interface MapFigure {
  home: (Place & { grid: string }) | null;
  entities: { dxcc: number; total: number; confirmed: number }[];
}

export interface Figures extends Record<"calendar" | "hours" | "bands" | "modes", CountsFigure> {
  curve: CurveFigure;
  confirmations: { rows: ConfirmationRow[] };
  furthest: { rows: FurthestRow[] };
  map: MapFigure;
  /** The contacts of each band; confirmed by anyone. */
  shares: { band: string; total: number; confirmed: number }[];
}

export const FULL_WEEKS_A_YEAR = 52;
