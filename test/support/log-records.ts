import { findWpxPrefix } from "../../src/callsign/prefix.ts";
import type { AdifRecord, Fields } from "../../src/domain/contact/adif-record.ts";
import type { CallFacts } from "../../src/domain/radio/call-facts.ts";
import { formatAdifDate, formatAdifTime } from "../../src/kernel/instant.ts";
import { NO_LAYERS, type Layers } from "../../src/domain/contact/layers.ts";
import { firstOrigin } from "../../src/domain/origins/first.ts";
import { secondOrigin } from "../../src/domain/origins/second.ts";
import { ownerOrigin } from "../../src/domain/origins/owner.ts";
import type { Contact } from "./log-generator.ts";

export const HOME = { call: "YU1TEST", dxcc: 296, country: "SERBIA", grid: "KN04FT", cqZone: 15, ituZone: 28 };

/** A record of a logging program. */
export const asFile = (contact: Contact): AdifRecord => {
  const { partner, at, band, freqMhz, mode, submode, station, satellite, hasCard } = contact;
  const fields: Fields = {
    CALL: partner.call,
    QSO_DATE: formatAdifDate(at),
    TIME_ON: formatAdifTime(at, true),
    TIME_OFF: formatAdifTime(at + 60_000, true),
    BAND: band,
    FREQ: freqMhz,
    MODE: mode,
    RST_SENT: reportOf(contact),
    RST_RCVD: reportOf(contact),
    STATION_CALLSIGN: station,
    DXCC: String(partner.dxcc),
    GRIDSQUARE: partner.grid,
    NAME: partner.name,
    QTH: partner.qth,
  };
  return {
    fields: given({
      ...fields,
      SUBMODE: submode,
      STATE: partner.state,
      IOTA: partner.iota,
      ...flight(satellite),
      QSL_RCVD: hasCard ? "Y" : null,
    }),
  };
};

/** A record of the first service: complete if confirmed, otherwise short. */
export const asFirst = (contact: Contact): AdifRecord => {
  const { partner, at, band, freqMhz, mode, submode, group, station, satellite, isConfirmedByFirst } = contact;
  const heard = stamp(at + 3_600_000);
  const own = {
    APP_LOTW_OWNCALL: station,
    STATION_CALLSIGN: station,
    MY_DXCC: String(HOME.dxcc),
    MY_COUNTRY: HOME.country,
    APP_LOTW_MY_DXCC_ENTITY_STATUS: "Current",
    MY_GRIDSQUARE: HOME.grid,
    MY_CQ_ZONE: String(HOME.cqZone),
    MY_ITU_ZONE: String(HOME.ituZone),
  };
  const contactFields = {
    CALL: partner.call,
    BAND: band.toUpperCase(),
    FREQ: freqMhz,
    MODE: submode === "FT4" || submode === null ? mode : submode === "USB" || submode === "LSB" ? "SSB" : mode,
    SUBMODE: submode === "USB" || submode === "LSB" ? null : submode,
    APP_LOTW_MODEGROUP: { cw: "CW", phone: "PHONE", digital: "DATA", image: "IMAGE" }[group],
    QSO_DATE: formatAdifDate(at),
    APP_LOTW_RXQSO: heard,
    TIME_ON: formatAdifTime(at, true),
    APP_LOTW_QSO_TIMESTAMP: `${new Date(at).toISOString().slice(0, 19)}Z`,
    ...flight(satellite),
  };
  if (!isConfirmedByFirst) return { fields: given({ ...own, ...contactFields, QSL_RCVD: "N" }) };
  const confirmation = {
    QSL_RCVD: "Y",
    QSLRDATE: formatAdifDate(at + 86_400_000),
    APP_LOTW_RXQSL: stamp(at + 86_400_000),
    DXCC: String(partner.dxcc),
    COUNTRY: partner.country.toUpperCase(),
    APP_LOTW_DXCC_ENTITY_STATUS: "Current",
    PFX: findWpxPrefix(partner.call),
    APP_LOTW_2XQSL: "Y",
    GRIDSQUARE: partner.grid.toUpperCase(),
    STATE: partner.state,
    CNTY: partner.state && `${partner.state},${partner.county!.toUpperCase()}`,
    CQZ: String(partner.cqZone).padStart(2, "0"),
    ITUZ: String(partner.ituZone).padStart(2, "0"),
  };
  return { fields: given({ ...own, ...contactFields, ...confirmation }) };
};

