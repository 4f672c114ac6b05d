import { expect, test } from "bun:test";
import fc from "fast-check";
import { readAdx } from "../../src/adif/adx.ts";
import { ADX_END, writeAdxHeader, writeAdxRecord } from "../../src/adif/adx-writer.ts";
import { writeHeader, writeRecord } from "../../src/adif/writer.ts";
import type { AdifRecord, Fields, UserDef } from "../../src/domain/contact/adif-record.ts";
import { read } from "./reading.ts";

const PIECES = (
  "< > : , \" ' & = / EOR EOH <EOR> <eoh> <CALL:5>W9EVI </RECORD> <RECORD> ]]> &lt;EOR&gt; é \n \r\t CALL APP_ APP_X_Y " +
  "app_lotw_eof USERDEF1 USERDEF RECORD HEADER APP ADX _ - . 1 A"
).split(" ");
const hostile = fc.oneof(
  fc.array(fc.constantFrom(...PIECES, " "), { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "binary", minLength: 1, maxLength: 6 }),
  fc.constantFrom("A".repeat(128), "A".repeat(129)),
);
const name = fc.oneof(hostile, fc.stringMatching(/^[A-Z][A-Z0-9_]{0,9}$/));
const record = fc.record({ fields: fc.dictionary(name, hostile), types: fc.dictionary(name, hostile) });
const definition: fc.Arbitrary<UserDef> = fc.record({ name, type: hostile, values: hostile });

/** As the standard has them, and as wide as the reader is. */
const isName = (text: string): boolean =>
  /^[A-Z0-9_.-]([A-Z0-9_. -]*[A-Z0-9_.-])?$/.test(text) &&
  text.length <= 128 &&
  !["EOR", "EOH", "APP_LOTW_EOF"].includes(text);

/** What each form makes of a text. */
const asAdi = (text: string) => text.toWellFormed().replaceAll(/(?<!\r)\r*\n/g, "\n");
const asXml = (text: string) =>
  asAdi(text.toWellFormed().replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ""));

const keptOf = (records: readonly AdifRecord[], as: (text: string) => string): AdifRecord[] =>
  records.map(({ fields, types = {} }) => {
    const kept: Fields = {};
    for (const [field, value] of Object.entries(fields)) if (isName(field) && as(value) !== "") kept[field] = as(value);
    const letters = Object.keys(kept).flatMap((field): [string, string][] => {
      const letter = types[field]?.trim().toUpperCase() ?? "";
      return /^[A-Z]$/.test(letter) ? [[field, letter]] : [];
    });
    return letters.length === 0 ? { fields: kept } : { fields: kept, types: Object.fromEntries(letters) };
  });

const isThere = ({ fields }: AdifRecord): boolean => Object.keys(fields).length > 0;
const FACTS = { programVersion: "0.1.0", createdAt: Date.UTC(2026, 7, 1) };

// Invariant: no field name, type or value creates a record or field in an export
test("any names, types and values are read again as the same records after writing", () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 4 }), fc.array(definition, { maxLength: 3 }), (records, userDefs) => {
      const adi = read(writeHeader({ ...FACTS, userDefs }) + records.map(writeRecord).join(""));

      expect(adi.records).toEqual(keptOf(records, asAdi).filter(isThere));
      expect(adi.problems).toEqual([]);
      expect(adi.header!.userDefs.map((one) => one.name)).toEqual(userDefs.map((one) => one.name).filter(isName));
    }),
  );
});

test("the same holds for ADX, including all whitespace and line ends", async () => {
  const given = fc.tuple(fc.array(record, { maxLength: 4 }), fc.array(definition, { maxLength: 3 }));
  await fc.assert(
    fc.asyncProperty(given, async ([records, userDefs]) => {
      const own = new Set(userDefs.map((one) => one.name));
      const text =
        writeAdxHeader({ ...FACTS, userDefs }) + records.map((one) => writeAdxRecord(one, own)).join("") + ADX_END;

      const adx = await allOf(text);

      expect(adx.records).toEqual(keptOf(records, asXml).filter(isThere));
      expect(adx.problems).toEqual([]);
      expect(adx.names).toEqual(userDefs.map((one) => one.name).filter(isName));
    }),
  );
});

const allOf = async (text: string) => {
  const found = { records: [] as AdifRecord[], problems: [] as unknown[], names: [] as string[] };
  const bytes = async function* () {
    yield Buffer.from(text);
  };
  for await (const { header, records, problems } of readAdx(bytes())) {
    found.records.push(...records);
    found.problems.push(...problems);
    found.names.push(...(header?.userDefs.map((one) => one.name) ?? []));
  }
  return found;
};
