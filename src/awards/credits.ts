import { SAT, type AwardView } from "../domain/award.ts";
import type { Award } from "./award.ts";

/** Whether a contact's credits are for this award, in this view. */
export const isCredited = (credits: string, { credit, split }: Award, view: AwardView, part: string): boolean => {
  const granted = new Set(credits.split(",").map(named));
  const base = credit.replace(/_BAND$/, "");
  const wanted: string[] = [];
  if (part === SAT || view.band === SAT) wanted.push(`${base}_SATELLITE`);
  else if (view.band !== null || (split?.by === "band" && credit !== base)) wanted.push(`${base}_BAND`);
  if (view.group !== null) wanted.push(`${base}_MODE`);
  if (wanted.length > 0) return wanted.every((name) => granted.has(name));
  return granted.has(credit) || granted.has(`${credit}_MIXED`);
};

const BAND = /^\d+(\.\d+)?(MM|CM|M)$/;
const MODES = new Set(["CW", "PHONE", "DIGITAL", "DATA", "RTTY", "SSB"]);

/** ADIF puts the medium after the colon (`DXCC_BAND:CARD`), the first service what was granted (`DXCC:20M`). */
const named = (text: string): string => {
  const [name = "", facet = ""] = text.trim().split(":");
  if (facet === "SATELLITE" || facet === "SAT") return `${name}_SATELLITE`;
  if (facet === "BAND" || BAND.test(facet)) return `${name}_BAND`;
  if (facet === "MODE" || MODES.has(facet)) return `${name}_MODE`;
  return name;
};
