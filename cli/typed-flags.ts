import type { Command } from "commander";
import { AppError } from "../src/domain/errors.ts";
import { parseFrequency } from "../src/domain/band.ts";
import type { TypedQso } from "../src/contacts/fields.ts";
import type { Flags } from "./shell.ts";

interface TypedFlag {
  /** As commander reads it. */
  flag: string;
  option: string;
  /** The name of the interface. */
  name: string;
  meaning: string;
}

const FLAGS: readonly TypedFlag[] = [
  { flag: "time", option: "--time <utc>", name: "startedAt", meaning: 'when it started, UTC: "2026-08-01 12:34"' },
  { flag: "end", option: "--end <utc>", name: "endedAt", meaning: "when it ended, UTC" },
  { flag: "band", option: "--band <band>", name: "band", meaning: "20m, 70cm …" },
  { flag: "freq", option: "--freq <mhz>", name: "freqHz", meaning: "frequency in MHz" },
  { flag: "mode", option: "--mode <mode>", name: "mode", meaning: "FT8, SSB, USB …" },
  { flag: "submode", option: "--submode <submode>", name: "submode", meaning: "ADIF submode" },
  { flag: "station", option: "--station <call>", name: "stationCallsign", meaning: "your call" },
  { flag: "operator", option: "--operator <call>", name: "operator", meaning: "the operator's call" },
  { flag: "rstSent", option: "--rst-sent <rst>", name: "rstSent", meaning: "report sent" },
  { flag: "rstRcvd", option: "--rst-rcvd <rst>", name: "rstRcvd", meaning: "report received" },
  { flag: "name", option: "--name <name>", name: "name", meaning: "the other operator's name" },
  { flag: "qth", option: "--qth <place>", name: "qth", meaning: "the other station's place" },
  { flag: "grid", option: "--grid <square>", name: "gridsquare", meaning: "the other station's grid square" },
  { flag: "state", option: "--state <state>", name: "state", meaning: "state or province" },
  { flag: "county", option: "--county <county>", name: "county", meaning: "county" },
  { flag: "dxcc", option: "--dxcc <number>", name: "dxcc", meaning: "DXCC entity number, 0 for none" },
  { flag: "cqZone", option: "--cq-zone <zone>", name: "cqZone", meaning: "CQ zone" },
  { flag: "ituZone", option: "--itu-zone <zone>", name: "ituZone", meaning: "ITU zone" },
  { flag: "iota", option: "--iota <reference>", name: "iota", meaning: "IOTA reference" },
  { flag: "prop", option: "--prop <propagation>", name: "propMode", meaning: "ADIF propagation mode" },
  { flag: "sat", option: "--sat <name>", name: "satName", meaning: "satellite" },
  { flag: "power", option: "--power <watts>", name: "txPower", meaning: "power in watts" },
  { flag: "comment", option: "--comment <text>", name: "comment", meaning: "comment" },
];

/** The options for what a person types of a contact. */
export const addTypedFlags = (command: Command): Command => {
  for (const { option, meaning } of FLAGS) command.option(option, meaning);
  return command.option("--field <name=value>", "any other ADIF field; may be repeated", collect, []);
};

const collect = (value: string, before: string[]): string[] => [...before, value];

/** What was typed; an empty value takes back what was typed before. */
export const typedIn = (flags: Flags): TypedQso => {
  const typed: TypedQso = {};
  for (const { flag, name } of FLAGS) {
    const said = flags[flag] as string | undefined;
    if (said !== undefined) typed[name] = said === "" ? null : name === "freqHz" ? hertz(said) : said;
  }
  const fields = (flags.field as string[] | undefined) ?? [];
  if (fields.length > 0) typed.extra = Object.fromEntries(fields.map(nameAndValue));
  return typed;
};

/** What is no number goes on as it is, to be refused together with everything else. */
const hertz = (megahertz: string): number | string => parseFrequency(megahertz) ?? megahertz;

const nameAndValue = (text: string): [string, string | null] => {
  const at = text.indexOf("=");
  if (at < 1) throw new AppError("invalid", `--field ${JSON.stringify(text)} is not NAME=VALUE.`);
  return [text.slice(0, at), text.slice(at + 1) || null];
};
