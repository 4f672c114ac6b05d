import { ORIGIN_IDS, ORIGIN_NAMES } from "../../domain/origins/bits.ts";
import { ID_COLUMN } from "../../domain/contact/qso.ts";
import { SERVICES, type Service } from "../../domain/jobs/source.ts";
import { byEngine, inList, insertMany, many, manyValues, run, sql, tableOf, type Unit } from "../engine/unit.ts";

/** The fields with each service's id of a contact. */
export type IdFields = Record<`${Service}Id`, string | null>;

const NO_IDS = Object.fromEntries(SERVICES.map((service) => [ID_COLUMN[service], null])) as IdFields;

interface IdsOfContact {
  qsoId: number;
  contact: IdFields;
}

export const add = (userId: number, contacts: readonly IdsOfContact[]): Unit<void> =>
  insertMany(
    "qso_service_ids",
    contacts.flatMap(({ qsoId, contact }) =>
      SERVICES.flatMap((service) => {
        const externalId = contact[ID_COLUMN[service]];
        return externalId === null ? [] : { userId, origin: ORIGIN_IDS[service], externalId, qsoId };
      }),
    ),
  );

/** Replaces the service ids of these contacts. */
export function* replace(userId: number, contacts: readonly IdsOfContact[]): Unit<void> {
  if (contacts.length === 0) return;
  yield* run`DELETE FROM qso_service_ids WHERE qso_id ${inList(contacts.map(({ qsoId }) => qsoId))}`;
  yield* add(userId, contacts);
}

/**
 * Removes the service ids of removed contacts. Those of deleted contacts stay, because their tombstones are found by
 * them.
 */
export const remove = (qsoIds: readonly number[]): Unit<void> =>
  run`
    DELETE FROM qso_service_ids WHERE qso_id ${inList(qsoIds)} AND NOT EXISTS (
      SELECT 1 FROM qso_tombstones t
      WHERE t.user_id = qso_service_ids.user_id AND t.qso_id = qso_service_ids.qso_id)`;

/**
 * The contacts with these service ids. PostgreSQL looks up each id separately: for a list it assumes, until statistics
 * exist after the first sync, that nobody has one, and reads all ids of the user for each batch.
 */
export function* findContacts(userId: number, ids: Record<Service, readonly string[]>): Unit<number[]> {
  const wanted = SERVICES.flatMap((service) => ids[service].map((id) => ({ origin: ORIGIN_IDS[service], id })));
  if (wanted.length === 0) return [];
  const mine = sql`user_id = ${userId} AND origin = wanted_origin AND external_id = wanted_id`;
  const qsoIds = yield* manyValues<number>`
    SELECT found.qso_id FROM ${tableOf({
      wanted_origin: wanted.map(({ origin }) => origin),
      wanted_id: wanted.map(({ id }) => id),
    })} AS wanted CROSS JOIN ${byEngine({
      sqlite: sql`qso_service_ids AS found WHERE ${mine}`,
      postgres: sql`LATERAL (SELECT qso_id FROM qso_service_ids WHERE ${mine} OFFSET 0) AS found`,
    })}`;
  return [...new Set(qsoIds)];
}

/** The service ids of these contacts. */
export function* loadFields(qsoIds: readonly number[]): Unit<(qsoId: number) => IdFields> {
  if (qsoIds.length === 0) return () => NO_IDS;
  const rows = yield* many<{ qsoId: number; origin: number; externalId: string }>`
    SELECT qso_id AS "qsoId", origin, external_id AS "externalId" FROM qso_service_ids WHERE qso_id ${inList(qsoIds)}`;
  const known = new Map<number, IdFields>();
  for (const { qsoId, origin, externalId } of rows) {
    const service = ORIGIN_NAMES.get(origin) as Service;
    known.set(qsoId, { ...(known.get(qsoId) ?? NO_IDS), [ID_COLUMN[service]]: externalId });
  }
  return (qsoId) => known.get(qsoId) ?? NO_IDS;
}
