import { expect, test } from "bun:test";
import { toLotwMode, getModeGroup, toReportedMode } from "../../src/simulated/lotw-modes.ts";

test.each([
  ["CW", "", "CW", "CW", { MODE: "CW" }],
  ["SSB", "USB", "SSB", "PHONE", { MODE: "SSB" }],
  ["LSB", "", "SSB", "PHONE", { MODE: "SSB" }],
  ["FT8", "", "FT8", "DATA", { MODE: "FT8" }],
  ["MFSK", "FT4", "FT4", "DATA", { MODE: "MFSK", SUBMODE: "FT4" }],
  ["FT4", "", "FT4", "DATA", { MODE: "MFSK", SUBMODE: "FT4" }],
  ["MFSK", "Q65", "Q65", "DATA", { MODE: "MFSK", SUBMODE: "Q65" }],
  ["MFSK", "MFSK16", "MFSK16", "DATA", { MODE: "MFSK", SUBMODE: "MFSK16" }],
  ["MFSK", "MFSK32", "DATA", "DATA", { MODE: "DATA" }],
  ["MFSK", "JS8", "DATA", "DATA", { MODE: "DATA" }],
  ["MFSK", "FT2", "DATA", "DATA", { MODE: "DATA" }],
  ["MFSK", "", "DATA", "DATA", { MODE: "DATA" }],
  ["PSK", "", "DATA", "DATA", { MODE: "DATA" }],
  ["PSK", "PSK31", "PSK31", "DATA", { MODE: "PSK", SUBMODE: "PSK31" }],
  ["PSK", "QPSK31", "PSK31", "DATA", { MODE: "PSK", SUBMODE: "PSK31" }],
  ["PSK", "PSK250", "DATA", "DATA", { MODE: "DATA" }],
  ["PSK", "PSKAM31", "PSKAM", "DATA", { APP_LOTW_MODE: "PSKAM" }],
  ["V4", "", "DATA", "DATA", { MODE: "DATA" }],
  ["PKT", "", "PACKET", "DATA", { MODE: "PKT" }],
  ["PAC", "PAC4", "PACTOR", "DATA", { MODE: "PAC" }],
  ["THRB", "THRBX", "THROB", "DATA", { MODE: "THRB" }],
  ["TOR", "GTOR", "GTOR", "DATA", { MODE: "TOR", SUBMODE: "GTOR" }],
  ["TOR", "AMTORFEC", "AMTOR", "DATA", { MODE: "TOR" }],
  ["RTTY", "ASCI", "RTTY", "DATA", { MODE: "RTTY" }],
  ["JT65", "JT65B2", "JT65", "DATA", { MODE: "JT65" }],
  ["DIGITALVOICE", "C4FM", "DIGITALVOICE", "PHONE", { MODE: "DIGITALVOICE" }],
  ["FM", "", "FM", "PHONE", { MODE: "FM" }],
  ["SSTV", "", "SSTV", "IMAGE", { MODE: "SSTV" }],
  ["VOI", "", "VOI", "DATA", { MODE: "VOI" }],
  ["DATA", "", "DATA", "DATA", { MODE: "DATA" }],
  ["PHONE", "", "PHONE", "PHONE", { MODE: "PHONE" }],
])("an upload of %s %s becomes %s", (mode, submode, lotwMode, group, reported) => {
  expect(toLotwMode(mode, submode)).toBe(lotwMode);
  expect<string>(getModeGroup(lotwMode)).toBe(group);
  expect(toReportedMode(lotwMode)).toEqual(reported);
});

test("the mode in a report means the same mode when it is uploaded again", () => {
  for (const lotwMode of [
    "CW",
    "SSB",
    "FT4",
    "FT8",
    "PSK31",
    "DATA",
    "PACKET",
    "PACTOR",
    "AMTOR",
    "GTOR",
    "HFSK",
    "MFSK8",
  ]) {
    const { MODE = "", SUBMODE } = toReportedMode(lotwMode);
    expect(toLotwMode(MODE, SUBMODE)).toBe(lotwMode);
  }
});
