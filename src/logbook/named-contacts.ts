import { toNamedContact, type NamedContact } from "../domain/contact/named-contact.ts";
import * as qsos from "../storage/log/qsos.ts";
import type { Unit } from "../storage/engine/unit.ts";

/** The identifying fields of contacts by id, without contacts that are gone. */
export function* loadNamedContacts(userId: number, ids: readonly number[]): Unit<Map<number, NamedContact>> {
  const found = yield* qsos.listColumnsByIds(ids);
  return new Map(found.filter((qso) => qso.userId === userId).map((qso) => [qso.id, toNamedContact(qso)]));
}
