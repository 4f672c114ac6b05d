import type { AwardId, SlotKey } from "./award.ts";
import type { ModeGroup } from "../radio/mode.ts";

export const NEED_STATES = ["neverWorked", "notConfirmed", "confirmed"] as const;

/** The state of a slot before the contact is made. */
export type NeedState = (typeof NEED_STATES)[number];

/**
 * What a contact would be for an award: in general, on its band and in its mode group, if these are separate awards.
 */
export interface AwardNeed {
  award: AwardId;
  label: string;
  key: SlotKey;
  name: string;
  state: NeedState | null;
  onBand: NeedState | null;
  inGroup: NeedState | null;
  /** Band and mode group together. There is no such award, but need lists show it. */
  onBandInGroup: NeedState | null;
}

/** A request for what a callsign is needed for. */
export interface NeedRequest {
  call: string;
  band?: string;
  mode?: string;
}

/** What a contact with a callsign would count for. */
export interface Need {
  call: string;
  band: string | null;
  mode: string | null;
  group: ModeGroup | null;
  entity: { dxcc: number; name: string } | null;
  continent: string | null;
  cqZone: number | null;
  ituZone: number | null;
  /** From the grid square of the last contact that names one, to the partner's square or the middle of the entity. */
  distanceKm: number | null;
  bearing: number | null;
  /** The point to which distance and bearing lead. */
  place: { lat: number; lon: number } | null;
  /**
   * Where the station was in the last contact with it, because awards for states and squares count that. Null if no
   * contact says it.
   */
  earlier: { state: string | null; gridsquare: string | null } | null;
  worked: { count: number; lastAt: number | null; onBand: boolean; inMode: boolean; onBandInMode: boolean };
  confirmed: { call: boolean; onBand: boolean; onBandInMode: boolean };
  awards: AwardNeed[];
}

const NEVER: Record<"state" | "onBand" | "inGroup", (need: Need) => string> = {
  state: () => "new",
  onBand: ({ band }) => `new on ${band}`,
  inGroup: ({ group }) => `new in ${group}`,
};

/** Lists what would be new and what only needs a confirmation, such as `DXCC: new on 17m`. */
export const describeNeed = (need: Need): string[] =>
  need.awards.flatMap((one) => {
    const first = (["state", "onBand", "inGroup"] as const).find((name) => one[name] === "neverWorked");
    if (first) return [`${one.label} ${one.name}: ${NEVER[first](need)}`];
    return one.state === "notConfirmed" ? [`${one.label} ${one.name}: worked, not confirmed`] : [];
  });
