import type { FieldName, ValueOf } from "./fields.ts";
import type { Layers } from "./layers.ts";
import { byService, SERVICES, type Service } from "../jobs/source.ts";

/** The values derived from the layers of a contact. They are stored in columns and never edited directly. */
export type Derived = { [Name in FieldName]: ValueOf<Name> };

export interface Qso extends Derived, Layers {
  id: number;
  userId: number;
  createdAt: number;
  updatedAt: number;
  rulesVersion: number;
}

/** The column with each service's id of the contact. */
export const ID_COLUMN = byService((service): `${Service}Id` => `${service}Id`);

/** The column that says whether the service confirmed it. */
const CONFIRMED_COLUMN = byService((service): `${Service}Confirmed` => `${service}Confirmed`);

/** The filter value for "confirmed by this service only". */
export const ONLY = byService((service): `${Service}Only` => `${service}Only`);

/** Who confirmed: a card counts only if no service did. "none" means nobody. */
export const CONFIRMATIONS = ["none", ...Object.values(ONLY), "both", "cardOnly"] as const;
export type Confirmation = (typeof CONFIRMATIONS)[number];

export const getConfirmation = (qso: Pick<Derived, `${Service}Confirmed` | "cardConfirmed">): Confirmation => {
  const [service, other] = SERVICES.filter((one) => qso[CONFIRMED_COLUMN[one]]);
  if (service) return other ? "both" : ONLY[service];
  return qso.cardConfirmed ? "cardOnly" : "none";
};

/** Whether the service has the contact, because it said so or a file carries its record. */
export const isAt = (qso: Derived & Layers, service: Service): boolean =>
  qso[service] !== null ||
  qso.own?.brought?.[service] !== undefined ||
  qso[ID_COLUMN[service]] !== null ||
  qso[CONFIRMED_COLUMN[service]];