/** A record of the second service. */
export const asSecond = (contact: Contact): AdifRecord => {
  const { partner, at, band, freqMhz, mode, submode, station, satellite, logId } = contact;
  const { isConfirmedByFirst, isConfirmedBySecond } = contact;
  const minute = formatAdifTime(at, false);
  const shortFreq = String(Number(freqMhz));
  const fields = {
    APP_QRZLOG_LOGID: String(1_240_000_000 + logId),
    APP_QRZLOG_QSLDATE: isConfirmedBySecond ? formatAdifDate(at + 86_400_000) : null,
    APP_QRZLOG_STATUS: isConfirmedBySecond ? "C" : "N",
    BAND: band,
    BAND_RX: band,
    CALL: partner.call,
    CNTY: partner.state && `${partner.state},${partner.county}`,
    CONT: partner.continent,
    COUNTRY: partner.country,
    CQZ: String(partner.cqZone),
    DISTANCE: String(100 + (logId % 15_000)),
    DXCC: String(partner.dxcc),
    EMAIL: `${partner.call.toLowerCase()}@example.org`,
    EQSL_QSL_RCVD: "N",
    EQSL_QSL_SENT: "N",
    FREQ: shortFreq,
    FREQ_RX: shortFreq,
    GRIDSQUARE: partner.grid,
    IOTA: partner.iota ?? "none",
    ITUZ: String(partner.ituZone),
    LAT: `N0${10 + (logId % 60)} ${10 + (logId % 49)}.${100 + (logId % 899)}`,
    LON: `W0${10 + (logId % 79)} ${10 + (logId % 47)}.${100 + (logId % 887)}`,
    LOTW_QSL_RCVD: isConfirmedByFirst ? "Y" : "N",
    LOTW_QSL_SENT: "Y",
    LOTW_QSLRDATE: isConfirmedByFirst ? formatAdifDate(at + 86_400_000) : "00000000",
    MODE: submode ?? mode,
    MY_COUNTRY: "Serbia",
    MY_GRIDSQUARE: HOME.grid,
    NAME: partner.name.toUpperCase(),
    QRZCOM_QSO_DOWNLOAD_STATUS: "N",
    QRZCOM_QSO_UPLOAD_DATE: formatAdifDate(at + 7_200_000),
    QRZCOM_QSO_UPLOAD_STATUS: "Y",
    QSL_RCVD: "N",
    QSL_SENT: "N",
    QSO_DATE: formatAdifDate(at),
    QSO_DATE_OFF: formatAdifDate(at),
    QTH: partner.qth,
    RST_RCVD: reportOf(contact),
    RST_SENT: reportOf(contact),
    STATE: partner.state,
    STATION_CALLSIGN: station,
    TIME_OFF: minute,
    TIME_ON: minute,
    TX_PWR: "100",
    ...flight(satellite),
  };
  return { fields: given(fields) };
};

/** The layers of all three origins. */
export const layersFrom = (contact: Contact): Layers => {
  const first = asFirst(contact);
  const withQso = firstOrigin.merge(
    ownerOrigin.merge(NO_LAYERS, asFile(contact)),
    first,
    contact.isConfirmedByFirst ? "qsl" : "qso",
  );
  return secondOrigin.merge(withQso, asSecond(contact));
};

/** Derivation without a country file: a generated record contains its entity. */
export const CHEAP_FACTS: CallFacts = {
  normalise: (call) => call.toUpperCase(),
  prefix: findWpxPrefix,
  isMobile: () => false,
  locate: () => null,
  releasedAt: 0,
  explain: () => "",
  places: () => [],
};

const reportOf = ({ group, logId }: Contact): string => {
  if (group === "phone") return "59";
  if (group === "cw") return "599";
  return `-${String(logId % 24).padStart(2, "0")}`;
};

const flight = (satellite: string | null) => ({ PROP_MODE: satellite && "SAT", SAT_NAME: satellite });

const stamp = (at: number): string => new Date(at).toISOString().slice(0, 19).replace("T", " ");

const given = (fields: Record<string, string | null>): Fields => {
  const kept: Fields = {};
  for (const name in fields) if (fields[name] !== null) kept[name] = fields[name]!;
  return kept;
};
