import { WITNESSES, type Witness } from "../../domain/awards/award.ts";
import { ORIGIN_BITS, WITNESS_BITS } from "../../domain/origins/bits.ts";
import { SERVICES, type Service } from "../../domain/jobs/source.ts";
import { join, raw, type Sql } from "../engine/unit.ts";

/** That a witness confirmed a contact. */
export const isConfirmedBy = (witness: Witness): Sql => raw(`(confirmed_by & ${WITNESS_BITS[witness]}) <> 0`);

const maskOf = (services: readonly Service[]): number =>
  services.reduce((mask, service) => mask | ORIGIN_BITS[service], 0);

/** That of the services these confirmed a contact and no other. */
export const isConfirmedByServices = (services: readonly Service[]): Sql =>
  raw(`(confirmed_by & ${maskOf(SERVICES)}) = ${maskOf(services)}`);

/** That more than one service confirmed a contact: a mask with several bits is more than each of them. */
export const BY_SEVERAL_SERVICES: Sql = raw(
  `(confirmed_by & ${maskOf(SERVICES)}) NOT IN (${[0, ...SERVICES.map((service) => ORIGIN_BITS[service])].join(", ")})`,
);

/** A column of a SELECT for each witness. */
export const byWitness = (columnOf: (witness: Witness) => Sql): Sql => join(WITNESSES.map(columnOf), ", ");

/** That anybody confirmed a contact: a service, or the partner's card. */
export const BY_ANYBODY: Sql = raw("confirmed_by <> 0");

/** That a service has the contact: what `isAt` says, of a row of `qsos`. */
export const isAtService = (service: Service): Sql => raw(`(recorded_by & ${ORIGIN_BITS[service]}) <> 0`);
