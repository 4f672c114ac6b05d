import fc from "fast-check";
import type { AdifRecord, Fields } from "../../src/domain/contact/adif-record.ts";
import { formatAdifDate, formatAdifTime } from "../../src/kernel/instant.ts";
import { NO_LAYERS, type Layers } from "../../src/domain/contact/layers.ts";
import { firstOrigin } from "../../src/domain/origins/first.ts";
import { secondOrigin } from "../../src/domain/origins/second.ts";
import { ownerOrigin, setTyped } from "../../src/domain/origins/owner.ts";

/** A contact as tests describe it; omitted values are the usual ones. */
export interface Contact {
  own?: string;
  call?: string;
  band?: string;
  /** MHz. */
  freq?: string;
  mode?: string;
  submode?: string;
  at?: number;
  confirmed?: boolean;
  confirmedAt?: number;
  dxcc?: number;
  state?: string;
  grid?: string;
  logid?: number;
  /** Fields in the origin's spelling; null omits one. */
  fields?: Record<string, string | null>;
}

export const CONTACT_AT = Date.UTC(2026, 6, 18, 1, 43, 45);
export const CONFIRMED_AT = Date.UTC(2026, 6, 31, 23, 31, 22);

/** A record of the first service: six-digit times, upper case, its own timestamps, the partner's details. */
export const aFirstRecord = ({ fields, ...contact }: Contact = {}): AdifRecord => {
  const { own = "YU1TEST", call = "K9XYZ", band = "20m", mode = "CW", at = CONTACT_AT } = contact;
  const { confirmed = true, confirmedAt = CONFIRMED_AT, dxcc = 291, state = "WI", grid = "EN34QU" } = contact;
  const stamp = (moment: number) => new Date(moment).toISOString().slice(0, 19);
  return asRecord({
    APP_LOTW_OWNCALL: own,
    STATION_CALLSIGN: own,
    CALL: call,
    BAND: band.toUpperCase(),
    FREQ: contact.freq,
    MODE: mode,
    SUBMODE: contact.submode,
    QSO_DATE: formatAdifDate(at),
    TIME_ON: formatAdifTime(at, true),
    APP_LOTW_QSO_TIMESTAMP: `${stamp(at)}Z`,
    QSL_RCVD: confirmed ? "Y" : "N",
    ...(confirmed && {
      QSLRDATE: formatAdifDate(confirmedAt),
      APP_LOTW_RXQSL: stamp(confirmedAt).replace("T", " "),
      DXCC: String(dxcc),
      APP_LOTW_2XQSL: "Y",
      GRIDSQUARE: grid,
      STATE: state,
    }),
    ...fields,
  });
};

/** A record of the second service: four-digit times, plain submodes, a logid. */
export const aSecondRecord = ({ fields, ...contact }: Contact = {}): AdifRecord => {
  const { own = "YU1TEST", call = "K9XYZ", band = "20m", mode = "CW", at = CONTACT_AT } = contact;
  const { confirmed = false, confirmedAt = CONFIRMED_AT, dxcc = 291, logid = 554_632_041 } = contact;
  return asRecord({
    APP_QRZLOG_LOGID: String(logid),
    APP_QRZLOG_STATUS: confirmed ? "C" : "N",
    APP_QRZLOG_QSLDATE: confirmed ? formatAdifDate(confirmedAt) : undefined,
    STATION_CALLSIGN: own,
    CALL: call,
    BAND: band,
    FREQ: contact.freq,
    MODE: contact.submode ?? mode,
    QSO_DATE: formatAdifDate(at),
    TIME_ON: formatAdifTime(at, false),
    DXCC: String(dxcc),
    GRIDSQUARE: contact.grid,
    STATE: contact.state,
    QSL_RCVD: "N",
    LOTW_QSL_RCVD: "N",
    LOTW_QSLRDATE: "00000000",
    IOTA: "none",
    ...fields,
  });
};

/** A record of a logging program: only what the operator knows. Confirmed means by the first service. */
export const aFileRecord = ({ fields, ...contact }: Contact = {}): AdifRecord => {
  const { own = "YU1TEST", call = "K9XYZ", band = "20m", mode = "CW", at = CONTACT_AT, confirmed } = contact;
  return asRecord({
    STATION_CALLSIGN: own,
    CALL: call,
    BAND: band,
    FREQ: contact.freq,
    MODE: mode,
    SUBMODE: contact.submode,
    QSO_DATE: formatAdifDate(at),
    TIME_ON: formatAdifTime(at, true),
    DXCC: contact.dxcc === undefined ? undefined : String(contact.dxcc),
    STATE: contact.state,
    GRIDSQUARE: contact.grid,
    LOTW_QSL_RCVD: confirmed ? "Y" : undefined,
    LOTW_QSLRDATE: confirmed ? formatAdifDate(contact.confirmedAt ?? CONFIRMED_AT) : undefined,
    ...fields,
  });
};

const asRecord = (fields: Record<string, string | null | undefined>): AdifRecord => ({
  fields: Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] != null)),
});

/** The records of each origin, merged one after the other. */
export interface Said {
  typed?: Fields;
  file?: AdifRecord & { program?: string };
  qso?: AdifRecord;
  qsl?: AdifRecord;
  second?: AdifRecord;
}

