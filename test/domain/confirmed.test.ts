import { describe, expect, test } from "bun:test";
import {
  encodeConfirmedAs,
  applyConfirmedPlace,
  encodeConfirmedTimes,
  confirmsElsewhere,
  setConfirmations,
  replaceGrids,
} from "../../src/domain/contact/confirmed.ts";
import { computeConfirmedBy } from "../../src/domain/origins/bits.ts";
import type { Derived } from "../../src/domain/contact/qso.ts";

const PLACE = { dxcc: 291, continent: "NA", awardEntity: 291, awardState: "IA", awardZone: 4, awardGrids: "EN52" };

const SAME = { firstEntity: 291, firstState: "IA", firstZone: 4, firstGrids: "EN52" };

const aContact = (given: Partial<Derived>): Derived =>
  ({
    ...PLACE,
    firstConfirmed: true,
    firstConfirmedAt: null,
    secondConfirmed: false,
    secondConfirmedAt: null,
    cardConfirmed: false,
    ...SAME,
    ...given,
  }) as Derived;

describe("the place of a confirmation", () => {
  test.each<[string | null, Partial<Derived>, string]>([
    [null, {}, "the same as the contact"],
    ['{"8":{"state":"WI"}}', { firstState: "WI" }, "another state"],
    ['{"8":{"entity":6,"zone":null}}', { firstEntity: 6, firstZone: null }, "another entity, and no zone"],
    ['{"8":{"grids":"EN34,EN35"}}', { firstGrids: "EN34,EN35" }, "other squares"],
  ])("is %s where it says %j", (text, said) => {
    const qso = aContact(said);

    expect(encodeConfirmedAs(qso)).toBe(text);
    const columns = {
      confirmedBy: computeConfirmedBy(qso),
      confirmedTimes: encodeConfirmedTimes(qso),
      confirmedAs: text,
    };
    const read = { ...PLACE } as Derived;
    setConfirmations(read, columns);
    expect(read).toEqual(qso);
  });

  test("is empty if the witness did not confirm", () => {
    const none = { firstEntity: null, firstState: null, firstZone: null, firstGrids: null };
    const qso = aContact({ firstConfirmed: false, ...none });

    expect(encodeConfirmedAs(qso)).toBeNull();
    const read = { ...PLACE } as Derived;
    setConfirmations(read, { confirmedBy: 0, confirmedTimes: null, confirmedAs: null });
    expect(read).toEqual(qso);
  });

  test("replaces the contact's own place when awards count groups", () => {
    const tally = { ...PLACE, confirmedAs: '{"8":{"entity":6,"state":null}}' };

    expect(applyConfirmedPlace(tally, "first")).toMatchObject({
      awardEntity: 6,
      awardState: null,
      awardZone: 4,
      continent: "NA",
    });
    expect(applyConfirmedPlace({ ...tally, confirmedAs: '{"8":{"entity":110}}' }, "first").continent).toBe("OC");
    expect(applyConfirmedPlace(tally, "second")).toBe(tally);
    expect([confirmsElsewhere(tally, "first"), confirmsElsewhere(tally, "card")]).toEqual([true, false]);
  });

  test("can be replaced for one square at a time", () => {
    const second = (grids: string | null) => grids?.split(",")[1] ?? null;

    expect(replaceGrids('{"8":{"state":"WI","grids":"EN34,EN35"}}', second)).toBe(
      '{"8":{"state":"WI","grids":"EN35"}}',
    );
    expect(replaceGrids(null, second)).toBeNull();
  });
});

test("unknown confirmation times are left out", () => {
  expect(encodeConfirmedTimes(aContact({ firstConfirmedAt: 5, secondConfirmedAt: 7 }))).toBe('{"8":5,"16":7}');
  expect(encodeConfirmedTimes(aContact({ secondConfirmedAt: 7 }))).toBe('{"16":7}');
  expect(encodeConfirmedTimes(aContact({}))).toBeNull();
});
