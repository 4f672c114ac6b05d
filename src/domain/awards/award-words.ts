import { LABELS } from "../origins/labels.ts";
import type { Confirmer, Progress, Witness } from "./award.ts";

export const describeWitness = (witness: Witness): string => (witness === "card" ? "card" : LABELS[witness]);

/** Whose confirmations count. */
export const describeConfirmer = (by: Confirmer): string => {
  if (by === "sponsor") return "official rules";
  if (by === "any") return "any confirmation";
  return by === "card" ? "paper cards" : `${LABELS[by]} confirmations`;
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
