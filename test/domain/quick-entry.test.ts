import { expect, test } from "bun:test";
import { parseBandOrFrequency, splitLine, toTypedQso, toNeedRequest } from "../../src/domain/contact/quick-entry.ts";

test.each([
  ["20", { band: "20m" }],
  ["20m", { band: "20m" }],
  ["70cm", { band: "70cm" }],
  ["14.074", { freqHz: 14_074_000 }],
  ["14,074", { freqHz: 14_074_000 }],
  ["14074", { freqHz: 14_074_000 }],
  ["14.074MHz", { freqHz: 14_074_000 }],
  ["14074 kHz", { freqHz: 14_074_000 }],
  ["10368", { freqHz: 10_368_000_000 }],
  ["10136", { freqHz: 10_136_000 }],
  ["13.5 MHz", { band: "13.5 MHz" }],
  ["11", { band: "11" }],
  ["blue", { band: "blue" }],
])("%s is understood", (text, meant) => {
  expect(parseBandOrFrequency(text)).toEqual(meant as never);
});

test("the time defaults to now, and the report to that of the mode", () => {
  expect(toTypedQso({ call: "k1abc", band: "40", mode: "cw" }, 1_000)).toEqual({
    call: "k1abc",
    startedAt: 1_000,
    band: "40m",
    mode: "cw",
    rstSent: "599",
    rstRcvd: "599",
  });
  expect(toTypedQso({ call: "k1abc", band: "40", mode: "usb", rstSent: "57" }, 1_000)).toMatchObject({
    rstSent: "57",
    rstRcvd: "59",
  });
  expect(toTypedQso({ call: "k1abc", mode: "ft8" }, 1_000)).toEqual({ call: "k1abc", startedAt: 1_000, mode: "ft8" });
});

test.each([
  [{ call: "ja1abc 20 cw" }, { call: "ja1abc", band: "20", mode: "cw" }],
  [{ call: " ja1abc  ft8 14.074 " }, { call: "ja1abc", band: "14.074", mode: "ft8" }],
  [
    { call: "ja1abc 40", band: "20", mode: "cw" },
    { call: "ja1abc", band: "40", mode: "cw" },
  ],
  [
    { call: "ja1abc", band: "20" },
    { call: "ja1abc", band: "20" },
  ],
  [{ call: "ja1abc 20 hello" }, { call: "ja1abc 20 hello" }],
])("a line with a callsign, a band and a mode is split: %j", (typed, expected) => {
  expect(splitLine(typed)).toEqual(expected);
  expect(toNeedRequest(typed).call).toBe(expected.call);
});

test("phone means SSB, with its report", () => {
  expect(toTypedQso({ call: "k1abc", mode: "ph" }, 1_000)).toMatchObject({ rstSent: "59", rstRcvd: "59" });
  expect(toNeedRequest({ call: "k1abc", band: "14200", mode: "ph" })).toEqual({
    call: "k1abc",
    band: "20m",
    mode: "SSB",
  });
});
