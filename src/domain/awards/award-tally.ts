import type { Witness } from "./award.ts";
import { BANDS } from "../radio/band.ts";
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

type Path = Pick<Tally, "band" | "propMode">;

/** Contacts over a repeater or the internet count for nothing. */
const VOID = new Set(["RPT", "ECH", "IRL", "INTERNET"]);

export const isVoid = ({ propMode }: Pick<Path, "propMode">): boolean => propMode !== null && VOID.has(propMode);

export const isSatellite = ({ propMode }: Pick<Path, "propMode">): boolean => propMode === "SAT";

/** No award for entities or states accepts contacts on 60 m. */
export const SIXTY = "60m";

const FIRST_SQUARE_HZ = 50_000_000;

/** Grid squares count from 50 MHz up. */
export const SQUARE_BANDS = BANDS.filter(({ lowHz }) => lowHz >= FIRST_SQUARE_HZ).map(({ name }): string => name);

/** Whether the contact can count for a grid square. */
export const countsForSquares = (path: Path): boolean =>
  isSatellite(path) || (!isVoid(path) && path.band !== null && SQUARE_BANDS.includes(path.band));

/** Whether it can count for a band or zone. */
export const countsForZones = (path: Path): boolean => !isVoid(path) && !isSatellite(path);

/** Whether it can count for an entity or state. */
export const countsForEntities = (path: Path): boolean => countsForZones(path) && path.band !== SIXTY;