export const theLayers = ({ typed, file, qso, qsl, second }: Said): Layers => {
  let layers = NO_LAYERS;
  if (file) layers = ownerOrigin.merge(layers, file);
  if (qso) layers = firstOrigin.merge(layers, qso, "qso");
  if (qsl) layers = firstOrigin.merge(layers, qsl, "qsl");
  if (second) layers = secondOrigin.merge(layers, second);
  return typed ? setTyped(layers, typed) : layers;
};

/** Every field that a column is derived from. */
export const HEARD_FIELDS = (
  "CALL QSO_DATE TIME_ON QSO_DATE_OFF TIME_OFF BAND FREQ BAND_RX FREQ_RX MODE SUBMODE APP_LOTW_MODE APP_LOTW_MODEGROUP " +
  "STATION_CALLSIGN APP_LOTW_OWNCALL OPERATOR RST_SENT RST_RCVD DXCC CONT CQZ ITUZ PFX STATE CNTY GRIDSQUARE VUCC_GRIDS " +
  "IOTA NAME QTH COMMENT PROP_MODE SAT_NAME TX_PWR QSL_RCVD QSLRDATE LOTW_QSL_RCVD LOTW_QSLRDATE APP_LOTW_RXQSL " +
  "APP_LOTW_2XQSL APP_LOTW_QSO_TIMESTAMP APP_QRZLOG_LOGID APP_QRZLOG_STATUS APP_QRZLOG_QSLDATE CREDIT_GRANTED " +
  "APP_LOTW_CREDIT_GRANTED"
).split(" ");

const USUAL: Record<string, readonly string[]> = {
  CALL: ["K9XYZ", "K9XYZ/MM", "PJ2/K9XYZ", "W1AW_P", "4U1ITU"],
  QSO_DATE: ["20260718", "19590102", "20261231"],
  TIME_ON: ["0143", "014345", "2359"],
  TIME_OFF: ["0144", "000100", "2359"],
  BAND: ["20M", "70cm", "60m"],
  FREQ: ["14.074", "7,1", "13.9", "432.1"],
  MODE: ["CW", "DATA", "MFSK", "FT8", "USB", "SSB"],
  SUBMODE: ["FT4", "USB"],
  DXCC: ["291", "6", "110", "150", "0", "522", "999"],
  STATE: ["WI", "DC", "AK", "WA"],
  CQZ: ["04", "5", "41"],
  GRIDSQUARE: ["EN34", "EN34QU", "EN52", "JJ"],
  VUCC_GRIDS: ["EN52,EN53", "EN52en,EN53fa"],
  IOTA: ["none", "EU-005"],
  QSL_RCVD: ["Y", "N", "V", "R"],
  LOTW_QSL_RCVD: ["Y", "N", "V"],
  APP_QRZLOG_STATUS: ["C", "N", "2", "S", "V"],
  QSLRDATE: ["20260731", "00000000"],
  APP_LOTW_2XQSL: ["Y", "N"],
  CREDIT_GRANTED: ["DXCC", "IOTA,WAS:LOTW&CARD"],
};

const HOSTILE = [
  "",
  " ",
  "\0",
  "00000000",
  "1e308",
  "9".repeat(400),
  "-1",
  "NaN",
  "constructor",
  "__proto__",
  "ß".repeat(80),
  "\ud800",
];

const aValue = (name: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...(USUAL[name] ?? ["A1", "2", "EU"])) },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  );

/** Records with relevant fields, mostly valid. */
export const anyFields = (names: readonly string[] = HEARD_FIELDS): fc.Arbitrary<Fields> =>
  fc
    .record(Object.fromEntries(names.map((name) => [name, aValue(name)])), { requiredKeys: [] })
    .map((fields) => ({ ...fields }) as Fields);

export const anyRecord = (): fc.Arbitrary<AdifRecord> => anyFields().map((fields) => ({ fields }));

/** A record of one origin as a function that adds it to the layers. */
export type Word = (layers: Layers) => Layers;

export const ofTyped = (): fc.Arbitrary<Word> => anyFields().map((fields) => (layers) => setTyped(layers, fields));
export const ofFile = (): fc.Arbitrary<Word> =>
  fc.tuple(anyRecord(), fc.constantFrom(undefined, "LoTW", "Logger")).map(
    ([record, program]) =>
      (layers) =>
        ownerOrigin.merge(layers, program ? { ...record, program } : record),
  );
export const ofFirst = (): fc.Arbitrary<Word> =>
  fc.tuple(anyRecord(), fc.constantFrom("qso" as const, "qsl" as const)).map(
    ([record, part]) =>
      (layers) =>
        firstOrigin.merge(layers, record, part),
  );
export const ofSecond = (): fc.Arbitrary<Word> =>
  anyRecord().map((record) => (layers) => secondOrigin.merge(layers, record));

export const anyWord = (): fc.Arbitrary<Word> => fc.oneof(ofTyped(), ofFile(), ofFirst(), ofSecond());

export const anyLayers = (): fc.Arbitrary<Layers> =>
  fc.array(anyWord(), { maxLength: 6 }).map((words) => words.reduce((layers, word) => word(layers), NO_LAYERS));
