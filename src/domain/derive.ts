import type { AdifRecord, Fields } from "./adif-record.ts";
import { parseBand, parseFrequency, resolveBand } from "./band.ts";
import { entityOf, isValidOn, NO_ENTITY } from "./entity.ts";
import { parseDate, parseInstant, parseTimestamp, type Instant } from "./instant.ts";
import { isConfirming, type Layers } from "./layers.ts";
import { canonicalMode, effectiveMode, type Mode } from "./mode.ts";
import type { Derived } from "./qso.ts";
import { cqZoneOfState } from "./state-zones.ts";
import { awardState } from "./us-states.ts";
import { told, word } from "./words.ts";

/** Raised whenever the rules below change what they give, so that kept rows are derived again. */
export const RULES_VERSION = 1;

/** What is known of callsigns, handed in because it lives in large tables. */
export interface CallFacts {
  normalise(call: string): string;
  prefix(call: string): string | null;
  isMobile(call: string): boolean;
  locate(
    call: string,
    at: number,
  ): { dxcc: number; cqZone: number | null; ituZone: number | null; continent: string } | null;
}

/**
 * The columns of a contact from what each origin said: typed, then file, then the more exact of the two services, then
 * the first, then the second. Null where no origin says call and time.
 */
export const derive = (layers: Layers, facts: CallFacts): Derived | null => {
  const voices = new Voices(layers);
  const rawCall = voices.say("CALL");
  const start = voices.start();
  if (rawCall === null || start === null) return null;
  const call = facts.normalise(rawCall);
  const at = start.at;
  const mobile = facts.isMobile(call);
  const place = locate(voices, facts, call, at);
  const mode = voices.mode();
  const gridsquare = voices.grid();
  const state = upper(voices.say("STATE"));
  const first = firstConfirmation(layers);
  const second = secondConfirmation(layers);
  const file = layers.own?.file;
  return {
    call,
    startedAt: at,
    endedAt: endOf(voices, at),
    ...voices.frequency(),
    mode: mode && (mode.mode ?? effectiveMode(mode)),
    submode: mode?.submode ?? null,
    modeGroup: mode?.group ?? null,
    stationCallsign: normalised(voices.say("STATION_CALLSIGN") ?? voices.say("APP_LOTW_OWNCALL"), facts),
    operator: normalised(voices.say("OPERATOR"), facts),
    rstSent: voices.say("RST_SENT"),
    rstRcvd: voices.say("RST_RCVD"),
    ...place,
    prefix: mobile ? null : (upper(layers.first?.qsl?.fields.PFX) ?? facts.prefix(call)),
    state,
    county: voices.say("CNTY"),
    gridsquare,
    iota: iotaOf(voices.say("IOTA")),
    name: voices.say("NAME"),
    qth: voices.say("QTH"),
    comment: voices.say("COMMENT"),
    propMode: upper(voices.say("PROP_MODE")),
    satName: upper(voices.say("SAT_NAME")),
    txPower: powerOf(voices.say("TX_PWR")),
    year: new Date(at).getUTCFullYear(),
    firstId: firstIdOf(layers.first?.qso ?? layers.first?.qsl ?? (isFirstFile(layers) ? file : undefined)),
    ...first,
    secondId: secondIdOf(layers.second ?? undefined) ?? secondIdOf(file),
    ...second,
    cardConfirmed: cardConfirmed(layers),
    ...awardKeys(layers, {
      at,
      mobile,
      dxcc: place.dxcc,
      cqZone: place.cqZone,
      state,
      gridsquare,
      vuccGrids: voices.say("VUCC_GRIDS"),
    }),
  };
};

/** The first service names no ids: its own word for the contact, to the second, tells two of them apart. */
export const firstIdOf = (record: AdifRecord | undefined): string | null => {
  if (!record) return null;
  const { fields } = record;
  const stamp = fields.APP_LOTW_QSO_TIMESTAMP ?? `${fields.QSO_DATE}T${fields.TIME_ON}`;
  const own = fields.STATION_CALLSIGN ?? fields.APP_LOTW_OWNCALL;
  const mode = fields.MODE ?? fields.APP_LOTW_MODE ?? fields.APP_LOTW_MODEGROUP;
  const parts = [own, fields.CALL, fields.BAND, stamp, mode, fields.SUBMODE, fields.SAT_NAME];
  return parts.map(word).join("|");
};

