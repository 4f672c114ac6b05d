import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { NO_LAYERS, sameLayers, removeParts, type Layers } from "../../src/domain/contact/layers.ts";
import { SERVICE_ORIGINS } from "../../src/domain/origins/services.ts";
import { SERVICES } from "../../src/domain/jobs/source.ts";
import { firstOrigin } from "../../src/domain/origins/first.ts";
import { secondOrigin } from "../../src/domain/origins/second.ts";
import { ownerOrigin, setTyped } from "../../src/domain/origins/owner.ts";
import { isConfirming } from "../../src/domain/origins/origin.ts";
import {
  aFileRecord,
  aFirstRecord,
  anyLayers,
  anyWord,
  aSecondRecord,
  ofFile,
  ofFirst,
  ofSecond,
  ofTyped,
  theLayers,
} from "../support/contacts.ts";
import { isFull } from "../support/full.ts";

const RUNS = { numRuns: isFull(import.meta) ? 2_000 : 60 };

describe("for every origin", () => {
  // Invariant: the order in which origins arrive does not matter
  test("the order of the origins makes no difference", () => {
    fc.assert(
      fc.property(anyLayers(), ofTyped(), ofFile(), ofFirst(), ofSecond(), (known, typed, file, first, second) => {
        const oneWay = [typed, file, first, second].reduce((layers, hear) => hear(layers), known);
        const otherWay = [second, first, file, typed].reduce((layers, hear) => hear(layers), known);

        expect(sameLayers(oneWay, otherWay)).toBe(true);
      }),
      RUNS,
    );
  });

  test("repeating a record changes nothing", () => {
    fc.assert(
      fc.property(anyLayers(), anyWord(), (known, hear) => {
        const once = hear(known);

        expect(sameLayers(hear(once), once)).toBe(true);
      }),
      RUNS,
    );
  });

  test("earlier layers are not modified", () => {
    fc.assert(
      fc.property(anyLayers(), anyWord(), (known, hear) => {
        const before = structuredClone(known);

        hear(known);

        expect(known).toEqual(before);
      }),
      RUNS,
    );
  });

  // Invariant: a service writes only its own layer
  test("a service changes only its own layer", () => {
    const known = theLayers({
      typed: { NAME: "Ann" },
      file: aFileRecord(),
      qsl: aFirstRecord(),
      second: aSecondRecord(),
    });

    expect(firstOrigin.merge(known, aFirstRecord({ state: "IA" }), "qsl")).toMatchObject({
      own: known.own,
      second: known.second,
    });
    expect(secondOrigin.merge(known, aSecondRecord({ state: "IA" }))).toMatchObject({
      own: known.own,
      first: known.first,
    });
  });
});

describe("the first service", () => {
  test("with N withdraws neither a confirmation nor its details (case 67)", () => {
    const confirmed = theLayers({ qsl: aFirstRecord({ state: "WI" }) });

    const after = firstOrigin.merge(confirmed, aFirstRecord({ confirmed: false }), "qsl");

    expect(after.first?.qsl).toEqual(aFirstRecord({ state: "WI" }));
  });

  test("replaces a confirmation that is sent again with another detail", () => {
    const confirmed = theLayers({ qsl: aFirstRecord({ state: "WI", fields: { CNTY: "WI,PIERCE" } }) });

    const after = firstOrigin.merge(confirmed, aFirstRecord({ state: "IA" }), "qsl");

    expect(after.first?.qsl).toEqual(aFirstRecord({ state: "IA" }));
  });

  test("keeps its copy and its confirmation separate", () => {
    const { first } = theLayers({ qso: aFirstRecord({ confirmed: false }), qsl: aFirstRecord() });

    expect(first).toEqual({ qso: aFirstRecord({ confirmed: false }), qsl: aFirstRecord() });
  });
});

describe("the second service", () => {
  test.each(["N", "2", "S", "R", "A", "V"])("withdraws its confirmation with the explicit status %s", (status) => {
    const confirmed = theLayers({ second: aSecondRecord({ confirmed: true }) });

    const after = secondOrigin.merge(confirmed, aSecondRecord({ fields: { APP_QRZLOG_STATUS: status } }));

    expect(after.second?.record?.fields.APP_QRZLOG_STATUS).toBe(status);
    expect(after.second?.record?.fields.APP_QRZLOG_QSLDATE).toBeUndefined();
  });

  test.each([null, " "])("keeps the confirmation and its date if the status is %p", (status) => {
    const confirmed = theLayers({ second: aSecondRecord({ confirmed: true }) });

    const after = secondOrigin.merge(confirmed, aSecondRecord({ state: "IA", fields: { APP_QRZLOG_STATUS: status } }));

    expect(after.second?.record?.fields).toMatchObject({
      APP_QRZLOG_STATUS: "C",
      APP_QRZLOG_QSLDATE: "20260731",
      STATE: "IA",
    });
  });
});

