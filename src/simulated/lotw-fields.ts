import { findSubdivisionName } from "./subdivisions.ts";

/** Values by field name in upper case. */
export type Fields = Record<string, string>;

type Detail = "always" | "mydetail" | "qsldetail" | "withown";

export interface ReportField {
  /** As LoTW spells it. */
  name: string;
  key: string;
  /** The request parameter that includes the field. */
  detail: Detail;
  /** The text after ` // `, outside the declared length. */
  comment?: (value: string, fields: Fields) => string | undefined;
}

/** A field that LoTW is not known to send goes to the end, with the detail level that its name suggests. */
export function createField(key: string): ReportField {
  const detail = key.startsWith("MY_") || key.startsWith("APP_LOTW_MY_") ? "mydetail" : "qsldetail";
  return { name: key.replace(/^APP_LOTW_/, "APP_LoTW_"), key, detail };
}

const fixed = (text: string) => () => text;
const state = (entity: string) => (value: string, fields: Fields) => findSubdivisionName(fields[entity], value);
const county = (value: string) => titleCase(value.split(",")[1] ?? "");
const zoneSource = (_: string, fields: Fields) =>
  fields.STATE === undefined ? "from DXCC entity" : "from DXCC entity and PAS";

const titleCase = (text: string) =>
  text === "" ? undefined : text.toLowerCase().replace(/(^|[ -])\w/g, (start) => start.toUpperCase());

const COMMENTS: Record<string, ReportField["comment"]> = {
  MY_STATE: state("MY_DXCC"),
  MY_CNTY: county,
  APP_LOTW_RXQSO: fixed("QSO record inserted/modified at LoTW"),
  APP_LOTW_QSO_TIMESTAMP: fixed("QSO Date & Time; ISO-8601"),
  APP_LOTW_RXQSL: fixed("QSL record matched/modified at LoTW"),
  APP_LOTW_GRIDSQUARE_INVALID: fixed("user-specified value"),
  STATE: state("DXCC"),
  CNTY: county,
  APP_LOTW_CQZ_INFERRED: zoneSource,
  APP_LOTW_ITUZ_INFERRED: zoneSource,
};

const list = (detail: Detail, names: string): ReportField[] =>
  names.split(/\s+/).map((name) => {
    const key = name.toUpperCase();
    return { name, key, detail, comment: COMMENTS[key] };
  });

/** Every field of a report in LoTW's order. */
export const REPORT_FIELDS: readonly ReportField[] = [
  ...list("withown", "APP_LoTW_OWNCALL STATION_CALLSIGN"),
  ...list(
    "mydetail",
    `MY_DXCC MY_COUNTRY APP_LoTW_MY_DXCC_ENTITY_STATUS MY_IOTA MY_GRIDSQUARE MY_VUCC_GRIDS MY_STATE MY_CNTY MY_CQ_ZONE MY_ITU_ZONE`,
  ),
  ...list(
    "always",
    `CALL BAND FREQ BAND_RX FREQ_RX MODE SUBMODE APP_LoTW_MODE APP_LoTW_MODEGROUP PROP_MODE SAT_NAME QSO_DATE APP_LoTW_RXQSO TIME_ON
     APP_LoTW_QSO_TIMESTAMP QSL_RCVD QSLRDATE APP_LoTW_RXQSL`,
  ),
  ...list("qsldetail", "DXCC COUNTRY APP_LoTW_DXCC_ENTITY_STATUS PFX APP_LoTW_2xQSL APP_LoTW_QSLMODE"),
  ...list("always", "APP_LoTW_CREDIT_GRANTED APP_LoTW_CREDIT_SUBMITTED CREDIT_GRANTED CREDIT_SUBMITTED"),
  ...list(
    "qsldetail",
    `IOTA GRIDSQUARE APP_LoTW_GRIDSQUARE_Invalid VUCC_GRIDS STATE CNTY CQZ APP_LoTW_CQZ_Inferred APP_LoTW_CQZ_Invalid
     ITUZ APP_LoTW_ITUZ_Inferred APP_LoTW_ITUZ_Invalid APP_LoTW_NPSUNIT`,
  ),
];
