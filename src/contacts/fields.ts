import { bandOf, parseBand, resolveBand } from "../domain/band.ts";
import { CONTINENTS } from "../domain/entities.ts";
import { entityStatus } from "../domain/entity.ts";
import type { FieldProblem } from "../domain/errors.ts";
import { GRID } from "../domain/grid-squares.ts";
import { canonicalMode, effectiveMode, exportMode, isKnownMode } from "../domain/mode.ts";
import { CALLSIGN } from "../domain/user.ts";
import { readMoment } from "./moment.ts";

/** What a person types of a contact, by the names of the interface. Null takes back what was typed before. */
export type TypedQso = Record<string, unknown>;

/** ADIF fields to write into the typed layer; null takes one back. */
export type TypedFields = Record<string, string | null>;

/** What is allowed in one field: gives it as ADIF writes it, or null where it is not allowed. */
interface Rule {
  adif: string;
  read: (text: string) => string | null;
  /** Completes "… is no". */
  what: string;
}

const LONGEST = 1_000;
const HIGHEST_POWER = 100_000;

const oneLine = (text: string): string | null => (text.length > LONGEST || /[\x00-\x1f\x7f]/.test(text) ? null : text);

const text = (adif: string): Rule => ({ adif, read: oneLine, what: `text of one line, up to ${LONGEST} letters` });

const upper =
  (shape: RegExp) =>
  (given: string): string | null =>
    shape.test(given.toUpperCase()) ? given.toUpperCase() : null;

const wholeNumber =
  (from: number, to: number) =>
  (given: string): string | null => {
    const number = Number(given);
    return /^\d+$/.test(given) && number >= from && number <= to ? String(number) : null;
  };

const LONGEST_CALL = 20;
const PROPAGATION = /^(AS|AUE|AUR|BS|ECH|EME|ES|F2|FAI|GWAVE|INTERNET|ION|IRL|LOS|MS|RPT|RS|SAT|TEP|TR)$/;

const readCall = (given: string): string | null =>
  given.length > LONGEST_CALL ? null : upper(CALLSIGN)(given.replaceAll(/[\u00D8\u00F8]/g, "0"));

const readEntity = (given: string): string | null =>
  /^\d{1,4}$/.test(given) && entityStatus(Number(given)) !== "unknown" ? String(Number(given)) : null;

const readPower = (given: string): string | null => {
  const watts = given.replace(",", ".");
  return /^(\d+\.?\d*|\.\d+)$/.test(watts) && Number(watts) <= HIGHEST_POWER ? String(Number(watts)) : null;
};

/** The fields that stand alone. Times, mode and tuning take several and are read below. */
const RULES: Record<string, Rule> = {
  call: { adif: "CALL", read: readCall, what: "callsign" },
  stationCallsign: { adif: "STATION_CALLSIGN", read: readCall, what: "callsign" },
  operator: { adif: "OPERATOR", read: readCall, what: "callsign" },
  band: { adif: "BAND", read: parseBand, what: "band: say 20m, 70cm and so on" },
  bandRx: { adif: "BAND_RX", read: parseBand, what: "band: say 20m, 70cm and so on" },
  rstSent: text("RST_SENT"),
  rstRcvd: text("RST_RCVD"),
  dxcc: { adif: "DXCC", read: readEntity, what: "DXCC entity number; 0 means none" },
  continent: { adif: "CONT", read: upper(new RegExp(`^(${CONTINENTS.join("|")})$`)), what: "continent" },
  cqZone: { adif: "CQZ", read: wholeNumber(1, 40), what: "CQ zone, 1 to 40" },
  ituZone: { adif: "ITUZ", read: wholeNumber(1, 90), what: "ITU zone, 1 to 90" },
  state: { adif: "STATE", read: upper(/^[A-Z0-9-]{1,10}$/), what: "state or province: say its abbreviation" },
  county: text("CNTY"),
  gridsquare: { adif: "GRIDSQUARE", read: upper(GRID), what: "grid square of 2, 4, 6, 8 or 10 characters" },
  iota: { adif: "IOTA", read: upper(/^(AF|AN|AS|EU|NA|OC|SA)-(?!000)\d{3}$/), what: "IOTA reference such as EU-005" },
  name: text("NAME"),
  qth: text("QTH"),
  comment: text("COMMENT"),
  propMode: { adif: "PROP_MODE", read: upper(PROPAGATION), what: "propagation mode of ADIF" },
  satName: { adif: "SAT_NAME", read: upper(/^[A-Z0-9 /.-]{1,30}$/), what: "name of a satellite" },
  txPower: { adif: "TX_PWR", read: readPower, what: "power in watts" },
};

