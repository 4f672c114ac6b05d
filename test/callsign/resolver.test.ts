import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { loadCountryFile } from "../../src/callsign/country-file.ts";
import type { CountryFile } from "../../src/callsign/country-file.ts";
import { resolve } from "../../src/callsign/resolver.ts";
import { getEntity } from "../../src/domain/radio/entity.ts";
import { inventedContacts, realContacts } from "./sample-calls.ts";
import type { SampleCall } from "./sample-calls.ts";

let countries: CountryFile;
beforeAll(async () => {
  countries = await loadCountryFile();
});

const dxccOf = (call: string, day?: string) => resolve(countries, call, day ? Date.parse(day) : null)?.dxcc ?? null;

describe("the entity of a callsign", () => {
  test.each([
    ["the call is listed", "RAEM", 15],
    ["the listed call is portable", "K1HZM/P", 110],
    ["the longest prefix wins", "VP2EAB", 12],
    ["a call may be no longer than its prefix", "JY1", 342],
    ["a prefix before the call", "9A/N5J", 497],
    ["a prefix before a call as short", "PJ4/K4M", 520],
    ["a prefix before a listed call", "E5/N5J", 234],
    ["a prefix before the call, and a status", "F/W1ABC/P", 227],
    ["a prefix after the call", "KH4AB/DL", 230],
    ["a prefix after the call, and a status", "W1ABC/KH6/P", 110],
    ["a prefix with a letter after its digit", "VP2E/K1ABC/QRP", 12],
    ["the prefix of an island after a short call", "AA1B/VP2E", 12],
    ["a prefix that no longer is an entity's own", "KH5K/DJ1YFK", 197],
    ["Ogasawara before Minami-Tori-shima", "JA1ABC/JD1", 192],
    ["Scotland, not at sea", "MM/W1ABC", 279],
    ["Scotland, not at sea, by its call", "MM0ABC", 279],
    ["Russia in Europe from a call of Asia", "UA9ABC/3", 54],
    ["Russia in Asia from a call of Europe", "UA3ABC/9", 15],
    ["Crete by the area", "SV1ABC/9", 40],
    ["Finland by the area", "OH0AA/2", 224],
    ["Chatham by the area", "ZL1ABC/7", 34],
    ["the Canaries by the area", "EA1ABC/8", 29],
    ["the same area again", "UA9ABC/9", 15],
    ["the mainland by the area", "KH6ABC/4", 291],
    ["the mainland by the area, from a listed call", "K1HZM/4", 291],
    ["Guantanamo with two letters", "KG4AA", 105],
    ["Guantanamo with a status", "KG4AA/P", 105],
    ["Guantanamo as a place", "KG4/W1ABC", 105],
    ["no Guantanamo with three letters", "KG4ABC", 291],
    ["no Guantanamo with one letter", "KG4A", 291],
    ["a word after the call", "DL1ABC/YOTA", 230],
    ["another word after the call", "W1ABC/POTA", 291],
    ["a headquarters, not Honduras", "DL1ABC/HQ", 230],
    ["a visitor to Honduras", "HQ/DL1ABC", 80],
    ["a status after the area", "OH2ABC/0/P", 5],
    ["two letters that are a programme", "W1ABC/FF", 291],
    ["a lighthouse, not Norway", "DL1ABC/LH", 230],
    ["mobile, not England", "DL1ABC/M", 230],
    ["a rover, not Russia", "W1ABC/R", 291],
    ["a beacon, not China", "DL1ABC/B", 230],
    ["a province of Argentina, not the USA", "LU1ABC/W", 100],
    ["a number after the call", "W1ABC/100", 291],
    ["a station number after the call", "K1ABC-7", 291],
    ["a station number amid the call", "K1ABC-7/KH6", 110],
    ["a call without a digit", "XEFTJW", 50],
    ["Sicily is Italy", "IT9ABC", 248],
    ["Turkey in Europe is Turkey", "TA1ABC", 390],
    ["Vienna's international centre is Austria", "4U1VIC", 206],
    ["New York's is not the USA", "4U1UN", 289],
    ["Lord Howe, which the file leaves out", "VK9L/DL1ABC", 147],
    ["a station of Lord Howe", "VK9LX", 147],
    ["Macquarie by the file's own name", "VK0M/DL1ABC", 153],
    ["Heard by the file's own name", "VK0H/K1ABC", 111],
    ["the Congo by the file's own name", "TN/DL1ABC", 412],
    ["a place with its letter", "C6A/W1AW", 60],
    ["a place with its letter after the call", "W1ABC/C6A", 60],
    ["Kaliningrad, not the rest of Russia", "UA2F/UA3ABC", 126],
    ["Kaliningrad after the call", "UA3ABC/UA2F", 126],
    ["Field Day, not France", "W1ABC/FD", 291],
    ["a lightship, not Argentina", "DL1ABC/LS", 230],
    ["a light, not Lithuania", "DL1ABC/LGT", 230],
    ["low power, not anybody", "DL1ABC/QRP", 230],
    ["low power before the call", "QRP/DL1ABC", 230],
    ["a jamboree, not Djibouti", "DL1ABC/J", 230],
    ["a temporary place", "DL1ABC/A", 230],
    ["portable", "DL1ABC/P", 230],
    ["two letters nobody has", "DL1ABC/QQ", 230],
  ])("%s: %s", (_, call, dxcc) => {
    expect(dxccOf(call)).toBe(dxcc);
  });

  test.each([
    ["at sea", "W1ABC/MM"],
    ["in the air", "W1ABC/AM"],
    ["at sea in a region", "W1ABC/MM2"],
    ["at sea with low power", "W1ABC/MM/QRP"],
    ["a prefix nobody has", "Q1ABC"],
    ["the file's own name for its date", "VERSION"],
    ["the file's own date", "VER20260213"],
    ["a word that begins as Switzerland does", "HELLO"],
    ["a word with a status", "HELLO/P"],
    ["a place nobody has", "1B/DL1ABC"],
    ["a place nobody has, after the call", "DL1ABC/1B"],
    ["two calls", "K4M/N5J"],
    ["nothing", ""],
    ["only a slash", "/"],
  ])("no entity: %s: %s", (_, call) => {
    expect(dxccOf(call)).toBeNull();
  });
});

