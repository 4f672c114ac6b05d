import { findBand, parseBand, parseTypedFrequency } from "../radio/band.ts";
import { normaliseMode, isKnownMode, parseTypedMode } from "../radio/mode.ts";
import type { NeedRequest } from "../awards/need.ts";

/** The fields of the quick entry form. */
export interface Quick {
  call?: string;
  startedAt?: string;
  band?: string;
  mode?: string;
  rstSent?: string;
  rstRcvd?: string;
}

/** Reads 20, 20m and 70cm as a band, 14.074 and 14074 as a frequency. Anything else is left for validation. */
export const parseBandOrFrequency = (text: string): { band: string } | { freqHz: number } => {
  const band = parseBand(text);
  if (band !== null) return { band };
  const freqHz = parseTypedFrequency(text);
  return freqHz === null ? { band: text } : { freqHz };
};

/** A line such as "JA1ABC 20 CW" in the field of the callsign also gives the band and the mode. */
export const splitLine = (quick: Quick): Quick => {
  const [call, ...words] = (quick.call ?? "").trim().split(/\s+/);
  const band = words.find((word) => parseBand(word) ?? parseTypedFrequency(word));
  const mode = words.find(isMode);
  if (call === undefined || words.some((word) => word !== band && word !== mode)) return quick;
  return { ...quick, call, ...(band && { band }), ...(mode && { mode }) };
};

/** Whether the typed text is a mode. */
export const isMode = (mode: string): boolean => {
  const said = normaliseMode(parseTypedMode(mode));
  return said !== null && isKnownMode(said);
};

/** The default report for a mode. */
export const getDefaultReport = (mode: string | undefined): string | undefined => {
  const group = mode === undefined ? null : normaliseMode(parseTypedMode(mode))?.group;
  if (group === "cw") return "599";
  return group === "phone" ? "59" : undefined;
};

/** The typed fields as a contact for validation; the default time is now. */
export const toTypedQso = (quick: Quick, now: number) => {
  const { band = "", mode, startedAt, rstSent, rstRcvd, ...rest } = splitLine(quick);
  const report = getDefaultReport(mode);
  const typed = {
    ...rest,
    startedAt: startedAt ?? now,
    ...(band === "" ? {} : parseBandOrFrequency(band)),
    mode,
    rstSent: rstSent ?? report,
    rstRcvd: rstRcvd ?? report,
  };
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined));
};

/** The need can be looked up before the input is complete or valid. */
export const toNeedRequest = (quick: Quick): NeedRequest => {
  const { call = "", band = "", mode = "" } = splitLine(quick);
  const typed = parseBandOrFrequency(band);
  const known = "freqHz" in typed ? findBand(typed.freqHz) : parseBand(typed.band);
  return {
    call: call.trim(),
    ...(known === null ? {} : { band: known }),
    ...(isMode(mode) ? { mode: parseTypedMode(mode) } : {}),
  };
};
