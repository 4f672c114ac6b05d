import { beforeAll, describe, expect, test } from "bun:test";
import { loadCountryFile } from "../../src/callsign/country-file.ts";
import { createCallFacts } from "../../src/callsign/facts.ts";
import type { Fields } from "../../src/domain/contact/adif-record.ts";
import type { CallFacts } from "../../src/domain/radio/call-facts.ts";
import { derive } from "../../src/domain/contact/derive.ts";
import { listCircles, listEntities } from "../../src/domain/radio/own-place.ts";
import { aFileRecord, theLayers } from "../support/contacts.ts";

let facts: CallFacts;
beforeAll(async () => {
  facts = createCallFacts(await loadCountryFile());
});

describe("where a contact was made from", () => {
  test.each([
    ["the own call", { STATION_CALLSIGN: "KH6/W1ABC" }, 110, null],
    ["what is said, before the call", { STATION_CALLSIGN: "W1ABC", MY_DXCC: "110" }, 110, null],
    ["the call of the day", { STATION_CALLSIGN: "OK1ABC", QSO_DATE: "19900101" }, 218, null],
    ["a call at sea", { STATION_CALLSIGN: "W1ABC/MM" }, 0, null],
    ["no call", { STATION_CALLSIGN: "" }, null, null],
    ["a number that is none", { STATION_CALLSIGN: "DL1ABC", MY_DXCC: "x" }, 230, null],
    ["a square", { STATION_CALLSIGN: "DL1ABC", MY_GRIDSQUARE: "jo62qm" }, 230, "JO62QM"],
    ["a long square", { STATION_CALLSIGN: "DL1ABC", MY_GRIDSQUARE: "JO62qm11" }, 230, "JO62QM"],
    ["half a square", { STATION_CALLSIGN: "DL1ABC", MY_GRIDSQUARE: "JO" }, 230, null],
    ["no square", { STATION_CALLSIGN: "DL1ABC", MY_GRIDSQUARE: "ZZ99" }, 230, null],
  ])("%s", (_, fields: Fields, ownEntity, ownGrid) => {
    const layers = theLayers({ file: aFileRecord({ fields }) });

    expect(derive(layers, facts)).toMatchObject({ ownEntity, ownGrid });
  });
});

test("the most common entity comes first and gets the contacts without a place", () => {
  const counted = [
    { entity: 110, contacts: 3 },
    { entity: null, contacts: 4 },
    { entity: 0, contacts: 1 },
    { entity: 291, contacts: 5 },
    { entity: 6, contacts: 3 },
  ];

  expect(listEntities(counted).map(({ location, label, contacts }) => `${location} ${label} ${contacts}`)).toEqual([
    "291 United States 9",
    "6 Alaska 3",
    "110 Hawaii 3",
    "0 no entity 1",
  ]);
  expect(listEntities([{ entity: null, contacts: 4 }])).toEqual([]);
});

test("no two squares of a circle are more than 200 km apart, and the most common circle comes first", () => {
  const counted = [
    { grid: "FN42", contacts: 5 },
    { grid: "FN41AA", contacts: 2 },
    { grid: "DM13", contacts: 6 },
    { grid: "FN30", contacts: 1 },
    { grid: null, contacts: 10 },
  ];

  // FN41AA is near both of the others, which are 280 km apart.
  expect(listCircles(counted).map(({ location, contacts, grids }) => [location, contacts, grids.join(" ")])).toEqual([
    ["DM13", 16, "DM13"],
    ["FN42", 7, "FN42 FN41AA"],
    ["FN30", 1, "FN30"],
  ]);
  expect(listCircles([])).toEqual([]);
  expect(listCircles([{ grid: null, contacts: 1 }])).toEqual([]);
});
