import { describe, expect, test } from "bun:test";
import { AdifReader } from "../../src/adif/reader.ts";
import { writeRecord } from "../../src/adif/writer.ts";
import { readTyped } from "../../src/contacts/fields.ts";
import { parseFrequency } from "../../src/domain/radio/band.ts";
import { derive } from "../../src/domain/contact/derive.ts";
import { FIELD_NAMES, getField, listFieldsWith, FIELDS } from "../../src/domain/contact/fields.ts";
import { MAX_TEXT_LENGTH } from "../../src/domain/contact/field-texts.ts";
import type { Derived } from "../../src/domain/contact/qso.ts";
import { redactText } from "../../src/kernel/redact.ts";

import * as qsos from "../../src/storage/log/qsos.ts";
import { parseKey } from "../../src/sync/match/incoming.ts";
import { facts } from "../contacts/log.ts";
import { aFileRecord, aFirstRecord, aSecondRecord, theLayers } from "../support/contacts.ts";
import { growsTooFast } from "../support/growth.ts";
import { aUser, NOON, testWorld } from "../support/world.ts";

describe("the definitions of the fields", () => {
  test("with a flag are read as a flag", async () => {
    const world = await testWorld();
    const { id: bob } = await aUser(world, "bob");
    const layers = theLayers({ qsl: aFirstRecord(), second: aSecondRecord({ confirmed: true }) });
    const row = { createdAt: 1, updatedAt: 1, rulesVersion: 1 };
    await world.db.write(() => qsos.addMany(bob, [{ ...derive(layers, facts)!, ...layers, ...row }]));

    const [qso] = await world.db.read(() => qsos.listOfAll(0, 1));

    const flags = FIELD_NAMES.filter((name) => getField(name).holds.kind === "flag");
    expect(flags.filter((name) => typeof qso![name] !== "boolean")).toEqual([]);
  });

  test("use no ADIF field, option or filter twice", () => {
    const adif = FIELD_NAMES.flatMap((name) => [...(getField(name).adif ?? []), ...(getField(name).beside ?? [])]);
    const options = listFieldsWith("option").map((name) => FIELDS[name].option[0].split(" ")[0]);
    const filters = listFieldsWith("filter").map((name) => FIELDS[name].filter.name);

    for (const names of [adif, options, filters]) expect(new Set<unknown>(names).size).toBe(names.length);
  });

  test("have a maximum length if they have an ADIF name", () => {
    const without = FIELD_NAMES.filter((name) => {
      const { adif, beside, length } = getField(name);
      return (adif || beside) && !length;
    });

    expect(without).toEqual([]);
  });
});

describe("texts that are too long", () => {
  const derived = (fields: Record<string, string>): Derived =>
    derive(theLayers({ file: aFileRecord({ fields }) }), facts)!;
  const long = "x".repeat(900_000);

  test("do not reach the columns: text is cut, a code is ignored, and the layers keep everything", () => {
    const fields = { COMMENT: long, NAME: long, QTH: long, CNTY: long, RST_SENT: long, STATE: long, SAT_NAME: long };
    const layers = theLayers({ file: aFileRecord({ fields }) });

    const said = derive(layers, facts)!;

    const cut = "x".repeat(MAX_TEXT_LENGTH);
    expect(said).toMatchObject({ comment: cut, name: cut, qth: cut, county: cut, rstSent: cut });
    expect(said).toMatchObject({ state: null, satName: null });
    expect(layers.own!.file!.fields.COMMENT).toBe(long);
  });

  test.each(FIELD_NAMES.flatMap((name) => [...(getField(name).adif ?? []), ...(getField(name).beside ?? [])]))(
    "of %s, in any layer, make no long column",
    (name) => {
      const list = "EN52,".repeat(200_000);
      for (const text of [long, list]) {
        const layers = theLayers({ file: aFileRecord({ fields: { [name]: text } }), second: aSecondRecord() });
        const columns = Object.values(derive(layers, facts) ?? {});

        expect(columns.filter((value) => typeof value === "string" && value.length > 2 * MAX_TEXT_LENGTH)).toEqual([]);
      }
    },
  );

  test("are never cut inside a character, and a list of credits never inside a credit", () => {
    const credits = Array.from({ length: 500 }, (_, at) => `CREDIT${at}`).join(",");

    expect(derived({ COMMENT: `${"x".repeat(MAX_TEXT_LENGTH - 1)}\u{1F600}` }).comment).toBe(
      "x".repeat(MAX_TEXT_LENGTH - 1),
    );
    expect(
      derived({ CREDIT_GRANTED: credits })
        .credits!.split(",")
        .filter((one) => !credits.split(",").includes(one)),
    ).toEqual([]);
  });

  test("are refused when typed", () => {
    const typed = {
      name: "x".repeat(MAX_TEXT_LENGTH + 1),
      contestId: "X".repeat(65),
      extra: { NOTES: "x".repeat(1001) },
    };

    expect(readTyped(typed, NOON).problems.map(({ path }) => path)).toEqual(["name", "contestId", "extra.NOTES"]);
  });
});

/** Each of these blocked a server for seconds or minutes. */
describe("processing time is linear in the length of the text", () => {
  const imported = (adif: string): void => {
    const records: Record<string, string>[] = [];
    const reader = new AdifReader({ onRecord: ({ fields }) => void records.push(fields) });
    reader.write(new TextEncoder().encode(adif));
    reader.end();
    for (const fields of records) {
      parseKey(fields, facts);
      derive(theLayers({ file: { fields } }), facts);
    }
    expect(records).toHaveLength(1);
  };
  const record = (fields: Record<string, string>) => writeRecord(aFileRecord({ fields }));
  const digits = (size: number) => `${"1".repeat(size)}x`;

  test.each<[string, number, (size: number) => () => void]>([
    [
      "a FREQ of 100 KB of digits",
      50_000,
      (size) => {
        const text = record({ FREQ: digits(size) });
        return () => imported(text);
      },
    ],
    [
      "a frequency by itself",
      50_000,
      (size) => {
        const text = digits(size);
        return () => void parseFrequency(text);
      },
    ],
    [
      "a COMMENT of 100 KB of CR",
      50_000,
      (size) => {
        const text = `<EOH><CALL:5>K1ABC<QSO_DATE:8>20260801<TIME_ON:4>1000<COMMENT:${size}>${"\r".repeat(size)}<EOR>`;
        return () => imported(text);
      },
    ],
    [
      "a record with 100 KB of CR that is written",
      50_000,
      (size) => {
        const fields = { COMMENT: `${"\r".repeat(size)}x\n` };
        return () => void writeRecord({ fields });
      },
    ],
    [
      "a typed power of 50 KB of digits",
      12_500,
      (size) => {
        const txPower = digits(size);
        return () => void readTyped({ txPower }, NOON);
      },
    ],
    [
      "a path of 15 KB in the log",
      4_000,
      (size) => {
        const path = `/${"a".repeat(size)}`;
        return () => void redactText(path);
      },
    ],
  ])("%s", (_, size, make) => {
    expect(growsTooFast(make, size, (work) => work())).toBe(false);
  });
});
