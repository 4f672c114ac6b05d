import { SAT } from "../src/domain/award.ts";

/** 20m as 20: metres go without saying. */
export const shortBand = (band: string): string => (band === SAT ? "SAT" : band.replace(/(?<=\d)m$/, ""));
