import type { Confirmer, Witness } from "./award.ts";
import type { Labels } from "../jobs/source.ts";

export const describeWitness = (witness: Witness, labels: Labels): string =>
  witness === "card" ? "card" : labels[witness];

/** Whose confirmations count. */
export const describeConfirmer = (by: Confirmer, labels: Labels): string => {
  if (by === "sponsor") return "official rules";
  if (by === "any") return "any confirmation";
  return by === "card" ? "paper cards" : `${labels[by]} confirmations`;
};
