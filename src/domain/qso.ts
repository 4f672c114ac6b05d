import type { FieldName, ValueOf } from "./fields.ts";
import type { Layers } from "./layers.ts";

/** What the layers of a contact come to: derived by one rule, kept in columns, never written by hand. */
export type Derived = { [Name in FieldName]: ValueOf<Name> };

export interface Qso extends Derived, Layers {
  id: number;
  userId: number;
  createdAt: number;
  updatedAt: number;
  rulesVersion: number;
}

export type Confirmation = "none" | "firstOnly" | "secondOnly" | "both";

export const confirmationOf = (qso: Pick<Derived, "firstConfirmed" | "secondConfirmed">): Confirmation => {
  if (qso.firstConfirmed) return qso.secondConfirmed ? "both" : "firstOnly";
  return qso.secondConfirmed ? "secondOnly" : "none";
};
