import {
  BAND,
  CALL,
  GRID,
  parseIota,
  LINE,
  MAX_TEXT_LENGTH,
  PROPAGATION,
  readContinent,
  readEntity,
  readPower,
  upper,
  WANTED_BAND,
  WANTED_CALL,
  WANTED_CODE,
  WANTED_ENTITY,
  WANTED_GROUP,
  WANTED_MODE,
  WANTED_OWN_ENTITY,
  WANTED_OWN_GRID,
  WANTED_TEXT,
  parseWatts,
  wholeNumber,
  type FilterRule,
  type TypingRule,
} from "./field-texts.ts";
import type { ModeGroup } from "../radio/mode.ts";
import { code, MAX_CODE_LENGTH, textOrNull } from "../../kernel/text.ts";

/** The type of a column. */
export interface Holds<Value> {
  kind: "text" | "number" | "integer" | "moment" | "flag";
  isNullable: boolean;
  /** Never set; carries the type for the compiler. */
  value?: Value;
}

/** The maximum length that rules and columns see. A longer text or list is cut; a longer code is ignored. */
export interface Length {
  most: number;
  beyond: "words" | "list" | "code";
}

/**
 * One field of a contact. Its column is its name in snake case. The column, view, JSON schema, input rules,
 * command-line options, forms, pages, filters and maximum length all follow from this entry.
 */
interface Field {
  holds: Holds<unknown>;
  /** The ADIF names under which it is typed and exported. They are not listed in `extra`. */
  adif?: readonly string[];
  /** Other ADIF names that rules read for it. */
  beside?: readonly string[];
  /** Applies to every text under those names. */
  length?: Length;
  /** How a text is read, for fields where the first readable value wins. */
  heard?: (text: string | undefined) => unknown;
  /** The label on pages. */
  label?: string;
  /** The rule for typed input, or "together" if several fields are checked at once. */
  typed?: TypingRule | "together";
  /** The label and position in the form. A field that is seldom typed is folded there. */
  form?: { label: string; place: number; isSeldom?: true };
  placeholder?: string;
  /** The command-line option and its description. */
  option?: readonly [usage: string, meaning: string];
  filter?: { name: string; rule: FilterRule<unknown>; values: string; meaning: string };
  /** Not returned to programs. */
  isHidden?: true;
}

const TEXT: Holds<string | null> = { kind: "text", isNullable: true };
const NUMBER: Holds<number | null> = { kind: "number", isNullable: true };
const MOMENT: Holds<number | null> = { kind: "moment", isNullable: true };
const FLAG: Holds<boolean> = { kind: "flag", isNullable: false };

const WORDS: Length = { most: MAX_TEXT_LENGTH, beyond: "words" };
const CODE: Length = { most: MAX_CODE_LENGTH, beyond: "code" };
const LIST: Length = { most: 2 * MAX_TEXT_LENGTH, beyond: "list" };

/** A line of text that is used unchanged. */
const line = (adif: string) =>
  ({ holds: TEXT, adif: [adif], length: WORDS, heard: textOrNull, typed: LINE }) as const satisfies Field;

/** A call, a name from a list or the like: if it is too long, it is ignored. */
const word = (adif: string) => ({ holds: TEXT, adif: [adif], length: CODE }) as const satisfies Field;

const number = (adif: string) => ({ holds: NUMBER, adif: [adif], length: CODE }) as const satisfies Field;

