import { describe, expect, test } from "bun:test";
import { normaliseMode, getModeName, exportMode } from "../../src/domain/radio/mode.ts";
import { tcadif } from "../adif/tcadif.ts";
import { sampleTable } from "../support/samples.ts";

interface Enumerations {
  Mode: { Mode: string; ImportOnly?: string; Submodes?: string }[];
  Submode: { Submode: string; Mode: string }[];
}

interface LotwConfiguration {
  modes: Record<string, string>;
  adifmap: { "adif-mode"?: string; "adif-submode"?: string; mode: string }[];
}

const GROUP_OF_LOTW: Record<string, string> = { CW: "cw", PHONE: "phone", DATA: "digital", IMAGE: "image" };

test.each([
  ["CW", undefined, "CW", null, "cw"],
  ["ssb", undefined, "SSB", null, "phone"],
  ["USB", undefined, "SSB", "USB", "phone"],
  ["USB", "USB", "SSB", "USB", "phone"],
  ["SSB", "LSB", "SSB", "LSB", "phone"],
  ["SSB", "SSB", "SSB", null, "phone"],
  ["USB", "SSB", "SSB", "USB", "phone"],
  ["FT8", "FT8", "FT8", null, "digital"],
  ["FT4", undefined, "MFSK", "FT4", "digital"],
  ["MFSK", "FT4", "MFSK", "FT4", "digital"],
  ["MFSK", "FT8", "FT8", null, "digital"],
  ["FT2", undefined, "MFSK", "FT2", "digital"],
  ["JS8", undefined, "MFSK", "JS8", "digital"],
  ["Q65", undefined, "MFSK", "Q65", "digital"],
  ["PSK31", undefined, "PSK", "PSK31", "digital"],
  ["BPSK31", undefined, "PSK", "PSK31", "digital"],
  ["PSK", "BPSK63", "PSK", "PSK63", "digital"],
  ["PSK31", "PSK63", "PSK", "PSK63", "digital"],
  ["C4FM", undefined, "DIGITALVOICE", "C4FM", "phone"],
  ["DSTAR", undefined, "DIGITALVOICE", "DSTAR", "phone"],
  ["M17", undefined, "DIGITALVOICE", "M17", "phone"],
  ["VARA HF", undefined, "DYNAMIC", "VARA HF", "digital"],
  ["vara  hf", undefined, "DYNAMIC", "VARA HF", "digital"],
  ["PACKET", undefined, "PKT", null, "digital"],
  ["PACTOR", undefined, "PAC", null, "digital"],
  ["CLOVER", undefined, "CLO", null, "digital"],
  ["THROB", undefined, "THRB", null, "digital"],
  ["AMTOR", undefined, "TOR", null, "digital"],
  ["PSKAM", undefined, "PSK", null, "digital"],
  ["VOI", undefined, "VOI", null, "digital"],
  ["SSTV", undefined, "SSTV", null, "image"],
  ["SSTV", "Martin 1", "SSTV", "MARTIN 1", "image"],
  ["CW", "FT4", "CW", null, "cw"],
  ["", "FT4", "MFSK", "FT4", "digital"],
  [undefined, "USB", "SSB", "USB", "phone"],
  ["DATA", "FT8", "FT8", null, "digital"],
  ["PHONE", "USB", "SSB", "USB", "phone"],
  ["xyzzy", undefined, "XYZZY", null, "digital"],
  ["PHONE", "XYZZY", "XYZZY", null, "phone"],
  ["constructor", undefined, "CONSTRUCTOR", null, "digital"],
] as const)("MODE %p with SUBMODE %p is %p %p, %s", (mode, submode, canonical, detail, group) => {
  expect(normaliseMode(mode, submode)).toEqual({ mode: canonical, submode: detail, group, generic: false });
});

test.each([
  ["DATA", undefined, "digital"],
  ["data", "DATA", "digital"],
  ["PHONE", "", "phone"],
  ["IMAGE", undefined, "image"],
  ["DATA", "USB", "digital"],
  [undefined, "DATA", "digital"],
] as const)("MODE %p with SUBMODE %p gives only a group", (mode, submode, group) => {
  const known = normaliseMode(mode, submode)!;

  expect(known).toEqual({ mode: null, submode: null, group, generic: true });
  expect(exportMode(mode, submode)).toEqual({});
});

test("no mode is null", () => {
  expect(normaliseMode(undefined)).toBeNull();
  expect(normaliseMode(" ", "")).toBeNull();
});

test.each([
  ["USB", "USB"],
  ["MFSK", "MFSK"],
  ["FT4", "FT4"],
  ["CW", "CW"],
  ["PHONE", "PHONE"],
  ["IMAGE", "IMAGE"],
  ["DIGI", "DATA"],
])("people know %s as %s", (mode, name) => {
  expect(getModeName(normaliseMode(mode)!)).toBe(name);
});

describe("the official enumeration", () => {
  const official = sampleTable("adif-3.1.6-enumerations.json") as Enumerations | null;

  test.skipIf(official === null)("every mode is exported under its name unless it is import-only", () => {
    for (const { Mode, ImportOnly } of official!.Mode) {
      const exported = exportMode(Mode);
      if (ImportOnly === undefined) expect(exported).toEqual({ MODE: Mode });
      else expect(exported).toEqual({ MODE: expect.any(String), SUBMODE: Mode });
      expect(official!.Mode.find((entry) => entry.Mode === exported.MODE)!.ImportOnly).toBeUndefined();
    }
  });

  test.skipIf(official === null)("every submode belongs to its mode, in SUBMODE or in MODE", () => {
    for (const { Submode, Mode } of official!.Submode) {
      expect(exportMode(Mode, Submode)).toEqual({ MODE: Mode, SUBMODE: Submode });
      expect(exportMode(Submode)).toEqual({ MODE: Mode, SUBMODE: Submode });
    }
  });

  test.skipIf(official === null)("the modes' own lists of submodes are known", () => {
    for (const { Mode, Submodes = "" } of official!.Mode) {
      for (const submode of Submodes.split(/,|(?<=MFSK128) /).filter(Boolean)) {
        expect(exportMode(submode)).toEqual({ MODE: Mode, SUBMODE: submode });
      }
    }
  });
});

test("every mode of an independent table is known", () => {
  for (const mode of Object.keys(tcadif.enums.Mode)) expect(exportMode(mode)).toEqual({ MODE: mode });
});

describe("LoTW's configuration", () => {
  const groupOf = (mode: string | undefined, submode?: string) => normaliseMode(mode, submode)?.group ?? "digital";
  const lotw = sampleTable("lotw-configuration.json") as LotwConfiguration | null;

  test.skipIf(lotw === null)("each of its modes has its group", () => {
    for (const [mode, group] of Object.entries(lotw!.modes)) {
      expect([mode, groupOf(mode)]).toEqual([mode, GROUP_OF_LOTW[group]! as never]);
    }
  });

  test.skipIf(lotw === null)("an uploaded mode stays in its group", () => {
    for (const entry of lotw!.adifmap) {
      const sent = groupOf(entry["adif-mode"], entry["adif-submode"]);
      expect([entry, sent]).toEqual([entry, groupOf(entry.mode)]);
    }
  });
});
