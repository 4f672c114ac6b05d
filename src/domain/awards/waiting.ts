import { DAY } from "../../kernel/clock.ts";
import { getMarks, type Mark } from "../contact/marks.ts";
import { toNamedContact, type NamedContact } from "../contact/named-contact.ts";
import type { Qso } from "../contact/qso.ts";
import { toQsoView } from "../contact/qso-view.ts";
import { joinWords } from "../../kernel/text.ts";
import { SERVICES } from "../jobs/source.ts";
import { describeWitness } from "./award-words.ts";
import type { Progress, Witness } from "./award.ts";

/** A contact that works a slot without a confirmation that counts. */
export interface WaitingContact extends NamedContact {
  marks: Record<Witness, Mark>;
}

export const toWaitingContact = (qso: Qso): WaitingContact => ({
  ...toNamedContact(qso),
  marks: getMarks(toQsoView(qso)),
});

/** Most stations upload within this time. */
const UPLOAD_DAYS = 90;

/** Why a slot is not confirmed, as far as it is known, and what to do about it. */
export const describeWaiting = (
  { accepts }: Pick<Progress, "accepts">,
  confirmedElsewhere: readonly Witness[],
  { call, startedAt, marks }: WaitingContact,
  now: number,
): { missing: string; advice: string } => {
  const name = (witness: Witness) => describeWitness(witness);
  const services = SERVICES.filter((service) => accepts.includes(service));
  const names = services.map(name).join(" or ");
  const upload = `Ask for ${names}`;
  const request = accepts.includes("card") ? "Ask for a card" : upload;
  if (confirmedElsewhere.length > 0) {
    const missing = `Only on ${joinWords(confirmedElsewhere.map(name))}`;
    return { missing, advice: services.length === 0 ? request : upload };
  }
  if (services.length === 0) return { missing: "No card yet", advice: request };
  if (services.every((service) => marks[service] === "–"))
    return { missing: `Not on ${names}`, advice: `Upload it to ${names}` };
  if (now - startedAt < UPLOAD_DAYS * DAY)
    return { missing: `Recent: most upload within ${UPLOAD_DAYS} days`, advice: "Wait" };
  return { missing: `No ${names} upload by ${call}`, advice: request };
};