describe("the entity of a callsign on a date", () => {
  test.each([
    ["DL1ABC", "1973-09-16", 81],
    ["DL1ABC", "1973-09-17", 230],
    ["DM2ABC", "1990-10-02", 229],
    ["Y24AB", "1990-10-03", 230],
    ["OK1ABC", "1992-12-31", 218],
    ["OK1ABC", "1993-01-01", 503],
    ["OM3ABC", "1993-01-01", 504],
    ["UB5ABC", "1985-01-01", 288],
    ["UB5ABC", "2020-01-01", 54],
    ["G3ABC/UL7", "1985-01-01", 130],
    ["PJ7/K1ABC", "2010-10-09", 255],
    ["PJ7/K1ABC", "2010-10-11", 518],
    ["KH5K/DJ1YFK", "2000-01-01", 134],
    ["KH5K/DJ1YFK", "2017-01-01", 197],
    ["VS9K/G3ABC", "1970-01-01", 127],
    ["4W1AB", "1989-01-01", 154],
    ["4W1AB", "2010-01-01", 511],
    ["CR8AB", "1960-01-01", 101],
    ["CR8AB", "1970-01-01", 200],
    ["KR6AB", "1970-01-01", 193],
    ["KR6AB", "1980-01-01", 291],
    ["VO1AB", "1949-03-31", 186],
    ["VO1AB", "1949-04-01", 1],
    ["UB4JJ", "1988-01-01", 288],
    ["RB7GG", "1988-01-01", 288],
    ["RY5AB", "1990-01-01", 288],
    ["UT5AB", "1988-01-01", 288],
    ["UL8ABC", "1985-01-01", 130],
    ["UM9ABC", "1985-01-01", 135],
    ["UP1BZ", "1985-01-01", 146],
    ["UC1ABC", "1988-01-01", 27],
    ["UZ3ABC", "1990-01-01", 54],
    ["UZ9ABC", "1988-01-01", 15],
    ["UK2ABC", "1978-01-01", null],
    ["UB5AB", "1995-01-01", null],
    ["UB5AB", "2012-01-01", 54],
    ["4J1FS", "1990-01-01", 151],
    ["4K2ABC", "1985-01-01", 61],
    ["4J5AB", "1985-01-01", null],
    ["CR4AB", "1970-01-01", 409],
    ["CR5SP", "1970-01-01", null],
    ["CR6AB", "1970-01-01", 401],
    ["CR7IZ", "1970-01-01", 181],
    ["CR9AK", "1975-01-01", 152],
    ["VR1AB", "1970-01-01", null],
    ["VR4AB", "1970-01-01", 185],
    ["VR5AB", "1965-01-01", 160],
    ["VR8B", "1977-01-01", 282],
    ["VR2AB", "2000-01-01", 321],
    ["MP4BBA", "1965-01-01", 304],
    ["MP4TAA", "1965-01-01", 391],
    ["M1ABC", "1990-01-01", null],
    ["M0ABC", "1997-01-01", 223],
    ["FL8AB", "1970-01-01", 382],
    ["FB8ZZ", "1965-01-01", 10],
    ["FB8XX", "1975-01-01", 131],
    ["FB8AB", "1955-01-01", 438],
    ["FB1ABC", "1990-01-01", 227],
    ["KC6AA", "1975-01-01", null],
    ["KC6AA", "1990-01-01", 22],
    ["KC6ABC", "1992-01-01", 291],
    ["KA2AB", "1960-01-01", 339],
    ["KA2ABC", "1985-01-01", 291],
    ["VP2AA", "1975-01-01", 94],
    ["VP2SX", "1975-01-01", 98],
    ["VP2EAB", "1975-01-01", 12],
    ["VQ2AB", "1960-01-01", 482],
    ["VQ4AB", "1960-01-01", 430],
    ["VS1AB", "1960-01-01", 381],
    ["VS1AB", "1964-01-01", null],
    ["VS9MB", "1960-01-01", 159],
    ["ET2AB", "1960-01-01", 51],
    ["4N4AB", "1985-01-01", 296],
    ["4N4AB", "1992-01-01", 501],
    ["YZ1AB", "1990-01-01", 296],
    ["9A1ABC", "1988-01-01", null],
    ["9A1ABC", "2000-01-01", 497],
    ["ZK1XH", "1998-01-01", null],
    ["ZK2AB", "2000-01-01", 188],
    ["PX1AB", "1965-01-01", 203],
    ["GC2AB", "1970-01-01", null],
    ["Z81AB", "2011-07-10", null],
    ["G3ABC/UB5", "1985-01-01", 288],
    ["VP2K/K1ABC", "1975-01-01", 249],
    ["K1ABC", "1950-01-01", 291],
    ["DL1ABC", "1900-01-01", 81],
  ])("%s on %s", (call, day, dxcc) => {
    expect(dxccOf(call, day)).toBe(dxcc);
  });

  test("without a date a prefix has today's meaning", () => {
    expect(dxccOf("OK1ABC")).toBe(503);
  });

  test("a deleted entity has its zones, continent and position", () => {
    expect(resolve(countries, "KZ5AB", Date.parse("1970-01-01"))).toEqual({
      dxcc: 28,
      cqZone: 7,
      ituZone: 11,
      continent: "NA",
      lat: 9.1,
      lon: -79.7,
    });
  });
});