/** The names that have a field of their own, by that of ADIF. */
const OWN_PLACE: ReadonlyMap<string, string> = new Map([
  ...Object.entries(RULES).map(([name, { adif }]) => [adif, name] as const),
  ["QSO_DATE", "startedAt"],
  ["TIME_ON", "startedAt"],
  ["QSO_DATE_OFF", "endedAt"],
  ["TIME_OFF", "endedAt"],
  ["FREQ", "freqHz"],
  ["MODE", "mode"],
  ["SUBMODE", "submode"],
]);

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
    if (!Object.hasOwn(RULES, name)) return this.#wrong(name, `There is no field ${JSON.stringify(name)} to type.`);
    const { adif, read, what } = RULES[name]!;
    const said = plainText(value);
    if (said === null) return this.#set(adif, null);
    this.#setOr(name, adif, said === undefined ? null : read(said), `${JSON.stringify(value)} is no ${what}.`);
  }

  /** Mode and submode are one word in two fields. */
  readMode({ mode, submode }: TypedQso): void {
    if (mode === undefined && submode === undefined) return;
    const [main, detail] = [plainText(mode ?? null), plainText(submode ?? null)];
    if (main === undefined || detail === undefined) return this.#wrong("mode", "A mode is a word such as FT8 or SSB.");
    if (main === null && detail === null) {
      if (mode !== undefined) this.#set("MODE", null);
      return this.#set("SUBMODE", null);
    }
    const known = canonicalMode(main ?? undefined, detail ?? undefined);
    const isMain = main === null || isKnownMode(canonicalMode(main)!);
    if (!known || !isMain) return this.#wrong("mode", `${JSON.stringify(main)} is no mode.`);
    if (detail !== null && (!isKnownMode(known) || canonicalMode(detail)?.submode !== known.submode)) {
      return this.#wrong("submode", `${JSON.stringify(detail)} is no submode${main === null ? "" : ` of ${main}`}.`);
    }
    const { MODE = effectiveMode(known), SUBMODE = null } = exportMode(known.mode, known.submode);
    this.#set("MODE", MODE);
    this.#set("SUBMODE", SUBMODE);
  }

  #readFrequency(value: unknown): void {
    if (value === null || value === "") return this.#set("FREQ", null);
    const hertz = Number(value);
    const inBand = Number.isSafeInteger(hertz) && bandOf(hertz) !== null;
    const message = `${JSON.stringify(value)} is no frequency in hertz of an amateur band.`;
    this.#setOr("freqHz", "FREQ", inBand ? megahertz(hertz) : null, message);
  }

  #readTime(name: string, value: unknown, [date, time]: [string, string]): void {
    if (value === null || value === "") {
      this.#set(date, null);
      return this.#set(time, null);
    }
    const moment = readMoment(value, this.#now);
    if (typeof moment === "string") return this.#wrong(name, moment);
    this.#set(date, moment.date);
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
    if (!/^[A-Z][A-Z0-9_]{0,49}$/.test(adif)) return this.#wrong(path, `${JSON.stringify(adif)} is no name of ADIF.`);
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

/** Hertz in megahertz, as short as they can be said. */
export const megahertz = (hertz: number): string => {
  const [whole, parts] = [Math.floor(hertz / 1e6), hertz % 1e6];
  return parts === 0 ? String(whole) : `${whole}.${String(parts).padStart(6, "0").replace(/0+$/, "")}`;
};
