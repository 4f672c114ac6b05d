import type { ModeGroup } from "./mode.ts";
import type { Confirmation } from "./qso.ts";

export interface Share {
  total: number;
  /** By anybody: a service, or a card. */
  confirmed: number;
}

export interface Statistics {
  total: number;
  entities: number;
  /** Contacts of which nobody knows the entity. */
  unknownEntity: number;
  bands: number;
  modes: number;
  callsigns: number;
  confirmation: Confirmations;
  byBand: (Share & { band: string })[];
  byMode: (Share & { mode: string })[];
  byGroup: (Share & { group: ModeGroup })[];
  byYear: (Share & { year: number })[];
  firstQsoAt: number | null;
  lastQsoAt: number | null;
}

interface Confirmations extends Record<Confirmation, number> {
  first: number;
  second: number;
  card: number;
  any: number;
}
