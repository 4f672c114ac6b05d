import { WITNESSES, type Witness } from "../awards/award.ts";
import type { QsoView } from "./qso-view.ts";

/** C where a witness confirmed a contact, W where it has it and does not, a dash where it never heard of it. */
export type Mark = "C" | "W" | "–";

type Told = Pick<QsoView, Witness>;

/** What each witness says of a contact. Of a card nobody hears before it comes. */
export const marksOf = (qso: Told): Record<Witness, Mark> =>
  Object.fromEntries(WITNESSES.map((witness) => [witness, markOf(qso[witness], witness)])) as Record<Witness, Mark>;

const markOf = (said: Told[Witness], witness: Witness): Mark => {
  if (said?.confirmed) return "C";
  return said === null || witness === "card" ? "–" : "W";
};
