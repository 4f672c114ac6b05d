import type { SquareTally } from "../domain/awards/award-tally.ts";
import { WITNESSES } from "../domain/awards/award.ts";
import { applyConfirmedPlace, replaceGrids } from "../domain/contact/confirmed.ts";

/** A contact on a line or a corner counts for two squares or four. */
export const bySquare = <T extends SquareTally>(tally: T): T[] => {
  const { awardGrids, confirmedAs = null } = tally;
  if (!awardGrids?.includes(",") && !confirmedAs?.includes(",")) return [tally];
  const places = [tally, ...WITNESSES.map((witness) => applyConfirmedPlace(tally, witness))];
  const most = Math.max(...places.map((place) => place.awardGrids?.split(",").length ?? 1));
  return Array.from({ length: most }, (_, at) => {
    const only = (grids: string | null) => grids?.split(",")[at] ?? null;
    return { ...tally, awardGrids: only(awardGrids), confirmedAs: replaceGrids(confirmedAs, only) };
  });
};