/** In display order. */
export const FIELDS = {
  call: {
    holds: { kind: "text", isNullable: false } as Holds<string>,
    adif: ["CALL"],
    length: CODE,
    typed: CALL,
    form: { label: "Callsign", place: 10 },
    filter: { name: "call", rule: WANTED_CALL, values: "calls", meaning: "these callsigns; * matches any characters" },
  },
  startedAt: {
    holds: { kind: "moment", isNullable: false } as Holds<number>,
    adif: ["QSO_DATE", "TIME_ON"],
    length: CODE,
    label: "Start",
    typed: "together",
    form: { label: "Start (UTC)", place: 20 },
    placeholder: "YYYY-MM-DD HH:MM",
    option: ["--time <utc>", 'start time, UTC: "2026-08-01 12:34"'],
  },
  endedAt: {
    holds: MOMENT,
    adif: ["QSO_DATE_OFF", "TIME_OFF"],
    length: CODE,
    label: "End",
    typed: "together",
    option: ["--end <utc>", "end time, UTC"],
  },
  band: {
    ...word("BAND"),
    label: "Band",
    typed: BAND,
    form: { label: "Band", place: 30 },
    option: ["--band <band>", "20m, 70cm …"],
    filter: { name: "band", rule: WANTED_BAND, values: "bands", meaning: "these bands" },
  },
  bandRx: { ...word("BAND_RX"), beside: ["FREQ_RX"], typed: BAND },
  freqHz: {
    ...number("FREQ"),
    label: "Frequency",
    typed: "together",
    form: { label: "Frequency (MHz)", place: 40 },
    option: ["--freq <mhz>", "frequency in MHz"],
  },
  /** Null if only the mode group is known. */
  mode: {
    ...word("MODE"),
    label: "Mode",
    typed: "together",
    form: { label: "Mode", place: 50 },
    option: ["--mode <mode>", "FT8, SSB, USB …"],
    filter: {
      name: "mode",
      rule: WANTED_MODE,
      values: "modes",
      meaning: "these modes; SSB means USB too, =SSB does not",
    },
  },
  submode: {
    ...word("SUBMODE"),
    typed: "together",
    form: { label: "Submode", place: 60, isSeldom: true },
    option: ["--submode <submode>", "ADIF submode"],
  },
  modeGroup: {
    holds: { kind: "text", isNullable: true } as Holds<ModeGroup | null>,
    filter: { name: "group", rule: WANTED_GROUP, values: "groups", meaning: "cw, phone, digital, image" },
  },
  stationCallsign: {
    ...word("STATION_CALLSIGN"),
    label: "Station callsign",
    typed: CALL,
    form: { label: "Station callsign", place: 90, isSeldom: true },
    option: ["--station <call>", "your station callsign"],
    filter: { name: "station", rule: WANTED_CALL, values: "calls", meaning: "these station callsigns" },
  },
  operator: {
    ...word("OPERATOR"),
    label: "Operator",
    typed: CALL,
    option: ["--operator <call>", "the operator's callsign"],
  },
  rstSent: {
    ...line("RST_SENT"),
    label: "RST sent",
    form: { label: "RST sent", place: 70 },
    option: ["--rst-sent <rst>", "report sent"],
  },
  rstRcvd: {
    ...line("RST_RCVD"),
    form: { label: "RST received", place: 80 },
    option: ["--rst-rcvd <rst>", "report received"],
  },
  /** Null if the station was in no entity or the entity is unknown. */
  dxcc: {
    ...number("DXCC"),
    label: "Entity",
    typed: { read: readEntity, what: "a DXCC entity number; 0 means none" },
    form: { label: "DXCC entity number", place: 140, isSeldom: true },
    option: ["--dxcc <number>", "DXCC entity number, 0 for none"],
    filter: { name: "dxcc", rule: WANTED_ENTITY, values: "numbers", meaning: "these DXCC entity numbers, or none" },
  },
  continent: {
    ...word("CONT"),
    typed: { read: readContinent, what: "a continent; use AF, AN, AS, EU, NA, OC or SA" },
  },
  cqZone: {
    ...number("CQZ"),
    label: "CQ zone",
    typed: { read: wholeNumber(1, 40), what: "a CQ zone; use 1 to 40" },
    option: ["--cq-zone <zone>", "CQ zone"],
  },
  ituZone: {
    ...number("ITUZ"),
    label: "ITU zone",
    typed: { read: wholeNumber(1, 90), what: "an ITU zone; use 1 to 90" },
    option: ["--itu-zone <zone>", "ITU zone"],
  },
  prefix: { holds: TEXT, beside: ["PFX"], length: CODE },
  state: {
    ...word("STATE"),
    label: "State",
    typed: { read: upper(/^[A-Z0-9-]{1,10}$/), what: "a state or province; use its abbreviation" },
    form: { label: "State", place: 130, isSeldom: true },
    option: ["--state <state>", "state or province"],
    filter: { name: "state", rule: WANTED_CODE, values: "states", meaning: "these states" },
  },
  county: { ...line("CNTY"), label: "County", option: ["--county <county>", "county"] },
  gridsquare: {
    ...word("GRIDSQUARE"),
    label: "Grid square",
    typed: { read: upper(GRID), what: "a grid square of 2, 4, 6, 8 or 10 characters" },
    form: { label: "Grid square", place: 120 },
    option: ["--grid <square>", "the other station's grid square"],
    filter: {
      name: "grid",
      rule: WANTED_TEXT,
      values: "squares",
      meaning: "grid squares that begin like one of these",
    },
  },
  iota: {
    ...word("IOTA"),
    heard: parseIota,
    label: "IOTA",
    typed: { read: upper(/^(AF|AN|AS|EU|NA|OC|SA)-(?!000)\d{3}$/), what: "an IOTA reference such as EU-005" },
    form: { label: "IOTA", place: 150, isSeldom: true },
    option: ["--iota <reference>", "IOTA reference"],
  },
  name: {
    ...line("NAME"),
    label: "Name",
    form: { label: "Name", place: 100 },
    option: ["--name <name>", "the other operator's name"],
    filter: { name: "name", rule: WANTED_TEXT, values: "names", meaning: "names with one of these texts" },
  },
  qth: {
    ...line("QTH"),
    label: "QTH",
    form: { label: "QTH", place: 110 },
    option: ["--qth <place>", "the other station's place"],
    filter: { name: "qth", rule: WANTED_TEXT, values: "places", meaning: "QTHs with one of these texts" },
  },
  satName: {
    ...word("SAT_NAME"),
    heard: code,
    label: "Satellite",
    typed: { read: upper(/^[A-Z0-9 /.-]{1,30}$/), what: "the name of a satellite" },
    option: ["--sat <name>", "satellite"],
  },
  propMode: {
    ...word("PROP_MODE"),
    label: "Propagation",
    typed: { read: upper(PROPAGATION), what: "an ADIF propagation mode" },
    option: ["--prop <propagation>", "ADIF propagation mode"],
  },
  txPower: {
    ...number("TX_PWR"),
    heard: parseWatts,
    label: "Power",
    typed: { read: readPower, what: "a power in watts" },
    option: ["--power <watts>", "power in watts"],
  },
  contestId: {
    ...word("CONTEST_ID"),
    heard: code,
    label: "Contest",
    typed: {
      read: upper(/^[A-Z0-9][A-Z0-9 _./-]{0,63}$/),
      what: "a contest; use its ADIF contest ID, such as CQ-WW-CW",
    },
    form: { label: "Contest", place: 160, isSeldom: true },
    option: ["--contest <id>", "ADIF contest ID, such as CQ-WW-CW"],
    filter: { name: "contest", rule: WANTED_CODE, values: "ids", meaning: "these contests" },
  },
  comment: {
    ...line("COMMENT"),
    label: "Comment",
    form: { label: "Comment", place: 170 },
    option: ["--comment <text>", "comment"],
    filter: { name: "comment", rule: WANTED_TEXT, values: "texts", meaning: "comments with one of these texts" },
  },
  year: { holds: { kind: "integer", isNullable: false } as Holds<number> },
  firstId: { holds: TEXT, isHidden: true },
  firstConfirmed: { holds: FLAG, isHidden: true },
  firstConfirmedAt: { holds: MOMENT, isHidden: true },
  secondId: { holds: TEXT, isHidden: true },
  secondConfirmed: { holds: FLAG, isHidden: true },
  secondConfirmedAt: { holds: MOMENT, isHidden: true },
  cardConfirmed: {
    holds: FLAG,
    adif: ["QSL_RCVD", "QSLRDATE"],
    beside: ["QSL_RCVD_VIA"],
    length: CODE,
    isHidden: true,
  },
  /** What the contact counts for, derived when it is written. Null if it counts for nothing. */
  awardEntity: { holds: NUMBER, isHidden: true },
  awardState: { holds: TEXT, isHidden: true },
  awardZone: { holds: NUMBER, isHidden: true },
  /** Four-character squares, separated by commas. */
  awardGrids: { holds: TEXT, beside: ["VUCC_GRIDS"], length: LIST, isHidden: true },
  /** What the first service's confirmation itself says, for awards that accept nothing else. */
  firstEntity: { holds: NUMBER, isHidden: true },
  firstState: { holds: TEXT, isHidden: true },
  firstZone: { holds: NUMBER, isHidden: true },
  firstGrids: { holds: TEXT, isHidden: true },
  /** Where the contact was made from; 0 at sea or in the air. */
  ownEntity: {
    holds: NUMBER,
    beside: ["MY_DXCC"],
    length: CODE,
    isHidden: true,
    filter: {
      name: "ownDxcc",
      rule: WANTED_OWN_ENTITY,
      values: "numbers",
      meaning: "made from these DXCC entities, or unknown",
    },
  },
  ownGrid: {
    holds: TEXT,
    beside: ["MY_GRIDSQUARE"],
    length: CODE,
    isHidden: true,
    filter: {
      name: "ownGrid",
      rule: WANTED_OWN_GRID,
      values: "squares",
      meaning: "made from these grid squares, or unknown",
    },
  },
  /** Whether both sides reported the same mode; null if the first service did not say. */
  twoWay: {
    holds: { kind: "flag", isNullable: true } as Holds<boolean | null>,
  },
  /** Credits that a sponsor granted, as an ADIF list. */
  credits: { holds: TEXT, length: LIST },
} as const satisfies Record<string, Field>;

