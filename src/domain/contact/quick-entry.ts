import { bandNamed, bandOf, frequencyTyped, parseBand } from "../radio/band.ts";
import { canonicalMode, isKnownMode, modeTyped } from "../radio/mode.ts";
import type { NeedWishes } from "../awards/need.ts";

/** What is typed of a contact while it is made. */
export interface Quick {
  call?: string;
  startedAt?: string;
  band?: string;
  mode?: string;
  rstSent?: string;
  rstRcvd?: string;
}

/** 20, 20m and 70cm as a band, 14.074 and 14074 as a frequency; what is neither stays for the rules. */
export const bandTyped = (text: string): { band: string } | { freqHz: number } => {
  const band = bandNamed(text);
  if (band !== null) return { band };
  const freqHz = frequencyTyped(text);
  return freqHz === null ? { band: text } : { freqHz };
};

/** Whether it is a mode as people type it. */
export const isMode = (mode: string): boolean => {
  const said = canonicalMode(modeTyped(mode));
  return said !== null && isKnownMode(said);
};

/** The report that nobody has to type. */
export const usualReport = (mode: string | undefined): string | undefined => {
  const group = mode === undefined ? null : canonicalMode(modeTyped(mode))?.group;
  if (group === "cw") return "599";
  return group === "phone" ? "59" : undefined;
};

/** A contact as its rules read it; without a time it is made now. */
export const typedQuickly = ({ band = "", mode, startedAt, rstSent, rstRcvd, ...rest }: Quick, now: number) => {
  const report = usualReport(mode);
  const typed = {
    ...rest,
    startedAt: startedAt ?? now,
    ...(band === "" ? {} : bandTyped(band)),
    mode,
    rstSent: rstSent ?? report,
    rstRcvd: rstRcvd ?? report,
  };
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined));
};

/** What such a contact would bring can be asked before all of it is typed, or makes sense. */
export const wishesTyped = ({ call = "", band = "", mode = "" }: Quick): NeedWishes => {
  const typed = bandTyped(band);
  const known = "freqHz" in typed ? bandOf(typed.freqHz) : parseBand(typed.band);
  return {
    call: call.trim(),
    ...(known === null ? {} : { band: known }),
    ...(isMode(mode) ? { mode: modeTyped(mode) } : {}),
  };
};
