import type { AwardId, SlotKey } from "./award.ts";
import type { ModeGroup } from "../radio/mode.ts";

export const NEED_STATES = ["neverWorked", "notConfirmed", "confirmed"] as const;

/** Where a slot of an award stands before a contact. */
export type NeedState = (typeof NEED_STATES)[number];

/** What a contact would be in an award: by itself, on its band and in its group of modes, where these are awards too. */
export interface AwardNeed {
  award: AwardId;
  label: string;
  key: SlotKey;
  name: string;
  state: NeedState | null;
  onBand: NeedState | null;
  inGroup: NeedState | null;
  /** Both at once: no award, but what lists of needed stations ask. */
  onBandInGroup: NeedState | null;
}

/** What somebody asks of a callsign. */
export interface NeedWishes {
  call: string;
  band?: string;
  mode?: string;
}

/** What a callsign would bring. */
export interface Need {
  call: string;
  band: string | null;
  mode: string | null;
  group: ModeGroup | null;
  entity: { dxcc: number; name: string } | null;
  continent: string | null;
  cqZone: number | null;
  ituZone: number | null;
  /** From the square of the last contact that says one: to the partner's own, or to the middle of the entity. */
  distanceKm: number | null;
  bearing: number | null;
  /** What distance and bearing are to. */
  place: { lat: number; lon: number } | null;
  /** Where it was when it was worked last: awards for states and squares count that. Null where no contact says it. */
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

/** What would be new, and what only has to be confirmed: `DXCC: new on 17m`. */
export const needInWords = (need: Need): string[] =>
  need.awards.flatMap((one) => {
    const first = (["state", "onBand", "inGroup"] as const).find((name) => one[name] === "neverWorked");
    if (first) return [`${one.label} ${one.name}: ${NEVER[first](need)}`];
    return one.state === "notConfirmed" ? [`${one.label} ${one.name}: not confirmed`] : [];
  });