type Fields = typeof FIELDS;
export type FieldName = keyof Fields;

/** The names of the fields whose entry has this property. */
export type FieldsThat<Say extends keyof Field> = {
  [Name in FieldName]: Say extends keyof Fields[Name] ? Name : never;
}[FieldName];

export type ValueOf<Name extends FieldName> = Fields[Name]["holds"] extends Holds<infer Value> ? Value : never;

type FilterOf<Name extends FieldsThat<"filter">> = Fields[Name]["filter"];

/** For each filterable field the accepted values; any of them matches. */
export type FieldFilters = {
  [Name in FieldsThat<"filter"> as FilterOf<Name>["name"]]?: FilterOf<Name>["rule"] extends FilterRule<infer Value>
    ? readonly Value[]
    : never;
};

/** Fields that programs get unchanged. */
export type PlainName = Exclude<FieldName, FieldsThat<"isHidden">>;

export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

export const isField = (name: string): name is FieldName => Object.hasOwn(FIELDS, name);

/** The entry with its general type. */
export const getField = (name: FieldName): Field => FIELDS[name];

/** The names of the fields whose entry has this property, in order. */
export const listFieldsWith = <Say extends keyof Field>(say: Say): FieldsThat<Say>[] =>
  FIELD_NAMES.filter((name) => say in FIELDS[name]) as FieldsThat<Say>[];

export const PLAIN_NAMES = FIELD_NAMES.filter((name) => !getField(name).isHidden) as PlainName[];
