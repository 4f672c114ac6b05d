import type { FieldName, ValueOf } from "./fields.ts";
import type { Layers } from "./layers.ts";
import { byService, SERVICES, type Service } from "../jobs/source.ts";

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

/** Whether each service confirmed it. */
export const CONFIRMED_COLUMN = byService((service): `${Service}Confirmed` => `${service}Confirmed`);

/** What only this service confirmed. */
export const ONLY = byService((service): `${Service}Only` => `${service}Only`);

/** Of the services that confirmed a contact; a card counts where none did. Without any of these nobody did. */
export const CONFIRMATIONS = ["none", ...Object.values(ONLY), "both", "cardOnly"] as const;
export type Confirmation = (typeof CONFIRMATIONS)[number];

export const confirmationOf = (qso: Pick<Derived, `${Service}Confirmed` | "cardConfirmed">): Confirmation => {
  const [service, other] = SERVICES.filter((one) => qso[CONFIRMED_COLUMN[one]]);
  if (service) return other ? "both" : ONLY[service];
  return qso.cardConfirmed ? "cardOnly" : "none";
};

/** Whether the service has the contact, as far as anybody said: it spoke of it, or a file brings its word. */
export const isAt = (qso: Derived & Layers, service: Service): boolean =>
  qso[service] !== null ||
  qso.own?.brought?.[service] !== undefined ||
  qso[ID_COLUMN[service]] !== null ||
  qso[CONFIRMED_COLUMN[service]];
