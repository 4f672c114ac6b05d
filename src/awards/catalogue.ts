import { AWARD_IDS, type AwardId } from "../domain/awards/award.ts";
import type { Award } from "./award.ts";
import { dxcc, dxcc5Band, dxccChallenge, dxccHonor } from "./dxcc.ts";
import { iota } from "./iota.ts";
import { vucc } from "./vucc.ts";
import { wac, wac5Band } from "./wac.ts";
import { was, was5Band, wasTriple } from "./was.ts";
import { waz } from "./waz.ts";
import { wpx } from "./wpx.ts";

const CATALOGUE: Record<AwardId, Award> = {
  dxcc,
  "dxcc-challenge": dxccChallenge,
  "dxcc-5band": dxcc5Band,
  "dxcc-honor": dxccHonor,
  was,
  "was-5band": was5Band,
  "was-triple": wasTriple,
  waz,
  vucc,
  wac,
  "wac-5band": wac5Band,
  wpx,
  iota,
};

export const awardOf = (id: AwardId): Award => CATALOGUE[id];

/** Every award, in display order. */
export const AWARDS: readonly Award[] = AWARD_IDS.map(awardOf);
