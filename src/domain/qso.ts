import type { FieldName, ValueOf } from "./fields.ts";
import type { Layers } from "./layers.ts";
import { byService, type Service } from "./source.ts";

/** What the layers of a contact come to: derived by one rule, kept in columns, never written by hand. */
export type Derived = { [Name in FieldName]: ValueOf<Name> };

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
