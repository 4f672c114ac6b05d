import { SAT, type AwardView } from "../domain/awards/award.ts";
import type { Award } from "./award.ts";

/** Whether the credits of a contact include this award, in this view. */
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
const MODES = new Set(["CW", "PHONE", "DIGITAL", "DATA", "RTTY", "SSB", "AM"]);

/**
 * Normalizes a credit. ADIF writes the medium after the colon (`DXCC_BAND:CARD`), the first service the band or mode (`DXCC:20M`),
 * and programs put it into the name (`DXCC_20m:CARD`, `DXCC_CW`), as older versions of ADIF did.
 */
const named = (text: string): string => {
  const [given = "", facet = ""] = text.trim().toUpperCase().split(":");
  const [, name = given, ending = ""] = /^(.+)_([^_]+)$/.exec(given) ?? [];
  if (given === "IOTA_GROUP") return "IOTA";
  for (const said of [facet, ending]) {
    const award = said === ending ? name : given;
    if (said === "SATELLITE" || said === "SAT") return `${award}_SATELLITE`;
    if (said === "BAND" || BAND.test(said)) return `${award}_BAND`;
    if (said === "MODE" || MODES.has(said)) return `${award}_MODE`;
  }
  return given;
};
