import { WITNESSES, type Witness } from "../awards/award.ts";
import type { QsoView } from "./qso-view.ts";

/** C: the witness confirmed the contact. W: it has the contact without a confirmation. Dash: it does not have it. */
export type Mark = "C" | "W" | "–";

type Told = Pick<QsoView, Witness>;

/** The mark of each witness. Nothing is known about a card before it arrives. */
export const getMarks = (qso: Told): Record<Witness, Mark> =>
  Object.fromEntries(WITNESSES.map((witness) => [witness, markOf(qso[witness], witness)])) as Record<Witness, Mark>;

const markOf = (said: Told[Witness], witness: Witness): Mark => {
  if (said?.confirmed) return "C";
  return said === null || witness === "card" ? "–" : "W";
};
