import { DAY } from "../kernel/clock.ts";
import { readCompactDate, readDate } from "./timestamps.ts";
import type { QrzRecord } from "./store.ts";

export interface QrzOptions {
  type: "ADIF" | "LOGIDS";
  max: number;
  afterLogid: number;
  /** Conditions other than paging. */
  matches: (record: QrzRecord) => boolean;
}

export interface RefusedOption {
  refusal: string;
}

type Condition = (record: QrzRecord) => boolean;

/** Parses `NAME:value,NAME:value`; unknown names are ignored. */
export function readOptions(text: string, clockAheadBy = 0): QrzOptions | RefusedOption {
  const given = new Map(text.split(/[,;]/).map((option) => splitOption(option.trim())));
  const foreign = [...given.keys()].filter((name) => OPTIONS.has(name) && !BESIDE_ALL.has(name));
  if (given.has("ALL") && foreign.length > 0) return { refusal: `ALL cannot be combined with ${foreign.join(", ")}` };

  const conditions: Condition[] = [];
  for (const [name, value] of given) {
    const condition = buildCondition(name, value, clockAheadBy);
    if (condition === null) return { refusal: `invalid value for ${name}` };
    conditions.push(condition);
  }
  return {
    type: given.get("TYPE") === "LOGIDS" ? "LOGIDS" : "ADIF",
    max: Number(given.get("MAX") ?? Number.POSITIVE_INFINITY),
    afterLogid: Number(given.get("AFTERLOGID") ?? 0),
    matches: (record) => conditions.every((holds) => holds(record)),
  };
}

const OPTIONS = new Set("ALL MODSINCE AFTERLOGID MAX TYPE STATUS BETWEEN DXCC BAND MODE CALL LOGIDS".split(" "));
const BESIDE_ALL = new Set(["ALL", "TYPE", "STATUS"]);

function splitOption(option: string): [string, string] {
  const colon = option.indexOf(":");
  return colon === -1 ? [option.toUpperCase(), ""] : [option.slice(0, colon).toUpperCase(), option.slice(colon + 1)];
}

/** The condition of an option, or null for an invalid value. */
function buildCondition(name: string, value: string, clockAheadBy: number): Condition | null {
  switch (name) {
    case "MAX":
    case "AFTERLOGID":
      return /^\d+$/.test(value) ? () => true : null;
    case "TYPE":
      return value === "ADIF" || value === "LOGIDS" ? () => true : null;
    case "STATUS":
      if (value === "ALL") return () => true;
      return value === "CONFIRMED" ? ({ fields }) => fields.APP_QRZLOG_STATUS === "C" : null;
    case "MODSINCE": {
      const since = value.length === 10 ? readDate(value) : null;
      return since === null ? null : ({ modified }) => modified + clockAheadBy >= since;
    }
    case "BETWEEN":
      return buildDateCondition(value);
    case "LOGIDS": {
      if (!/^\d+(\+\d+)*$/.test(value)) return null;
      const wanted = new Set(value.split("+").map(Number));
      return ({ logid }) => wanted.has(logid);
    }
    case "DXCC":
    case "BAND":
    case "MODE":
    case "CALL":
      return ({ fields }) => fields[name]?.toUpperCase() === value.toUpperCase();
    default:
      return () => true;
  }
}

/** The plus between the dates must be sent as `%2B`; a bare `+` arrives as a space. */
function buildDateCondition(value: string): Condition | null {
  const [first, last, rest] = value.split("+");
  const from = readDate(first);
  const to = last === undefined || rest !== undefined ? null : readDate(last);
  if (from === null || to === null) return null;
  return ({ fields }) => {
    const on = readCompactDate(fields.QSO_DATE ?? "");
    return on >= from && on < to + 1 * DAY;
  };
}