/** The second service numbers its records. */
export const secondIdOf = (record: AdifRecord | undefined): string | null => told(record?.fields.APP_QRZLOG_LOGID);

/** The origins in the order in which they are believed. */
class Voices {
  readonly #own: Fields[] = [];
  readonly #services: Fields[] = [];
  readonly #all: Fields[];

  constructor({ own, first, second }: Layers) {
    if (own?.typed) this.#own.push(own.typed);
    if (own?.file) this.#own.push(own.file.fields);
    if (first?.qsl) this.#services.push(first.qsl.fields);
    if (first?.qso) this.#services.push(first.qso.fields);
    if (second) this.#services.push(second.fields);
    this.#all = [...this.#own, ...this.#services];
  }

  say(name: string): string | null {
    for (const fields of this.#all) {
      const text = told(fields[name]);
      if (text !== null && !isPlaceholder(name, text)) return text;
    }
    return null;
  }

  /** The first date anybody gives with its time; of the services the one that knows the seconds. */
  start(): Instant | null {
    const own = firstOf(this.#own, startOf);
    if (own) return own;
    return firstOf(this.#services, exactStartOf) ?? firstOf(this.#services, startOf);
  }

  /** Of the services' modes the more specific one, where both mean the same. */
  mode(): Mode | null {
    const own = firstOf(this.#own, modeOf);
    if (own) return own;
    let best: Mode | null = null;
    for (const fields of this.#services) {
      const said = modeOf(fields);
      if (said && (best === null || isNarrower(said, best))) best = said;
    }
    return best;
  }

  /** Band and frequency of the same voice, so that they agree. */
  frequency(): Pick<Derived, "band" | "freqHz" | "bandRx"> {
    const teller = this.#all.find(({ BAND, FREQ }) => told(BAND) !== null || told(FREQ) !== null) ?? {};
    const { band, disagrees } = resolveBand(teller.BAND, teller.FREQ);
    const said = parseFrequency(teller.FREQ ?? undefined);
    const other = firstOf(this.#all, ({ FREQ }) => {
      const freqHz = parseFrequency(FREQ);
      return freqHz !== null && resolveBand(undefined, FREQ).band === band ? freqHz : null;
    });
    const bandRx =
      parseBand(this.say("BAND_RX") ?? undefined) ?? resolveBand(undefined, this.say("FREQ_RX") ?? undefined).band;
    return { band, freqHz: said !== null && !disagrees ? said : band === null ? said : other, bandRx };
  }

  /** The owner's grid, else the longer of two that mean the same square. */
  grid(): string | null {
    const own = firstOf(this.#own, gridOf);
    let best = own;
    for (const fields of this.#services) {
      const grid = gridOf(fields);
      if (grid && (best === null || (own === null && grid.length > best.length && grid.startsWith(best)))) best = grid;
    }
    return best;
  }
}

const firstOf = <T>(voices: readonly Fields[], ask: (fields: Fields) => T | null): T | null => {
  for (const fields of voices) {
    const answer = ask(fields);
    if (answer !== null) return answer;
  }
  return null;
};

const startOf = ({ QSO_DATE, TIME_ON }: Fields) => parseInstant(QSO_DATE, TIME_ON);

const exactStartOf = (fields: Fields) => {
  const start = startOf(fields);
  return start?.exact ? start : null;
};

const modeOf = (fields: Fields): Mode | null =>
  canonicalMode(told(fields.MODE) ?? told(fields.APP_LOTW_MODE) ?? fields.APP_LOTW_MODEGROUP, fields.SUBMODE);

const isNarrower = (said: Mode, known: Mode): boolean => {
  if (said.group !== known.group || said.generic) return false;
  return known.generic || (said.mode === known.mode && known.submode === null && said.submode !== null);
};

const GRID = /^[A-R]{2}(\d{2}([A-X]{2}(\d{2}([A-X]{2})?)?)?)?$/;

const gridOf = ({ GRIDSQUARE }: Fields): string | null => {
  const grid = word(GRIDSQUARE);
  return grid !== "" && GRID.test(grid) ? grid : null;
};

const isPlaceholder = (name: string, text: string): boolean =>
  (name === "IOTA" && /^none$/i.test(text)) || /^0{8}$/.test(text);

const upper = (text: string | null | undefined): string | null => (text ? text.trim().toUpperCase() || null : null);

const normalised = (call: string | null, facts: CallFacts): string | null =>
  call === null ? null : facts.normalise(call);

const endOf = (voices: Voices, start: number): number | null => {
  const time = voices.say("TIME_OFF");
  if (time === null) return null;
  const date = voices.say("QSO_DATE_OFF") ?? voices.say("QSO_DATE");
  const end = parseInstant(date ?? undefined, time);
  if (end === null) return null;
  const sameMinute = Math.floor(end.at / 60_000) === Math.floor(start / 60_000);
  return end.at >= start ? end.at : sameMinute ? start : null;
};

const IOTA = /^(AF|AN|AS|EU|NA|OC|SA)-?(\d{1,3})$/;

const iotaOf = (text: string | null): string | null => {
  const parts = IOTA.exec(text?.toUpperCase() ?? "");
  if (!parts || Number(parts[2]) === 0 || (parts[2]!.length < 3 && !/-/.test(text!))) return null;
  return parts[2]!.length === 3 ? `${parts[1]}-${parts[2]}` : null;
};

const powerOf = (text: string | null): number | null => {
  const watts = Number(text?.replace(",", "."));
  return text !== null && Number.isFinite(watts) && watts >= 0 ? watts : null;
};

const zoneOf = (text: string | null | undefined, highest: number): number | null => {
  const zone = Number(text);
  return text && Number.isInteger(zone) && zone >= 1 && zone <= highest ? zone : null;
};

const dxccOf = (text: string | null | undefined): number | null => {
  const number = Number(text);
  return text && Number.isInteger(number) && number >= 0 ? number : null;
};

/** The record's own number first; the callsign only fills gaps. A zone of the US comes from the state. */
const locate = (voices: Voices, facts: CallFacts, call: string, at: number) => {
  const said = dxccOf(voices.say("DXCC"));
  const found = said === NO_ENTITY ? null : facts.locate(call, at);
  const dxcc = said === NO_ENTITY ? null : (said ?? found?.dxcc ?? null);
  const fits = found !== null && found.dxcc === dxcc ? found : null;
  const entity = dxcc === null ? null : entityOf(dxcc);
  const state = upper(voices.say("STATE"));
  return {
    dxcc,
    continent: continentOf(voices.say("CONT")) ?? fits?.continent ?? entity?.continent ?? null,
    cqZone: zoneOf(voices.say("CQZ"), 40) ?? cqZoneOfState(dxcc, state) ?? fits?.cqZone ?? entity?.cqZone ?? null,
    ituZone: zoneOf(voices.say("ITUZ"), 90) ?? fits?.ituZone ?? entity?.ituZone ?? null,
  };
};

const continentOf = (text: string | null): string | null => {
  const continent = upper(text);
  return continent && /^(AF|AN|AS|EU|NA|OC|SA)$/.test(continent) ? continent : null;
};

const LOTW = /^lotw$/i;

/** The file spoke for the first service if that service wrote it. */
export const isFirstFile = ({ own }: Layers): boolean => LOTW.test(own?.file?.program ?? "");

const firstConfirmation = (layers: Layers): Pick<Derived, "firstConfirmed" | "firstConfirmedAt"> => {
  const records = [layers.first?.qsl, layers.first?.qso, isFirstFile(layers) ? layers.own?.file : undefined];
  for (const record of records) {
    if (record && isConfirming(record.fields.QSL_RCVD))
      return { firstConfirmed: true, firstConfirmedAt: firstTime(record) };
  }
  for (const fields of [layers.own?.typed, layers.own?.file?.fields]) {
    if (fields && isConfirming(fields.LOTW_QSL_RCVD)) {
      return { firstConfirmed: true, firstConfirmedAt: parseDate(fields.LOTW_QSLRDATE) };
    }
  }
  return { firstConfirmed: false, firstConfirmedAt: null };
};

const firstTime = ({ fields }: AdifRecord): number | null =>
  parseTimestamp(fields.APP_LOTW_RXQSL) ?? parseDate(fields.QSLRDATE);

const secondConfirmation = (layers: Layers): Pick<Derived, "secondConfirmed" | "secondConfirmedAt"> => {
  const fields = layers.second?.fields.APP_QRZLOG_STATUS ? layers.second.fields : layers.own?.file?.fields;
  const confirmed = word(fields?.APP_QRZLOG_STATUS) === "C";
  return { secondConfirmed: confirmed, secondConfirmedAt: confirmed ? parseDate(fields?.APP_QRZLOG_QSLDATE) : null };
};

/** Paper, as the owner says it. The services use the same field for themselves. */
const cardConfirmed = (layers: Layers): boolean => {
  const typed = layers.own?.typed?.QSL_RCVD;
  if (typed !== undefined) return isConfirming(typed);
  return !isFirstFile(layers) && isConfirming(layers.own?.file?.fields.QSL_RCVD);
};

interface Counted {
  at: number;
  mobile: boolean;
  dxcc: number | null;
  cqZone: number | null;
  state: string | null;
  gridsquare: string | null;
  vuccGrids: string | null;
}

type AwardKeys = Pick<
  Derived,
  | "awardEntity"
  | "awardState"
  | "awardZone"
  | "awardGrids"
  | "firstEntity"
  | "firstState"
  | "firstZone"
  | "firstGrids"
  | "twoWay"
  | "credits"
>;

const awardKeys = (layers: Layers, contact: Counted): AwardKeys => {
  const { at, mobile, dxcc, cqZone, state, gridsquare, vuccGrids } = contact;
  const qsl = confirmedDetail(layers);
  const firstDxcc = dxccOf(told(qsl?.DXCC));
  const firstEntity = qsl && !mobile ? (firstDxcc ?? dxcc) : null;
  const twoWay = word(qsl?.APP_LOTW_2XQSL);
  return {
    awardEntity: mobile || dxcc === null || !isValidOn(dxcc, at) ? null : dxcc,
    awardState: mobile ? null : awardState(dxcc, state, at),
    awardZone: mobile ? null : cqZone,
    awardGrids: squaresOf(vuccGrids, gridsquare),
    firstEntity: firstEntity === null || !isValidOn(firstEntity, at) ? null : firstEntity,
    firstState: qsl && !mobile ? awardState(firstEntity, told(qsl.STATE), at) : null,
    firstZone: qsl && !mobile ? zoneOf(told(qsl.CQZ), 40) : null,
    firstGrids: qsl ? squaresOf(told(qsl.VUCC_GRIDS), gridOf(qsl)) : null,
    twoWay: twoWay === "" ? null : twoWay === "Y",
    credits: creditsOf(layers),
  };
};

/** The confirming record of the first service, wherever it came from. */
const confirmedDetail = (layers: Layers): Fields | null => {
  const records = [layers.first?.qsl, layers.first?.qso, isFirstFile(layers) ? layers.own?.file : undefined];
  return records.find((record) => record && isConfirming(record.fields.QSL_RCVD))?.fields ?? null;
};

/** A list of grids replaces the grid: a contact on a line counts for each square it touches. */
const squaresOf = (vuccGrids: string | null, gridsquare: string | null): string | null => {
  const listed = (vuccGrids ?? "")
    .toUpperCase()
    .split(",")
    .map((grid) => grid.trim())
    .filter((grid) => grid.length >= 4 && GRID.test(grid))
    .map((grid) => grid.slice(0, 4));
  if (listed.length > 0) return [...new Set(listed)].sort().join(",");
  return gridsquare !== null && gridsquare.length >= 4 ? gridsquare.slice(0, 4) : null;
};

const creditsOf = (layers: Layers): string | null => {
  const records = [layers.first?.qsl, layers.first?.qso, layers.own?.file];
  const granted = records
    .flatMap((record) => [record?.fields.APP_LOTW_CREDIT_GRANTED, record?.fields.CREDIT_GRANTED])
    .flatMap((list) => (list ?? "").toUpperCase().split(","))
    .map((credit) => credit.trim())
    .filter((credit) => credit !== "");
  return granted.length === 0 ? null : [...new Set(granted)].sort().join(",");
};
