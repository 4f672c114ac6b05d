import type { Witness } from "./award.ts";
import type { ModeGroup } from "../radio/mode.ts";

/** Contacts that are equal in everything an award looks at, and whether each witness confirmed one of them (0 or 1). */
export interface Tally extends Record<Witness, number> {
  band: string | null;
  propMode: string | null;
  /** Only if mode groups are counted separately. */
  modeGroup?: ModeGroup | null;
  /** Credits that a sponsor granted, as an ADIF list. */
  credits: string | null;
  /** How many the first service confirmed without saying whether both modes matched, for awards that require it. */
  modeUnknown?: number;
}

/** The number of contacts and the time of the earliest one: of all, and of those that each witness confirmed. */
export interface Times extends Record<`${Witness}At`, number | null> {
  contacts: number;
  workedAt: number;
}

export interface PlaceTally extends Tally {
  dxcc: number | null;
  awardEntity: number | null;
  continent: string | null;
  awardZone: number | null;
  awardState: string | null;
  confirmedAs: string | null;
}

export interface PrefixTally extends Tally {
  prefix: string;
}

export interface SquareTally extends Tally {
  iota: string | null;
  awardGrids: string | null;
  /** Not set if only islands are counted. */
  confirmedAs?: string | null;
}

const SATELLITE = "SAT";

/** Contacts over a repeater or the internet count for nothing. */
const VOID = new Set(["RPT", "ECH", "IRL", "INTERNET"]);

export const isVoid = ({ propMode }: Pick<Tally, "propMode">): boolean => propMode !== null && VOID.has(propMode);

export const isSatellite = ({ propMode }: Pick<Tally, "propMode">): boolean => propMode === SATELLITE;

/** No award accepts contacts on 60 m. */
export const SIXTY = "60m";

/** Grid squares count from 50 MHz up. */
export const SQUARE_BANDS = [
  "6m",
  "5m",
  "4m",
  "2m",
  "1.25m",
  "70cm",
  "33cm",
  "23cm",
  "13cm",
  "9cm",
  "6cm",
  "3cm",
  "1.25cm",
  "6mm",
  "4mm",
  "2.5mm",
  "2mm",
  "1mm",
  "submm",
] as const;
