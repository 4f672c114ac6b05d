import type { AwardDetail } from "../domain/awards/award.ts";
import type { Proof } from "../domain/awards/card-words.ts";
import { toNamedContact } from "../domain/contact/named-contact.ts";
import type { Qso } from "../domain/contact/qso.ts";

/**
 * What to submit for an award by its sponsor's rules: for each slot that is confirmed and not granted yet, the contact
 * and a confirmation that the sponsor accepts.
 */
export const proofsOf = (
  { slots, accepts }: Pick<AwardDetail, "slots" | "accepts">,
  contacts: readonly Qso[],
): Proof[] => {
  const known = new Map(contacts.map((qso) => [qso.id, qso]));
  return slots.flatMap((slot) => {
    if (!slot.confirmed || slot.credited) return [];
    const qso = known.get(slot.qsoId);
    // If there are two, a confirmation that needs no card comes first.
    const by = qso && accepts.find((witness) => qso[`${witness}Confirmed`]);
    if (!qso || !by) return [];
    const part = slot.band ?? slot.group;
    return [{ slot: part ? `${slot.label} (${part})` : slot.label, by, ...toNamedContact(qso) }];
  });
};
