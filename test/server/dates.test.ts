import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { readSearch } from "../../src/domain/contact/search-words.ts";
import { parseDay } from "../../src/kernel/day.ts";
import { parseN1mm } from "../../src/listen/n1mm.ts";
import { createToken } from "../../src/people/tokens.ts";
import { readCursor as readFirstCursor } from "../../src/providers/first-cursor.ts";
import { readCursor as readSecondCursor } from "../../src/providers/second-cursor.ts";
import { testApp, type TestApp } from "../support/app.ts";
import { isFull } from "../support/full.ts";
import { logOf, STATION } from "../support/sync.ts";
import { Broken } from "../../src/listen/parsed-contact.ts";
import { contest, n1mm } from "../listen/packets.ts";

setDefaultTimeout(300_000);

const RUNS = isFull(import.meta) ? 300 : 12;

const two = (number: number) => String(number).padStart(2, "0");
const DAYS_OF = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** Told without the code under test. */
const countDays = (year: number, month: number): number =>
  month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : (DAYS_OF[month - 1] ?? 0);

const year = fc.integer({ min: 1931, max: 2026 });
const wrongDay = fc
  .tuple(year, fc.constantFrom(0, 2, 2, 4, 6, 9, 11, 12, 13, 99), fc.constantFrom(0, 29, 30, 31, 32, 99))
  .filter(([of, month, day]) => day < 1 || day > countDays(of, month))
  .map(([of, month, day]) => ({ date: `${of}-${two(month)}-${two(day)}`, time: "12:00:00" }));
const wrongTime = fc
  .tuple(year, fc.constantFrom([24, 0, 0], [12, 60, 0], [12, 0, 60], [25, 61, 61], [99, 99, 99]))
  .map(([of, time]) => ({ date: `${of}-06-15`, time: time.map(two).join(":") }));
const wrongMoment = fc.oneof(wrongDay, wrongTime);

interface Moment {
  date: string;
  time: string;
}

const toFields = ({ date, time }: Moment) => ({
  CALL: "K9BAD",
  QSO_DATE: date.replaceAll("-", ""),
  TIME_ON: time.replaceAll(":", ""),
  BAND: "20m",
  MODE: "CW",
});
const toAdif = (moment: Moment) =>
  `x<EOH>${Object.entries(toFields(moment))
    .map(([name, value]) => `<${name}:${value.length}>${value}`)
    .join("")}<EOR>`;
const toAdx = (moment: Moment) =>
  `<?xml version="1.0"?><ADX><HEADER/><RECORDS><RECORD>${Object.entries(toFields(moment))
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join("")}</RECORD></RECORDS></ADX>`;