describe("the place of an entity", () => {
  test("has a longitude that is positive in the east", () => {
    expect(resolve(countries, "DL1ABC", null)).toMatchObject({ lat: 51, lon: 10 });
    expect(resolve(countries, "VP2EAB", null)!.lon).toBeCloseTo(-63, 1);
  });

  test("can have parts with their own zone and continent", () => {
    expect(resolve(countries, "IG9ABC", null)).toMatchObject({ dxcc: 248, cqZone: 33, continent: "AF" });
    expect(resolve(countries, "TA1ABC", null)).toMatchObject({ dxcc: 390, cqZone: 20, continent: "EU" });
    expect(resolve(countries, "K6ABC", null)).toMatchObject({ cqZone: 3 });
  });

  test("can be on the continent Antarctica", () => {
    expect(resolve(countries, "DP0GVN", null)).toMatchObject({ dxcc: 13, continent: "AN" });
  });

  test("every prefix and call in the file belongs to a current entity", () => {
    const places = [...countries.byCall.values(), ...countries.byPrefix.values()];

    const strays = places.filter(({ dxcc }) => getEntity(dxcc)?.deleted !== false);

    expect(strays).toEqual([]);
  });
});

// Invariant: looking up any text gives an entity or none, never an exception
test("any text gives a known entity or null, and never an exception", () => {
  const part = fc.string({ unit: fc.constantFrom(..."AEFGIKMPUVWXY0123459-"), maxLength: 7 });
  const day = fc.option(fc.integer({ min: Date.UTC(1945, 0), max: Date.UTC(2030, 0) }), { nil: null });

  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), day, (parts, at) => {
      const place = resolve(countries, parts.join("/"), at);

      expect(place === null || getEntity(place.dxcc) !== null).toBeTrue();
    }),
  );
});

test("every generated contact gets its entity", async () => {
  const calls = await inventedContacts();

  expect(disagreements(calls)).toEqual([]);
  expect(calls.length).toBeGreaterThan(100);
});

test("the resolver agrees with the entity numbers of a real log", async () => {
  const real = await realContacts("qrz-export.adi");
  const calls = real ?? (await inventedContacts());
  const known = calls.filter(({ dxcc }) => dxcc !== null);

  const disagree = disagreements(known);

  const agree = known.length - disagree.length;
  console.log(`entities: ${agree} of ${known.length} agree; not: ${disagree.join(", ") || "none"}`);
  expect(known).toHaveLength(real ? 931 : calls.length);
  expect(agree / known.length).toBeGreaterThanOrEqual(0.995);
});

function disagreements(calls: SampleCall[]): string[] {
  return calls.flatMap(({ call, at, dxcc }) => {
    const place = resolve(countries, call, at);
    return place?.dxcc === dxcc ? [] : [`${call} ${dxcc} (here ${place?.dxcc ?? "none"})`];
  });
}
