import { describe, expect, test } from "bun:test";
import { BANDS, findBand, compareBands, parseBand, parseFrequency, resolveBand } from "../../src/domain/radio/band.ts";
import { tcadif } from "../adif/tcadif.ts";
import { sampleTable } from "../support/samples.ts";

const MHZ = 1e6;

describe("the table of bands", () => {
  const official = sampleTable("adif-3.1.6-enumerations.json") as {
    Band: { Band: string; LowerFreqMhz: string; UpperFreqMhz: string }[];
  } | null;

  test("has the names and limits of an independent table, in the same order", () => {
    const theirs = Object.entries(tcadif.enums.Band).map(([name, { lowerFreq, upperFreq }]) => [
      name.toLowerCase(),
      Math.round(Number(lowerFreq) * MHZ),
      Math.round(Number(upperFreq) * MHZ),
    ]);

    expect(BANDS.map(({ name, lowHz, highHz }) => [name, lowHz, highHz] as unknown[])).toEqual(theirs);
  });

  test.skipIf(official === null)("has the names and limits of the official enumeration", () => {
    const theirs = official!.Band.map(({ Band, LowerFreqMhz, UpperFreqMhz }) => [
      Band,
      Math.round(Number(LowerFreqMhz) * MHZ),
      Math.round(Number(UpperFreqMhz) * MHZ),
    ]);

    expect(BANDS.map(({ name, lowHz, highHz }) => [name, lowHz, highHz] as unknown[])).toEqual(theirs);
  });

  test("is sorted by frequency without overlap", () => {
    for (const [index, band] of BANDS.entries()) {
      expect(band.lowHz).toBeLessThan(band.highHz);
      if (index > 0) expect(band.lowHz).toBeGreaterThan(BANDS[index - 1]!.highHz);
    }
  });
});

test.each([
  ["20M", "20m"],
  ["20m", "20m"],
  ["70CM", "70cm"],
  [" 1.25M ", "1.25m"],
  ["70 cm", "70cm"],
  ["SUBMM", "submm"],
  ["21m", null],
  ["20", "20m"],
  ["1.25", "1.25m"],
  ["70", null],
  ["14", null],
  ["", null],
  [undefined, null],
] as const)("the band written %p is %p", (text, band) => {
  expect(parseBand(text)).toBe(band);
});

test.each([
  [14_074_000, "20m"],
  [14_000_000, "20m"],
  [14_350_000, "20m"],
  [14_350_001, null],
  [54_000_000, "6m"],
  [54_000_001, "5m"],
  [135_699, null],
  [136_000, "2190m"],
  [300_000_000_000, "submm"],
  [8_000_000_000_000, null],
] as const)("%d Hz is in %p", (freqHz, band) => {
  expect(findBand(freqHz)).toBe(band);
});

test.each([
  ["14.074", 14_074_000],
  ["14,074", 14_074_000],
  ["7", 7_000_000],
  [".1366", 136_600],
  ["1.936425", 1_936_425],
  ["0", null],
  ["-7", null],
  ["1e3", null],
  ["20m", null],
  ["", null],
  [undefined, null],
] as const)("the frequency %p MHz is %p Hz", (text, hertz) => {
  expect(parseFrequency(text)).toBe(hertz);
});

test.each([
  ["20M", "14.074", "20m", false],
  [undefined, "14.074", "20m", false],
  ["nonsense", "14.074", "20m", false],
  ["20", undefined, "20m", false],
  ["20", "7.074", "20m", true],
  ["20m", "14.4", "20m", true],
  ["20m", "7.074", "20m", true],
  ["20m", undefined, "20m", false],
  ["20m", "0", "20m", false],
  [undefined, undefined, null, false],
  [undefined, "14074", "20m", false],
  [undefined, "14074.5", "20m", false],
  [undefined, "10136", "30m", false],
  [undefined, "144300", "2m", false],
  [undefined, "10368.1", "3cm", false],
  ["3cm", "10136", "3cm", false],
  ["2mm", "144120", "2mm", false],
  ["20m", "14074", "20m", false],
  ["30m", "10120", "30m", false],
  [undefined, "10368.1", "3cm", false],
  ["3cm", "10368.1", "3cm", false],
  [undefined, "14.351", null, false],
  [undefined, "99999", null, false],
] as const)("BAND %p with FREQ %p is %p", (bandText, freqText, band, disagrees) => {
  expect(resolveBand(bandText, freqText)).toEqual({ band, disagrees });
});

test("bands are sorted by wavelength, unknown ones last", () => {
  const bands = ["sat", "submm", "2m", "70cm", "160m", "2190m", "20m"];

  expect(bands.toSorted(compareBands)).toEqual(["2190m", "160m", "20m", "2m", "70cm", "submm", "sat"]);
});