const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Each way for a contact into a log. */
const theWaysIn = async (app: TestApp) => {
  const [bob, browser] = [await app.as(app.bob), await app.browser(app.bob)];
  const { token: key } = await createToken(app, app.bob.id, { name: "Shack", scope: "feed", form: "v1" });
  const { token: newKey } = await createToken(app, app.bob.id, { name: "Hut", scope: "feed", form: "v2" });
  await app.credentialsFor(app.bob, "first", "second");
  const known = { call: "K1ABC", startedAt: "2026-07-02 10:00", band: "20m", mode: "CW" };
  const { id } = (await bob.post("/api/qsos", known)).body;
  const file = async (text: string) => {
    await bob.post("/api/qsos/import", text);
    await app.runner.idle();
  };
  const service = async (name: "first" | "second", fields: Record<string, string>) => {
    app[name].pages = [[{ fields }]];
    await bob.post(`/api/sync/${name}`, { full: true });
    await app.runner.idle();
  };
  const ways: Record<string, (moment: Moment) => Promise<unknown>> = {
    "an ADIF file": (moment) => file(toAdif(moment)),
    "an ADX file": (moment) => file(toAdx(moment)),
    "the feed": (moment) =>
      bob.post("/api/feed", { client: "x", told: [{ kind: "contact", fields: toFields(moment) }] }),
    "the first Wavelog interface": (moment) =>
      app.visitor.post("/api/qso", JSON.stringify({ key, type: "adif", string: toAdif(moment) })),
    "ADIF in the second Wavelog interface": (moment) =>
      app.withBearer(newKey).post("/api/v2/qso", { import_type: "adif", adif: toAdif(moment), station_profile_id: 1 }),
    "fields in the second Wavelog interface": ({ date, time }) =>
      app.withBearer(newKey).post("/api/v2/qso", {
        station_profile_id: 1,
        call: "K9BAD",
        band: "20m",
        mode: "CW",
        qso_date: date,
        time_on: time,
      }),
    "the API": ({ date, time }) =>
      bob.post("/api/qsos", { call: "K9BAD", startedAt: `${date} ${time}`, band: "20m", mode: "CW" }),
    "a change by the API": ({ date, time }) => bob.patch(`/api/qsos/${id}`, { startedAt: `${date} ${time}` }),
    "a form": ({ date, time }) =>
      browser.post(
        "/log",
        new URLSearchParams({ call: "K9BAD", startedAt: `${date} ${time}`, band: "20m", mode: "CW" }).toString(),
        FORM,
      ),
    "the quick form": ({ date, time }) =>
      browser.post(
        "/log/quick",
        new URLSearchParams({ call: "K9BAD", startedAt: `${date} ${time}`, band: "20m", mode: "CW" }).toString(),
        FORM,
      ),
    LoTW: (moment) => service("first", { ...toFields(moment), QSL_RCVD: "Y", STATION_CALLSIGN: STATION }),
    QRZ: (moment) => service("second", { ...toFields(moment), APP_QRZLOG_LOGID: "7", STATION_CALLSIGN: STATION }),
    "an N1MM packet": async ({ date, time }) => {
      const packet = n1mm("contactinfo", contest("K9BAD", 0, { timestamp: `${date} ${time}` }));
      for (const { client, told } of parseN1mm(packet)!) await bob.post("/api/feed", { client, told: [told] });
    },
    "an N1MM packet of old": async ({ date, time }) => {
      const [y, m, d] = date.split("-").map(Number);
      const packet = n1mm("contactinfo", contest("K9BAD", 0, { timestamp: `${m}/${d}/${y} ${time}` }));
      for (const { client, told } of parseN1mm(packet)!) await bob.post("/api/feed", { client, told: [told] });
    },
  };
  return { ways };
};

// Defence: a date or time that does not exist makes no contact
test("a date or a time that does not exist makes and changes no contact, whatever the way into the log", async () => {
  const app = await testApp();
  const { ways } = await theWaysIn(app);
  const before = await logOf(app as never, app.bob.id);

  await fc.assert(
    fc.asyncProperty(wrongMoment, async (moment) => {
      for (const [name, way] of Object.entries(ways)) {
        await way(moment).catch((error: unknown) => expect(error).toBeInstanceOf(Broken));
        expect([name, await logOf(app as never, app.bob.id)]).toEqual([name, before]);
      }
    }),
    { numRuns: RUNS },
  );
});

test("the same ways take a leap day and the last second of a day", async () => {
  for (const name of Object.keys((await theWaysIn(await testApp())).ways)) {
    const app = await testApp();
    const { ways } = await theWaysIn(app);

    await ways[name]!({ date: "2024-02-29", time: "23:59:59" });

    const times = (await logOf(app as never, app.bob.id)).map(({ startedAt }) => startedAt);
    expect([name, times]).toEqual([name, expect.arrayContaining([Date.UTC(2024, 1, 29, 23, 59, 59)])]);
  }
});

test("a day that does not exist is no limit of a list, no month of a search and no cursor of a service", () => {
  fc.assert(
    fc.property(wrongDay, ({ date }) => {
      expect(() => parseDay(date, "from")).toThrow("is not a date");
      expect(readFirstCursor({ qso: date, qsl: `${date} 10:00:00` }, Infinity)).toEqual({ qso: null, qsl: null });
      expect(readSecondCursor({ since: date, sweptAt: 0 }, Infinity)).toBeNull();
      const limits = readSearch(`${date}..`, () => {});
      expect(() => parseDay(limits.from!, "from")).toThrow("is not a date");
    }),
  );
  for (const month of ["00", "13", "99"]) {
    const { to } = readSearch(`..2021-${month}`, () => {});
    expect(() => parseDay(to!, "to")).toThrow("is not a date");
  }
  for (const text of ["253402300800000", "999999999999999"]) expect(() => parseDay(text, "from")).toThrow();
});
