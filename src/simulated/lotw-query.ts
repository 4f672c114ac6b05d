import { DAY } from "../kernel/clock.ts";
import { isLotwMode } from "./lotw-modes.ts";
import { readDate } from "./timestamps.ts";
import type { LotwQso } from "./store.ts";

export interface LotwQuery {
  /** False if `qso_query` is missing: a header without records. */
  wantsRecords: boolean;
  onlyConfirmed: boolean;
  since: number;
  sinceIsTheirs: boolean;
  matches: (qso: LotwQso) => boolean;
  details: { mydetail: boolean; qsldetail: boolean; withown: boolean };
}

export interface RefusedQuery {
  refusal: string;
}

const DEFAULT_WINDOW = 7 * DAY;

/**
 * Reads the parameters as LoTW does: unknown ones are ignored, and so is the since-parameter of the other kind of
 * query. LoTW then uses a period of its own.
 */
export function readQuery(params: URLSearchParams, now: number, ignoreSince = false): LotwQuery | RefusedQuery {
  const problem = findProblem(params);
  if (problem !== null) return { refusal: problem };

  const onlyConfirmed = params.get("qso_qsl") !== "no" || params.has("qso_dxcc");
  const asked = params.get(onlyConfirmed ? "qso_qslsince" : "qso_qsorxsince");
  const since = asked === null || asked === "" || ignoreSince ? null : readDate(asked);
  return {
    wantsRecords: params.get("qso_query") === "1",
    onlyConfirmed,
    since: since ?? now - DEFAULT_WINDOW,
    sinceIsTheirs: since !== null,
    matches: filterOf(params),
    details: {
      mydetail: params.get("qso_mydetail") === "yes",
      qsldetail: params.get("qso_qsldetail") === "yes",
      withown: params.get("qso_withown") === "yes",
    },
  };
}

/** The records that a query selects, newest first, as LoTW sends them. */
export function select(query: LotwQuery, qsos: readonly LotwQso[]): LotwQso[] {
  if (!query.wantsRecords) return [];
  const receivedAt = query.onlyConfirmed ? (qso: LotwQso) => qso.rxqsl : (qso: LotwQso) => qso.rxqso;
  return qsos
    .filter((qso) => (receivedAt(qso) ?? Number.NEGATIVE_INFINITY) >= query.since && query.matches(qso))
    .sort((a, b) => (receivedAt(b) ?? 0) - (receivedAt(a) ?? 0));
}

function filterOf(params: URLSearchParams): (qso: LotwQso) => boolean {
  const upper = (name: string) => params.get(name)?.toUpperCase() || null;
  const [own, call, band, mode] = ["qso_owncall", "qso_callsign", "qso_band", "qso_mode"].map(upper);
  const dxcc = params.get("qso_dxcc");
  const from = readTime(params, "qso_startdate", "qso_starttime", "00:00:00") ?? Number.NEGATIVE_INFINITY;
  const to = readTime(params, "qso_enddate", "qso_endtime", "23:59:59") ?? Number.POSITIVE_INFINITY;
  return ({ fields, lotwMode, at }) =>
    (own === null || fields.STATION_CALLSIGN === own) &&
    (call === null || fields.CALL === call) &&
    (band === null || fields.BAND === band) &&
    (mode === null || lotwMode === mode) &&
    (dxcc === null || fields.DXCC === dxcc) &&
    at >= from &&
    at <= to;
}

/** A time only counts together with its date. */
function readTime(params: URLSearchParams, date: string, time: string, otherwise: string): number | null {
  const day = params.get(date);
  return day === null || day === "" ? null : readDate(`${day} ${params.get(time) || otherwise}`);
}

function findProblem(params: URLSearchParams): string | null {
  for (const name of ["qso_qslsince", "qso_qsorxsince"]) {
    if (params.get(name) && readDate(params.get(name)!) === null) return `Invalid date in ${name}`;
  }
  for (const [date, time] of [
    ["qso_startdate", "qso_starttime"],
    ["qso_enddate", "qso_endtime"],
  ]) {
    if (params.get(date) && readTime(params, date, time, "00:00:00") === null) return `Invalid date or time in ${date}`;
  }
  if (params.get("qso_band") && !BANDS.has(params.get("qso_band")!.toUpperCase())) return "Unknown band";
  if (params.get("qso_mode") && !isLotwMode(params.get("qso_mode")!.toUpperCase())) return "Unknown mode";
  if (params.has("qso_dxcc") && !/^\d+$/.test(params.get("qso_dxcc")!)) return "Unknown DXCC entity";
  return null;
}

const BANDS = new Set(
  (
    "2190M 630M 160M 80M 60M 40M 30M 20M 17M 15M 12M 10M 8M 6M 4M 2M 1.25M 70CM 33CM 23CM 13CM 9CM 6CM 3CM 1.25CM " +
    "6MM 4MM 2.5MM 2MM 1MM SUBMM"
  ).split(" "),
);
