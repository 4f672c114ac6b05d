import type { Fields } from "../../src/domain/contact/adif-record.ts";
import { HOUR, MINUTE, SECOND } from "../../src/kernel/clock.ts";
import { STATION } from "../support/sync.ts";

/** A contact as it was made on the air. What programs and services say of it is derived from this. */
export interface RealContact {
  id: number;
  call: string;
  entity: number;
  zone: number;
  prefix: string;
  /** To the second. */
  at: number;
  band: string;
  mode: string;
  group: "cw" | "phone" | "digital";
  /** What the owner's programs, LoTW and QRZ say; null outside the United States. */
  states: { own: string; first: string; second: string } | null;
  name: string;
  /** How the owner's programs report it. */
  reportedBy: "files" | "feed";
  /** How far the time at QRZ is off. */
  minutesLateAtSecond: number;
  /** It has a neighbour that its records could also mean, so it is never deleted or undone. */
  isFixed: boolean;
}

interface Station {
  call: string;
  entity: number;
  zone: number;
  prefix: string;
}

const station = (call: string, entity: number, zone: number, prefix: string): Station => ({
  call,
  entity,
  zone,
  prefix,
});

const STATIONS: readonly Station[] = [
  station("K9AA", 291, 4, "K9"),
  station("W9XYZ", 291, 4, "W9"),
  station("N0BCD", 291, 4, "N0"),
  station("AA9ABC", 291, 4, "AA9"),
  station("K0DEF/P", 291, 4, "K0"),
  station("DL1ABC", 230, 14, "DL1"),
  station("DL1ABC/P", 230, 14, "DL1"),
  station("G4XYZ", 223, 14, "G4"),
  station("F5ABC", 227, 14, "F5"),
  station("JA1XYZ", 339, 25, "JA1"),
  station("VK2ABC", 150, 30, "VK2"),
  station("ZL1ABC", 170, 32, "ZL1"),
  station("PY2XYZ", 108, 11, "PY2"),
  station("ZS6ABC", 462, 38, "ZS6"),
];

/** Stations whose entity follows from the date, or from the letter after the slash. */
export const PAST_STATIONS: readonly (Station & { at: number })[] = [
  { ...station("K1N", 197, 8, "K1"), at: Date.UTC(2015, 1, 5, 12) },
  { ...station("VK0IR", 111, 39, "VK0"), at: Date.UTC(1997, 0, 15, 12) },
  { ...station("FR5ZU/G", 99, 39, "FR5"), at: Date.UTC(2009, 6, 20, 12) },
];

/** All in zone 4, so that the zone does not depend on which record is believed. */
const STATES = ["WI", "IL", "MN", "IA", "MO"];
const BANDS = ["160m", "40m", "20m", "15m", "6m", "2m"];
const MODES = [
  ["CW", "cw"],
  ["SSB", "phone"],
  ["FT8", "digital"],
] as const;
const NAMES = ["Ann", "Bob", "Eve", "Zoë"];
const BEGINNING = Date.UTC(2023, 0, 1);

type Draw = <T>(list: readonly T[]) => T;

/**
 * The next contact: hours away from all others, or beside an earlier one with the same call in the same minute, on
 * another band or in another kind of mode.
 */
export const nextContact = (known: readonly RealContact[], draw: Draw): RealContact => {
  const id = known.length;
  const [mode, group] = draw(MODES);
  const partner = draw(STATIONS);
  const band = draw(BANDS);
  const time = { at: BEGINNING + id * 7 * HOUR + draw([0, 7, 31, 55]) * MINUTE + draw([1, 10, 29, 45]) * SECOND };
  const isAmerican = partner.entity === 291;
  const contact: RealContact = {
    id,
    ...partner,
    ...time,
    band,
    mode,
    group,
    states: isAmerican ? { own: draw(STATES), first: draw(STATES), second: draw(STATES) } : null,
    name: draw(NAMES),
    reportedBy: draw(["files", "files", "files", "feed"] as const),
    minutesLateAtSecond: 0,
    isFixed: false,
  };
  const near = known.length > 0 && draw([true, false, false, false]) ? draw(known) : null;
  if (near === null) return draw([true, false, false, false, false]) ? { ...contact, minutesLateAtSecond: 5 } : contact;
  const isFree = (one: Pick<RealContact, "band" | "group">) =>
    !known.some((other) => isNear(other, { ...near, ...one }));
  const beside = {
    ...contact,
    call: near.call,
    entity: near.entity,
    zone: near.zone,
    prefix: near.prefix,
    at: near.at,
  };
  const placed = { ...beside, states: near.states && { ...near.states } };
  const other = BANDS.find((one) => isFree({ band: one, group: placed.group }));
  return other === undefined ? contact : { ...placed, band: other };
};

/** A contact with the same station on the same band in the same mode, some minutes later. */
export const soonAfter = (contact: RealContact, id: number, minutes: number): RealContact => ({
  ...contact,
  id,
  at: contact.at + minutes * MINUTE,
});

const isNear = (a: RealContact, b: RealContact): boolean =>
  a.call === b.call && a.band === b.band && a.group === b.group && Math.abs(a.at - b.at) < 2 * HOUR;

export const minuteOf = (at: number): number => at - (at % MINUTE);
export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10).replaceAll("-", "");
export const timeOf = (at: number): string => new Date(at).toISOString().slice(11, 19).replaceAll(":", "");

/** What every record of a contact says. */
export const coreOf = ({ call, at, band, mode, entity, zone }: RealContact): Fields => ({
  CALL: call,
  QSO_DATE: dateOf(at),
  TIME_ON: timeOf(at),
  BAND: band,
  MODE: mode,
  STATION_CALLSIGN: STATION,
  DXCC: String(entity),
  CQZ: String(zone),
});

/** Fields that a record of a file can have in addition. */
export type Extra = "NAME" | "STATE" | "COMMENT" | "QSL_RCVD";
export const EXTRAS: readonly Extra[] = ["NAME", "STATE", "COMMENT", "QSL_RCVD"];

export const extrasOf = ({ name, states, id }: RealContact, extras: readonly Extra[]): Fields => ({
  ...(extras.includes("NAME") && { NAME: name }),
  ...(extras.includes("STATE") && states && { STATE: states.own }),
  ...(extras.includes("COMMENT") && { COMMENT: `talk ${id}` }),
  ...(extras.includes("QSL_RCVD") && { QSL_RCVD: "Y" }),
});

/** Program A writes times to the minute, program B to the second. */
export type FileProgram = "A" | "B";

export const fileFields = (contact: RealContact, program: FileProgram, extras: readonly Extra[]): Fields => {
  const core = coreOf(contact);
  return {
    ...core,
    TIME_ON: program === "A" ? core.TIME_ON!.slice(0, 4) : core.TIME_ON!,
    ...extrasOf(contact, extras),
  };
};

export const adifOf = (records: readonly Fields[]): string => {
  const field = ([name, value]: [string, string]) => `<${name}:${Buffer.byteLength(value)}>${value}`;
  const lines = records.map((fields) => `${Object.entries(fields).map(field).join(" ")} <EOR>`);
  return ["A test log", "<ADIF_VER:5>3.1.6 <EOH>", ...lines, ""].join("\n");
};

export const bookFields = (contact: RealContact): Fields => {
  const at = contact.at + contact.minutesLateAtSecond * MINUTE;
  const time = { QSO_DATE: dateOf(at), TIME_ON: timeOf(at).slice(0, 4) };
  return { ...coreOf(contact), ...time, ...(contact.states && { STATE: contact.states.second }) };
};
