import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { DAY } from "../../src/domain/clock.ts";
import { CONTINENTS } from "../../src/domain/entities.ts";
import { ENTITIES, entityName, entityOf, entityStatus, isValidOn } from "../../src/domain/entity.ts";

const SAMPLES = process.env.QSOLOG_SAMPLES ?? join(import.meta.dir, "../../../shared/data");

const on = (day: string) => Date.parse(`${day}T12:00:00Z`);

// Invariant: there are 340 current and 62 deleted entities
test("there are 340 current and 62 deleted entities", () => {
  const deleted = ENTITIES.filter((entity) => entity.deleted);

  expect(ENTITIES).toHaveLength(402);
  expect(deleted).toHaveLength(62);
});

test("every entity has a name of its own, a continent and zones that exist", () => {
  expect(new Set(ENTITIES.map(({ name }) => name)).size).toBe(402);
  for (const entity of ENTITIES) {
    expect(CONTINENTS).toContain(entity.continent);
    expect(entity.cqZone >= 1 && entity.cqZone <= 40).toBeTrue();
    expect(entity.ituZone >= 1 && entity.ituZone <= 90).toBeTrue();
  }
});

describe("a contact counts only within the entity's days", () => {
  test.each([
    [2, "1990-05-01", true],
    [2, "1991-03-31", true],
    [2, "1991-04-01", false],
    [2, "1992-01-01", false],
    [522, "2017-06-01", false],
    [522, "2018-01-20", false],
    [522, "2018-01-21", true],
    [81, "1973-09-16", true],
    [230, "1973-09-16", false],
    [230, "1973-09-17", true],
    [229, "1973-09-16", false],
    [497, "1991-06-25", false],
    [499, "1991-06-25", false],
    [521, "2011-01-01", false],
    [521, "2011-07-14", true],
    [291, "1945-11-14", false],
    [291, "1945-11-15", true],
    [291, "2026-01-01", true],
    [0, "2020-01-01", false],
    [999, "2020-01-01", false],
  ])("entity %d on %s: %p", (number, day, valid) => {
    expect(isValidOn(number, on(day))).toBe(valid);
  });

  test("from the first to the last millisecond", () => {
    const last = Date.parse("1991-03-31") + DAY - 1;

    expect([isValidOn(2, last), isValidOn(2, last + 1)]).toEqual([true, false]);
    expect(entityOf(2)!.validTo).toBe(last);
  });
});

test("no entity is told from an unknown number", () => {
  expect([0, 999, 291, 2].map(entityStatus)).toEqual(["none", "unknown", "current", "deleted"]);
  expect([0, 999, 291].map(entityName)).toEqual(["None", "Unknown entity 999", "United States"]);
  expect([entityOf(0), entityOf(999)]).toEqual([null, null]);
});

const COUNTED_FROM: Record<string, string> = {
  "169": "1975-07-06",
  "327": "1963-05-01",
  "411": "1975-07-06",
  "499": "1991-06-26",
  "501": "1991-10-15",
  "509": "1998-04-01",
  "511": "2000-03-01",
  "512": "2000-03-23",
  "513": "2001-11-16",
  "521": "2011-07-14",
};

test("the days are those LoTW counts with, but for ten it does not know", async () => {
  const file = Bun.file(join(SAMPLES, "dxcc-entities-with-dates.json"));
  const listed: Record<string, { deleted: boolean; valid: string; invalid: string | null }> = (await file.exists())
    ? await file.json()
    : { "2": { deleted: true, valid: "1945-11-15", invalid: "1991-03-31" } };
  delete listed["0"];

  const different = Object.entries(listed).filter(([number, { deleted, valid, invalid }]) => {
    const entity = entityOf(Number(number));
    const from = Date.parse(COUNTED_FROM[number] ?? valid);
    const to = invalid ? Date.parse(invalid) + DAY - 1 : null;
    return (
      entity?.deleted !== deleted || entity.validTo !== to || (entity.validFrom ?? Date.UTC(1945, 10, 15)) !== from
    );
  });

  expect(different).toEqual([]);
  for (const [number, day] of Object.entries(COUNTED_FROM)) {
    expect(entityOf(Number(number))!.validFrom).toBe(Date.parse(day));
  }
});
