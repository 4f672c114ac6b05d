import type { Layers } from "./layers.ts";
import type { ModeGroup } from "./mode.ts";
import { byService, type Service } from "./source.ts";

/** What the layers of a contact come to: derived by one rule, kept in columns, never written by hand. */
export interface Derived extends Record<`${Service}Id`, string | null> {
  call: string;
  startedAt: number;
  endedAt: number | null;
  band: string | null;
  bandRx: string | null;
  freqHz: number | null;
  mode: string | null;
  submode: string | null;
  modeGroup: ModeGroup | null;
  stationCallsign: string | null;
  operator: string | null;
  rstSent: string | null;
  rstRcvd: string | null;
  /** Null where the station was in no entity, or nobody knows in which. */
  dxcc: number | null;
  continent: string | null;
  cqZone: number | null;
  ituZone: number | null;
  prefix: string | null;
  state: string | null;
  county: string | null;
  gridsquare: string | null;
  iota: string | null;
  name: string | null;
  qth: string | null;
  comment: string | null;
  propMode: string | null;
  satName: string | null;
  txPower: number | null;
  year: number;
  firstConfirmed: boolean;
  firstConfirmedAt: number | null;
  secondConfirmed: boolean;
  secondConfirmedAt: number | null;
  cardConfirmed: boolean;
  /** What the contact counts for, decided when it is written. Null where it counts for nothing. */
  awardEntity: number | null;
  awardState: string | null;
  awardZone: number | null;
  /** Four-character squares, separated by commas. */
  awardGrids: string | null;
  /** What the first service's confirmation itself says, for awards that take nothing else. */
  firstEntity: number | null;
  firstState: string | null;
  firstZone: number | null;
  firstGrids: string | null;
  /** Whether both sides reported the same mode; null where the first service did not say. */
  twoWay: boolean | null;
  /** Credits a sponsor granted, as ADIF lists them. */
  credits: string | null;
}

export interface Qso extends Derived, Layers {
  id: number;
  userId: number;
  createdAt: number;
  updatedAt: number;
  rulesVersion: number;
}

/** Where a contact has what each service calls it. */
export const ID_COLUMN = byService((service): `${Service}Id` => `${service}Id`);

export type Confirmation = "none" | "firstOnly" | "secondOnly" | "both";

export const confirmationOf = (qso: Pick<Derived, "firstConfirmed" | "secondConfirmed">): Confirmation => {
  if (qso.firstConfirmed) return qso.secondConfirmed ? "both" : "firstOnly";
  return qso.secondConfirmed ? "secondOnly" : "none";
};
