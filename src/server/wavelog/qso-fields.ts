import type { Fields } from "../../domain/contact/adif-record.ts";
import { AppError } from "../../kernel/errors.ts";
import { parseFieldName } from "../../domain/contact/field-name.ts";
import { textIn, wordIn } from "./body.ts";

/** Fields of the request, not of the contact. */
const NOT_ADIF = new Set(["station_profile_id", "import_type", "dryrun", "qsos", "adif"]);
const REQUIRED = ["call", "band", "mode", "qso_date", "time_on"];

const compact = (text: string): string => text.replace(/[-:]/g, "");

const megahertz = (text: string): string => {
  const hertz = Number(text);
  if (!Number.isFinite(hertz)) throw new AppError("invalid", `${JSON.stringify(text)} is not a frequency in Hz.`);
  return String(hertz / 1_000_000);
};

/** A contact in JSON, with lower-case ADIF names, dates with dashes and frequencies in Hz, as ADIF fields. */
export const fieldsIn = (said: Record<string, unknown>): Fields => {
  const missing = REQUIRED.filter((name) => !wordIn(said[name]));
  if (missing.length > 0) throw new AppError("invalid", `Missing: ${missing.join(", ")}.`);
  const fields: Fields = {};
  for (const [name, value] of Object.entries(said)) {
    const [text, field] = [textIn(value), parseFieldName(name)];
    if (text === undefined || field === null || NOT_ADIF.has(name)) continue;
    const isTime = /^(qso_date|time_on|time_off)/.test(name);
    const isFrequency = name === "freq" || name === "freq_rx";
    fields[field] = isTime ? compact(text) : isFrequency ? megahertz(text) : text;
  }
  return fields;
};

/** Fields that can be changed, and their names in qsolog. */
const TYPED: Record<string, string> = {
  call: "call",
  band: "band",
  band_rx: "bandRx",
  mode: "mode",
  rst_sent: "rstSent",
  rst_rcvd: "rstRcvd",
  gridsquare: "gridsquare",
  name: "name",
  qth: "qth",
  comment: "comment",
  state: "state",
  iota: "iota",
  prop_mode: "propMode",
  sat_name: "satName",
  cqz: "cqZone",
  ituz: "ituZone",
  tx_pwr: "txPower",
};

/** ADIF fields without a column. */
export const FURTHER = ["notes", "sota_ref", "pota_ref", "wwff_ref", "sig", "sig_info", "freq_rx"] as const;

const furtherIn = (said: Record<string, unknown>): Record<string, string | null> =>
  Object.fromEntries(
    FURTHER.filter((name) => name in said).map((name) => {
      const text = wordIn(said[name]);
      return [name.toUpperCase(), text === undefined ? null : name === "freq_rx" ? megahertz(text) : text];
    }),
  );

/** A change in JSON as a manual edit: an empty value clears the field. Day and time come together or not at all. */
export const editIn = (said: Record<string, unknown>): Record<string, unknown> => {
  const patch: Record<string, unknown> = {};
  for (const [name, typed] of Object.entries(TYPED)) {
    if (!(name in said)) continue;
    const text = textIn(said[name]) ?? "";
    const isNumber = typed === "cqZone" || typed === "ituZone" || typed === "txPower";
    patch[typed] = text.trim() === "" ? null : isNumber ? Number(text) : text;
  }
  const frequency = "freq" in said ? (textIn(said.freq) ?? "") : undefined;
  if (frequency !== undefined) patch.freqHz = frequency === "" ? null : Number(frequency);
  const [day, time] = [textIn(said.qso_date), textIn(said.time_on)];
  if (day && time) patch.startedAt = `${day} ${clockTime(time)}`;
  const extra = furtherIn(said);
  return Object.keys(extra).length > 0 ? { ...patch, extra } : patch;
};

const clockTime = (text: string): string => {
  const figures = compact(text);
  return [figures.slice(0, 2), figures.slice(2, 4), figures.slice(4, 6)].filter(Boolean).join(":");
};
