import { findBand, megahertz, resolveBand } from "../domain/radio/band.ts";
import type { FieldProblem } from "../kernel/errors.ts";
import { isFieldName } from "../domain/contact/field-name.ts";
import { parseOneLine, type TypingRule } from "../domain/contact/field-texts.ts";
import { getField, FIELDS, listFieldsWith, isField } from "../domain/contact/fields.ts";
import { normaliseMode, getModeName, exportMode, isKnownMode, MODES_OF, parseTypedMode } from "../domain/radio/mode.ts";
import { readMoment } from "./moment.ts";

/** Typed values by field name. Null removes an earlier typed value. */
export type TypedQso = Record<string, unknown>;

/** ADIF fields for the typed layer; null removes one. */
export type TypedFields = Record<string, string | null>;

/** Maps each ADIF name of a field to the name used for typing. */
const OWN_PLACE: ReadonlyMap<string, string> = new Map(
  listFieldsWith("typed").flatMap((name) => FIELDS[name].adif.map((adif): [string, string] => [adif, name])),
);

/** Fields that are checked on their own. Times, mode and tuning combine several fields and are read below. */
const findRule = (name: string): { adif: string; rule: TypingRule } | null => {
  const { adif = [], typed = "together" } = isField(name) ? getField(name) : {};
  return typed === "together" ? null : { adif: adif[0]!, rule: typed };
};

/** Converts typed values to ADIF fields and collects all problems. */
export const readTyped = (typed: TypedQso, now: number): { fields: TypedFields; problems: FieldProblem[] } => {
  const reading = new Reading(now);
  for (const [name, value] of Object.entries(typed)) reading.read(name, value);
  reading.readMode(typed);
  const { FREQ, BAND } = reading.fields;
  if (FREQ && BAND === undefined) reading.fields.BAND = resolveBand(undefined, FREQ).band;
  return reading;
};

class Reading {
  readonly fields: TypedFields = {};
  readonly problems: FieldProblem[] = [];
  readonly #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  read(name: string, value: unknown): void {
    if (value === undefined || name === "mode" || name === "submode") return;
    if (name === "extra") return this.#readExtra(value);
    if (name === "freqHz") return this.#readFrequency(value);
    if (name === "startedAt") return this.#readTime(name, value, ["QSO_DATE", "TIME_ON"]);
    if (name === "endedAt") return this.#readTime(name, value, ["QSO_DATE_OFF", "TIME_OFF"]);
    const place = findRule(name);
    if (place === null) return this.#wrong(name, `There is no field ${JSON.stringify(name)} that you can edit.`);
    const { adif, rule } = place;
    const said = toPlainText(value);
    if (said === null) return this.#set(adif, null);
    this.#setOr(
      name,
      adif,
      said === undefined ? null : rule.read(said),
      `${JSON.stringify(value)} is not ${rule.what}.`,
    );
  }

  /** Mode and submode belong together. */
  readMode({ mode, submode }: TypedQso): void {
    if (mode === undefined && submode === undefined) return;
    const [word, detail] = [toPlainText(mode ?? null), toPlainText(submode ?? null)];
    const main = word && parseTypedMode(word);
    if (main === undefined || detail === undefined) return this.#wrong("mode", "Enter a mode such as FT8 or SSB.");
    if (main === null && detail === null) {
      if (mode !== undefined) this.#set("MODE", null);
      return this.#set("SUBMODE", null);
    }
    const known = normaliseMode(main ?? undefined, detail ?? undefined);
    const isMain = main === null || isKnownMode(normaliseMode(main)!);
    if (!known || !isMain) return this.#wrong("mode", `${JSON.stringify(main)} is not a mode.`);
    if (known.generic)
      return this.#wrong(
        "mode",
        `${JSON.stringify(main)} stands for several modes. Enter one, such as ${MODES_OF[known.group]}.`,
      );
    if (detail !== null && (!isKnownMode(known) || normaliseMode(detail)?.submode !== known.submode)) {
      return this.#wrong("submode", `${JSON.stringify(detail)} is not a submode${main === null ? "" : ` of ${main}`}.`);
    }
    const { MODE = getModeName(known), SUBMODE = null } = exportMode(known.mode, known.submode);
    this.#set("MODE", MODE);
    this.#set("SUBMODE", SUBMODE);
  }

  #readFrequency(value: unknown): void {
    if (value === null || value === "") return this.#set("FREQ", null);
    const hertz = Number(value);
    const inBand = Number.isSafeInteger(hertz) && findBand(hertz) !== null;
    // People type text in MHz; programs send a number in Hz.
    const unit = typeof value === "string" ? "of an amateur band, such as 14.074 MHz" : "in hertz of an amateur band";
    const message = `${JSON.stringify(value)} is not a frequency ${unit}.`;
    this.#setOr("freqHz", "FREQ", inBand ? megahertz(hertz) : null, message);
  }

  #readTime(name: string, value: unknown, [date, time]: [string, string]): void {
    if (value === null || value === "") {
      this.#set(date, null);
      return this.#set(time, null);
    }
    const moment = readMoment(value, this.#now);
    if (typeof moment === "string") return this.#wrong(name, moment);
    if (moment.date !== null) this.#set(date, moment.date);
    else if (name === "endedAt") this.#set(date, null);
    this.#set(time, moment.time);
  }

  #readExtra(value: unknown): void {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return this.#wrong("extra", "extra must be an object of ADIF field names and text.");
    }
    for (const [name, said] of Object.entries(value)) this.#readExtraField(name.toUpperCase(), said);
  }

  #readExtraField(adif: string, value: unknown): void {
    const path = `extra.${adif}`;
    const place = OWN_PLACE.get(adif);
    if (place) return this.#wrong(path, `Use ${place} instead of ${adif}.`);
    if (!isFieldName(adif)) return this.#wrong(path, `${JSON.stringify(adif)} is not an ADIF field name.`);
    const said = toPlainText(value);
    if (said === null) return this.#set(adif, null);
    this.#setOr(path, adif, said === undefined ? null : parseOneLine(said), `${adif} must be a single line of text.`);
  }

  #setOr(path: string, adif: string, value: string | null, message: string): void {
    if (value === null) this.#wrong(path, message);
    else this.#set(adif, value);
  }

  #set(adif: string, value: string | null): void {
    this.fields[adif] = value;
  }

  #wrong(path: string, message: string): void {
    this.problems.push({ path, message });
  }
}

/** Numbers can come as text and vice versa. Null and an empty text remove the value; undefined leaves it. */
const toPlainText = (value: unknown): string | null | undefined => {
  if (value === null) return null;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" ? value.trim() || null : undefined;
};

/** Contradictions within the typed layer. */
export const checkTuning = ({ BAND, FREQ }: Record<string, string | undefined>): FieldProblem[] =>
  BAND !== undefined && FREQ !== undefined && resolveBand(BAND, FREQ).disagrees
    ? [{ path: "freqHz", message: `${FREQ} MHz is not in the ${BAND} band.` }]
    : [];
