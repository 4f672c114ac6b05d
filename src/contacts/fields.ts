import { bandOf, megahertz, resolveBand } from "../domain/radio/band.ts";
import type { FieldProblem } from "../kernel/errors.ts";
import { isFieldName } from "../domain/contact/field-name.ts";
import { oneLine, type TypingRule } from "../domain/contact/field-texts.ts";
import { fieldOf, FIELDS, fieldsThat, isField } from "../domain/contact/fields.ts";
import { canonicalMode, effectiveMode, exportMode, isKnownMode, MODES_OF, modeTyped } from "../domain/radio/mode.ts";
import { readMoment } from "./moment.ts";

/** What a person types of a contact, by the names of the interface. Null takes back what was typed before. */
export type TypedQso = Record<string, unknown>;

/** ADIF fields to write into the typed layer; null takes one back. */
export type TypedFields = Record<string, string | null>;

/** The names of ADIF that a field has, and the name it is typed by. */
const OWN_PLACE: ReadonlyMap<string, string> = new Map(
  fieldsThat("typed").flatMap((name) => FIELDS[name].adif.map((adif): [string, string] => [adif, name])),
);

/** The fields that stand alone. Times, mode and tuning take several and are read below. */
const ruleOf = (name: string): { adif: string; rule: TypingRule } | null => {
  const { adif = [], typed = "together" } = isField(name) ? fieldOf(name) : {};
  return typed === "together" ? null : { adif: adif[0]!, rule: typed };
};

/** Reads what was typed into ADIF fields, and says everything that is wrong with it. */
export const readTyped = (typed: TypedQso, now: number): { fields: TypedFields; problems: FieldProblem[] } => {
  const reading = new Reading(now);
  for (const [name, value] of Object.entries(typed)) reading.read(name, value);
  reading.readMode(typed);
  const { FREQ, BAND } = reading.fields;
  if (FREQ && BAND === undefined) reading.fields.BAND = resolveBand(undefined, FREQ).band;
  return reading;
};

/** One contact being read. */
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
    const place = ruleOf(name);
    if (place === null) return this.#wrong(name, `There is no field ${JSON.stringify(name)} to type.`);
    const { adif, rule } = place;
    const said = plainText(value);
    if (said === null) return this.#set(adif, null);
    this.#setOr(
      name,
      adif,
      said === undefined ? null : rule.read(said),
      `${JSON.stringify(value)} is not ${rule.what}.`,
    );
  }

  /** Mode and submode are one word in two fields. */
  readMode({ mode, submode }: TypedQso): void {
    if (mode === undefined && submode === undefined) return;
    const [word, detail] = [plainText(mode ?? null), plainText(submode ?? null)];
    const main = word && modeTyped(word);
    if (main === undefined || detail === undefined) return this.#wrong("mode", "A mode is a word such as FT8 or SSB.");
    if (main === null && detail === null) {
      if (mode !== undefined) this.#set("MODE", null);
      return this.#set("SUBMODE", null);
    }
    const known = canonicalMode(main ?? undefined, detail ?? undefined);
    const isMain = main === null || isKnownMode(canonicalMode(main)!);
    if (!known || !isMain) return this.#wrong("mode", `${JSON.stringify(main)} is not a mode.`);
    if (known.generic)
      return this.#wrong("mode", `${JSON.stringify(main)} is many modes: say which, ${MODES_OF[known.group]}.`);
    if (detail !== null && (!isKnownMode(known) || canonicalMode(detail)?.submode !== known.submode)) {
      return this.#wrong("submode", `${JSON.stringify(detail)} is not a submode${main === null ? "" : ` of ${main}`}.`);
    }
    const { MODE = effectiveMode(known), SUBMODE = null } = exportMode(known.mode, known.submode);
    this.#set("MODE", MODE);
    this.#set("SUBMODE", SUBMODE);
  }

  #readFrequency(value: unknown): void {
    if (value === null || value === "") return this.#set("FREQ", null);
    const hertz = Number(value);
    const inBand = Number.isSafeInteger(hertz) && bandOf(hertz) !== null;
    // Text is what a person typed, in the unit of people; programs send a number.
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
      return this.#wrong("extra", "extra holds ADIF names and texts.");
    }
    for (const [name, said] of Object.entries(value)) this.#readExtraField(name.toUpperCase(), said);
  }

  #readExtraField(adif: string, value: unknown): void {
    const path = `extra.${adif}`;
    const place = OWN_PLACE.get(adif);
    if (place) return this.#wrong(path, `${adif} is typed as ${place}.`);
    if (!isFieldName(adif)) return this.#wrong(path, `${JSON.stringify(adif)} is not a name of ADIF.`);
    const said = plainText(value);
    if (said === null) return this.#set(adif, null);
    this.#setOr(path, adif, said === undefined ? null : oneLine(said), `${adif} is text of one line.`);
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

/** Numbers may come as text and the other way round; null and nothing take back; undefined is neither. */
const plainText = (value: unknown): string | null | undefined => {
  if (value === null) return null;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" ? value.trim() || null : undefined;
};

/** What does not go together in the typed layer as a whole. */
export const tuningProblems = ({ BAND, FREQ }: Record<string, string | undefined>): FieldProblem[] =>
  BAND !== undefined && FREQ !== undefined && resolveBand(BAND, FREQ).disagrees
    ? [{ path: "freqHz", message: `${FREQ} MHz is not in the ${BAND} band.` }]
    : [];