describe("a file", () => {
  test("keeps what a later file omits, and replaces what it has", () => {
    const known = theLayers({ file: aFileRecord({ fields: { NAME: "Bob", QTH: "Ames" } }) });

    const after = ownerOrigin.merge(known, aFileRecord({ fields: { NAME: "Robert" } }));

    expect(after.own?.file?.fields).toMatchObject({ NAME: "Robert", QTH: "Ames" });
  });

  test.each([
    ["QSL_RCVD", "Y", "QSLRDATE"],
    ["QSL_RCVD", "V", "QSLRDATE"],
    ["LOTW_QSL_RCVD", "Y", "LOTW_QSLRDATE"],
    ["APP_QRZLOG_STATUS", "C", "APP_QRZLOG_QSLDATE"],
  ])("keeps %s %s and its date if a later file has N", (status, yes, date) => {
    const known = theLayers({ file: aFileRecord({ fields: { [status]: yes, [date]: "20260731" } }) });

    for (const no of ["N", "R", "V"].filter((word) => !isConfirming(word, yes === "C" ? ["C"] : ["Y", "V"]))) {
      const after = ownerOrigin.merge(known, aFileRecord({ fields: { [status]: no, [date]: "00000000" } }));

      expect(after.own?.file?.fields).toMatchObject({ [status]: yes, [date]: "20260731" });
    }
  });

  test.each(["LoTW", "LOTW", " lotw "])("written by the first service (%p) is kept separate from others", (program) => {
    const report = { ...aFirstRecord(), program };
    const log = { ...aFileRecord({ fields: { QSL_RCVD: "N" } }), program: "Logger" };

    const reportFirst = ownerOrigin.merge(ownerOrigin.merge(NO_LAYERS, report), log);
    const logFirst = ownerOrigin.merge(ownerOrigin.merge(NO_LAYERS, log), report);

    expect(reportFirst).toEqual(logFirst);
    expect(reportFirst.own).toEqual({ report, file: log });
  });

  test("combines the field types of both files", () => {
    const known = ownerOrigin.merge(NO_LAYERS, { fields: { CALL: "K9XYZ", AGE: "44" }, types: { AGE: "N" } });

    const after = ownerOrigin.merge(known, { fields: { TX_PWR: "5" }, types: { TX_PWR: "N" } });

    expect(removeParts(after.own!.file!)).toEqual({
      fields: { CALL: "K9XYZ", AGE: "44", TX_PWR: "5" },
      types: { AGE: "N", TX_PWR: "N" },
    });
  });
});

describe("typed values", () => {
  test("are removed by null, and the layer with the last one", () => {
    const typed = setTyped(NO_LAYERS, { STATE: "IA", NAME: "Ann" });

    expect(typed.own).toEqual({ typed: { STATE: "IA", NAME: "Ann" } });
    expect(setTyped(typed, { NAME: null }).own).toEqual({ typed: { STATE: "IA" } });
    expect(setTyped(typed, { NAME: "", STATE: null })).toEqual(NO_LAYERS);
  });

  test("keep the file's values below them", () => {
    const layers = setTyped(theLayers({ typed: { STATE: "IA" }, file: aFileRecord() }), { STATE: null });

    expect(layers).toEqual(theLayers({ file: aFileRecord() }));
  });
});

test("layers are equal whatever the order of their fields", () => {
  const one: Layers = { ...NO_LAYERS, second: { record: { fields: { CALL: "K9XYZ", BAND: "20m" } } } };

  expect(sameLayers(one, { ...NO_LAYERS, second: { record: { fields: { BAND: "20m", CALL: "K9XYZ" } } } })).toBe(true);
  expect(sameLayers(one, { ...NO_LAYERS, second: { record: { fields: { BAND: "40m", CALL: "K9XYZ" } } } })).toBe(false);
});

test.each([
  ["Y", true],
  [" y ", true],
  ["V", true],
  ["C", true],
  ["N", false],
  ["R", false],
  ["", false],
  [undefined, false],
])("the status %p confirms: %p", (status, confirms) => {
  expect(SERVICES.some((service) => isConfirming(status, SERVICE_ORIGINS[service].claim.yes))).toBe(confirms);
});
