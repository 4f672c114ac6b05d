import { describe, expect, test } from "bun:test";
import type { Fields } from "../../src/domain/contact/adif-record.ts";
import {
  countCharacters,
  fitFields,
  MAX_RECORD_LENGTH,
  MAX_VALUE_LENGTH,
} from "../../src/domain/contact/record-size.ts";
import { writeAdxHeader, writeAdxRecord, ADX_END } from "../../src/adif/adx-writer.ts";
import { writeHeader, writeRecord } from "../../src/adif/writer.ts";
import { exportLog } from "../../src/contacts/export.ts";
import { sync, qrz } from "../support/sync.ts";
import { aUser, testWorld } from "../support/world.ts";
import { contactsOf, importLog } from "./log.ts";

const CONTACT = { CALL: "K1ABC", QSO_DATE: "20260801", TIME_ON: "120000", BAND: "20m", MODE: "CW" };
const FACTS = { programVersion: "1", createdAt: 0 };

const WRITERS = {
  adi: (fields: Fields) => writeHeader(FACTS) + writeRecord({ fields }),
  adx: (fields: Fields) => writeAdxHeader(FACTS) + writeAdxRecord({ fields }, new Set()) + ADX_END,
};

const many = (length: number, value: string): Fields =>
  Object.fromEntries(Array.from({ length }, (_, n) => [`APP_X_${n}`, value]));

// Defence: a value has at most 65,536 characters and a record 1,048,576, whoever gives them
describe.each(Object.keys(WRITERS) as (keyof typeof WRITERS)[])("a record in %s", (format) => {
  const importing = async (fields: Fields) => {
    const world = await testWorld();
    const { id } = await aUser(world, "bob");
    const job = await importLog(world, id, WRITERS[format]({ ...CONTACT, ...fields }));
    return { stats: job.stats, contacts: await contactsOf(world, id) };
  };

  test.each([
    ["with a value of the longest length", "é".repeat(MAX_VALUE_LENGTH), true],
    ["of line ends and marks", '\n<&"\t'.repeat(MAX_VALUE_LENGTH / 8), true],
    ["with a longer value", "x".repeat(MAX_VALUE_LENGTH + 1), false],
    ["with a value of 900,000 characters", "x".repeat(900_000), false],
    ["with a value of 3,000,000 characters", "x".repeat(3_000_000), false],
  ])("%s is kept, without the value if it is too long", async (_, value, isKept) => {
    const { contacts, stats } = await importing({ NOTES: value });

    expect(contacts).toHaveLength(1);
    expect(contacts[0]!.own!.file!.fields.NOTES).toEqual((isKept ? value : undefined) as string);
    expect(stats.rejected).toBe(isKept ? 0 : 1);
  });

  test("of more characters is rejected", async () => {
    expect((await importing(many(15, "é".repeat(65_536)))).contacts).toHaveLength(1);
    expect(await importing(many(17, "é".repeat(65_536)))).toMatchObject({ contacts: [], stats: { rejected: 1 } });
  });
});

describe("what is exported can be imported again", () => {
  test.each(["adi", "adx"] as const)("a contact of large records of several origins, as %s", async (format) => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    const ann = await aUser(world, "ann");
    await importLog(world, bob.id, WRITERS.adi({ ...CONTACT, ...many(14, "x".repeat(65_000)) }));
    const more = Object.fromEntries([1, 2, 3].map((n) => [`APP_Y_${n}`, "y".repeat(60_000)]));
    await sync(world, bob.id, "second", [qrz(1, "K1ABC", "2026-08-01 12:00", { BAND: "20m", MODE: "CW", ...more })]);
    const [own] = await contactsOf(world, bob.id);
    expect(own!.second).not.toBeNull();

    const text = (await Array.fromAsync(exportLog(world, bob.id, {}, { format }))).join("");
    await importLog(world, ann.id, text);

    const [copy] = await contactsOf(world, ann.id);
    expect(copy!.own!.file!.fields).toEqual(own!.own!.file!.fields);
    expect(copy!.own!.brought!.second!.record!.fields).toEqual(own!.second!.record!.fields);
  });

  test("the longest fields are left out of a record that would be too long", () => {
    const fields = { ...many(3_000, "x".repeat(300)), ...many(20, "x".repeat(65_536)), LONG: "x".repeat(65_537) };
    const fitting = fitFields(fields);
    expect(countCharacters(fitting)).toBeLessThanOrEqual(MAX_RECORD_LENGTH);
    expect(Object.keys(fitting).length).toBeLessThan(2_000);
    expect(fitting).not.toHaveProperty("LONG");
  });
});

test("a contact never grows beyond its limit, however many files say something about it", async () => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");
  const sizes: number[] = [];
  for (let n = 0; n < 5; n++) {
    const job = await importLog(world, id, WRITERS.adi({ ...CONTACT, ...many(12, `${n}`.repeat(50_000)) }));
    sizes.push(job.stats.rejected);
  }
  expect(sizes).toEqual([0, 0, 0, 1, 1]);
  expect((await contactsOf(world, id))[0]!.own!.file!.parts).toHaveLength(3);
});
