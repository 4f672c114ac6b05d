import type { Confirmer, Progress, Witness } from "./award.ts";
import type { Labels } from "../jobs/source.ts";

export const describeWitness = (witness: Witness, labels: Labels): string =>
  witness === "card" ? "card" : labels[witness];

/** Whose confirmations count. */
export const describeConfirmer = (by: Confirmer, labels: Labels): string => {
  if (by === "sponsor") return "official rules";
  if (by === "any") return "any confirmation";
  return by === "card" ? "paper cards" : `${labels[by]} confirmations`;
};

/** The scale of the next goal: it starts at the first goal once that is reached. Null if nothing is left to reach. */
export const findTarget = ({
  confirmed,
  goal,
  next,
}: Pick<Progress, "confirmed" | "goal" | "next">): { from: number; goal: number } | null => {
  if (goal === null || confirmed < goal) return goal === null ? null : { from: 0, goal };
  return next === null ? null : { from: goal, goal: next };
};
