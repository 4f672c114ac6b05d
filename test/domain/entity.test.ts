import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { DAY } from "../../src/kernel/clock.ts";
import { CONTINENTS } from "../../src/domain/radio/entities.ts";
import { ENTITIES, getEntityName, getEntity, getEntityStatus, isValidOn } from "../../src/domain/radio/entity.ts";

const SAMPLES = process.env.QSOLOG_SAMPLES ?? join(import.meta.dir, "../../samples");

const on = (day: string) => Date.parse(`${day}T12:00:00Z`);

// Invariant: there are 340 current and 62 deleted entities
test("there are 340 current and 62 deleted entities", () => {
  const deleted = ENTITIES.filter((entity) => entity.deleted);

  expect(ENTITIES).toHaveLength(402);
  expect(deleted).toHaveLength(62);
});

test("every entity has its own name, a continent and valid zones", () => {
  expect(new Set(ENTITIES.map(({ name }) => name)).size).toBe(402);
  for (const entity of ENTITIES) {
    expect(CONTINENTS).toContain(entity.continent);
    expect(entity.cqZone >= 1 && entity.cqZone <= 40).toBeTrue();
    expect(entity.ituZone >= 1 && entity.ituZone <= 90).toBeTrue();
  }
});

describe("a contact counts only on the entity's days", () => {
  test.each([
    [2, "1990-05-01", true],
    [2, "1991-03-30", true],
    [2, "1991-03-31", false],
    [85, "2010-10-10", false],
    [517, "2010-10-10", true],
    [381, "1960-01-01", true],
    [381, "1963-09-15", true],
    [381, "1963-09-16", false],
    [381, "1965-08-08", false],
    [381, "1965-08-09", true],
    [173, "1975-01-01", true],
    [51, "1960-01-01", true],
    [51, "1962-11-14", true],
    [51, "1962-11-15", false],
    [51, "1991-05-23", false],
    [51, "1991-05-24", true],
    [51, "1945-11-14", false],
    [2, "1992-01-01", false],
    [522, "2017-06-01", false],
    [522, "2018-01-20", false],
    [522, "2018-01-21", true],
    [81, "1973-09-16", true],
    [81, "1973-09-17", false],
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
    const last = Date.parse("1991-03-30") + DAY - 1;

    expect([isValidOn(2, last), isValidOn(2, last + 1)]).toEqual([true, false]);
    expect(getEntity(2)!.validTo).toBe(last);
  });
});

/** From the notes to the ARRL's list of deleted entities: contacts on that day and before count. */
const LAST_DAYS: [number: number, day: string][] = [
  [2, "1991-03-30"],
  [8, "1976-06-28"],
  [19, "1981-09-16"],
  [23, "1975-06-30"],
  [25, "1963-09-15"],
  [26, "1960-06-30"],
  [28, "1979-09-30"],
  [30, "1963-04-30"],
  [39, "1975-07-05"],
  [42, "1961-12-31"],
  [44, "1976-06-28"],
  [55, "1976-06-28"],
  [57, "1960-08-16"],
  [58, "1950-12-20"],
  [59, "1960-08-06"],
  [67, "1954-10-31"],
  [68, "1969-12-14"],
  [81, "1973-09-16"],
  [85, "2010-10-09"],
  [93, "1978-02-28"],
  [101, "1961-12-31"],
  [102, "1957-03-05"],
  [113, "1969-05-13"],
  [115, "1960-06-30"],
  [119, "1963-04-30"],
  [127, "1982-03-10"],
  [128, "1960-06-30"],
  [134, "2016-03-28"],
  [139, "1967-11-29"],
  [151, "2012-02-16"],
  [154, "1990-05-21"],
  [155, "1963-09-15"],
  [164, "1963-09-15"],
  [178, "1972-07-15"],
  [183, "1963-04-30"],
  [184, "1963-04-30"],
  [186, "1949-03-31"],
  [193, "1972-05-14"],
  [194, "1980-11-30"],
  [196, "1968-06-30"],
  [198, "1975-09-15"],
  [200, "1976-09-14"],
  [208, "1962-06-30"],
  [210, "1957-03-31"],
  [218, "1992-12-31"],
  [220, "1963-09-15"],
  [226, "1981-12-25"],
  [228, "1981-09-16"],
  [229, "1990-10-02"],
  [231, "1975-04-30"],
  [243, "1990-05-21"],
  [244, "1994-12-31"],
  [255, "2010-10-09"],
  [258, "1963-04-30"],
  [261, "1972-08-31"],
  [264, "1960-06-30"],
  [267, "1975-09-15"],
  [268, "1974-05-30"],
  [271, "1957-03-31"],
  [307, "1974-05-31"],
  [488, "1994-02-28"],
  [493, "1994-02-28"],
];

test("each deleted entity counts on the last day in the list's notes, and not on the next", () => {
  const deleted = ENTITIES.filter((entity) => entity.deleted);
  expect(LAST_DAYS.map(([number]) => number)).toEqual(deleted.map(({ number }) => number));

  for (const [number, day] of LAST_DAYS) {
    expect([number, isValidOn(number, on(day)), isValidOn(number, on(day) + DAY)]).toEqual([number, true, false]);
  }
});

test('"no entity" differs from an unknown number', () => {
  expect([0, 999, 291, 2].map(getEntityStatus)).toEqual(["none", "unknown", "current", "deleted"]);
  expect([0, 999, 291].map(getEntityName)).toEqual(["None", "Unknown entity 999", "United States"]);
  expect([getEntity(0), getEntity(999)]).toEqual([null, null]);
});

const COUNTED_FROM: Record<string, string> = {
  "169": "1975-07-06",
  "173": "1945-11-15",
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

/** Nothing counts from the day a deletion took effect. For this entity the notes name an earlier day. */
const DELETED_FROM: Record<string, string> = { "243": "1990-05-22" };

test("the days are those of LoTW, except for twelve that LoTW does not have", async () => {
  const file = Bun.file(join(SAMPLES, "dxcc-entities-with-dates.json"));
  const listed: Record<string, { deleted: boolean; valid: string; invalid: string | null }> = (await file.exists())
    ? await file.json()
    : { "2": { deleted: true, valid: "1945-11-15", invalid: "1991-03-31" } };
  delete listed["0"];

  const different = Object.entries(listed).filter(([number, { deleted, valid, invalid }]) => {
    const entity = getEntity(Number(number));
    const from = Date.parse(COUNTED_FROM[number] ?? valid);
    const to = invalid ? Date.parse(DELETED_FROM[number] ?? invalid) - 1 : null;
    return (
      entity?.deleted !== deleted || entity.validTo !== to || (entity.validFrom ?? Date.UTC(1945, 10, 15)) !== from
    );
  });

  expect(different).toEqual([]);
  for (const [number, day] of Object.entries(COUNTED_FROM)) {
    expect(getEntity(Number(number))!.validFrom ?? Date.UTC(1945, 10, 15)).toBe(Date.parse(day));
  }
});
