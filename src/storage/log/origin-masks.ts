import { WITNESSES, type Witness } from "../../domain/awards/award.ts";
import { ORIGIN_BITS, WITNESS_BITS } from "../../domain/origins/bits.ts";
import { SERVICES, type Service } from "../../domain/jobs/source.ts";
import { join, raw, type Sql } from "../engine/unit.ts";

/** True if a witness confirmed the contact. */
export const isConfirmedBy = (witness: Witness): Sql => raw(`(confirmed_by & ${WITNESS_BITS[witness]}) <> 0`);

const maskOf = (services: readonly Service[]): number =>
  services.reduce((mask, service) => mask | ORIGIN_BITS[service], 0);

/** True if exactly these services confirmed the contact. */
export const isConfirmedByServices = (services: readonly Service[]): Sql =>
  raw(`(confirmed_by & ${maskOf(SERVICES)}) = ${maskOf(services)}`);

/** True if more than one service confirmed the contact: the mask is none of the single bits. */
export const BY_SEVERAL_SERVICES: Sql = raw(
  `(confirmed_by & ${maskOf(SERVICES)}) NOT IN (${[0, ...SERVICES.map((service) => ORIGIN_BITS[service])].join(", ")})`,
);

/** One SELECT column per witness. */
export const byWitness = (columnOf: (witness: Witness) => Sql): Sql => join(WITNESSES.map(columnOf), ", ");

/** True if a service or a card confirmed the contact. */
export const BY_ANYBODY: Sql = raw("confirmed_by <> 0");

/** True if the service has the contact; the SQL form of `isAt`. */
export const isAtService = (service: Service): Sql => raw(`(recorded_by & ${ORIGIN_BITS[service]}) <> 0`);
