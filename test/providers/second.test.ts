import { describe, expect, test } from "bun:test";
import { inspect } from "node:util";
import { DAY, SECOND } from "../../src/kernel/clock.ts";
import { second } from "../../src/providers/second.ts";
import type { QrzFault } from "../../src/simulated/faults.ts";
import type { QrzStyle } from "../../src/simulated/qrz-reply.ts";
import { aRecord, fillBook, NOW } from "../simulated/world.ts";
import { answering, aRig, callsOf, errorOf, fixture, KEY, type Rig } from "./rig.ts";

const EMPTY = "COUNT=0&RESULT=FAIL";

function aSeededRig(changes = {}): Rig {
  const rig = aRig("second", changes);
  rig.seed(["K1ABC", "N0NEW", "DL1ABC"]);
  return rig;
}

function aFullBook(count: number): Rig {
  const rig = aRig("second");
  fillBook(rig.world.book, count);
  return rig;
}

/** A captured STATUS reply for a logbook with this many records. */
function statusOf(count: number): string {
  const captured = Buffer.from(fixture("second", "status.txt")).toString();
  expect(captured).toContain("COUNT=4&");
  return captured.replace("COUNT=4&", `COUNT=${count}&`);
}

/** A rig whose service sends these replies after a STATUS without counts. */
function answered(...answers: (string | Uint8Array)[]) {
  const { baseUrl, asked } = answering(statusOf(0), ...answers);
  return { ...aRig("second", { baseUrl }), asked };
}

const optionsOf = ({ simulated }: Rig) =>
  simulated.requests.map(({ params }) => params.get("OPTION") ?? params.get("ACTION"));
const logidsOf = ({ bodies }: { bodies: { records: { fields: Record<string, string> }[] }[] }) =>
  bodies.flatMap(({ records }) => records.map(({ fields }) => Number(fields["APP_QRZLOG_LOGID"])));

describe("requests to QRZ", () => {
  test("first ask for the status, then for the whole logbook", async () => {
    const rig = aSeededRig();

    const { cursor } = await rig.run();

    expect(optionsOf(rig)).toEqual(["STATUS", "MAX:250,AFTERLOGID:0"]);
    expect(
      rig.simulated.requests.every(({ method, params }) => method === "POST" && params.get("KEY") === KEY),
    ).toBeTrue();
    expect(cursor).toEqual({ since: "2026-08-01", sweptAt: NOW });
  });

  test("from a cursor ask for changes since two days before it", async () => {
    const rig = aSeededRig();

    const { cursor } = await rig.run({ cursor: { since: "2026-07-27", sweptAt: NOW - 6 * DAY } });

    expect(optionsOf(rig)).toEqual([
      "STATUS",
      "MAX:250,AFTERLOGID:0,MODSINCE:2026-07-25",
      "MAX:250,AFTERLOGID:100000004,MODSINCE:2026-07-25",
    ]);
    expect(cursor).toEqual({ since: "2026-08-01", sweptAt: NOW - 6 * DAY });
  });

  test.each([
    ["a week after the last sweep", { cursor: { since: "2026-07-31", sweptAt: NOW - 7 * DAY } }],
    ["with a sweep that lies in the future", { cursor: { since: "2026-07-31", sweptAt: NOW + 30 * DAY } }],
    ["in full", { full: true, cursor: { since: "2026-07-31", sweptAt: NOW } }],
  ])("%s, ask for the whole logbook", async (_, details) => {
    const rig = aSeededRig();

    const { cursor } = await rig.run(details);

    expect(optionsOf(rig)).toEqual(["STATUS", "MAX:250,AFTERLOGID:0"]);
    expect(cursor).toEqual({ since: "2026-08-01", sweptAt: NOW });
  });

  test("since a date contain exactly that date", async () => {
    const rig = aSeededRig();

    await rig.run({ cursor: { since: "2026-06-01", sweptAt: 0 }, since: "2026-07-05" });

    expect(optionsOf(rig)).toEqual([
      "STATUS",
      "MAX:250,AFTERLOGID:0,MODSINCE:2026-07-05",
      "MAX:250,AFTERLOGID:100000004,MODSINCE:2026-07-05",
    ]);
  });

  test("are at most 60 per minute", async () => {
    const rig = aFullBook(16_000);

    const { error } = await rig.run();

    expect(error).toBeUndefined();
    expect(rig.simulated.requests.filter(({ status }) => status === 429)).toEqual([]);
    expect(new Set(rig.pauses)).toEqual(new Set([1050]));
  });

  test("case 51: name the program", async () => {
    const rig = aSeededRig();

    await rig.run();

    expect(rig.simulated.requests.map(({ headers }) => headers["user-agent"])).toEqual(
      Array(2).fill("qsolog/1.2.3 (YU1TEST)"),
    );
  });
});

describe("the cursor of QRZ", () => {
  test("is the day on which a download began, even if it ends on another", async () => {
    const rig = aFullBook(600);
    rig.deps.clock = () => rig.world.turn(8 * 3600 * SECOND);

    expect(await rig.run()).toMatchObject({ cursor: { since: "2026-08-01" } });
  });

  test("moves with a date only if that leaves no gap", async () => {
    const cursor = { since: "2026-07-20", sweptAt: NOW - 1 * DAY };

    expect((await aSeededRig().run({ cursor, since: "2026-07-18" })).cursor).toEqual({
      ...cursor,
      since: "2026-08-01",
    });
    expect((await aSeededRig().run({ cursor, since: "2026-07-19" })).cursor).toEqual(cursor);
    expect((await aSeededRig().run({ since: "2020-01-01" })).cursor).toBeNull();
  });

  test.each([
    { since: "2039-01-01", sweptAt: NOW - 1 * DAY },
    { since: "2026-07-30", sweptAt: Date.UTC(2039, 0) },
  ])("in the future, from a wrong clock (%j), is ignored", async (cursor) => {
    const rig = aSeededRig();

    expect((await rig.run({ cursor })).cursor).toEqual({ since: "2026-08-01", sweptAt: NOW });
    expect(optionsOf(rig)).toEqual(["STATUS", "MAX:250,AFTERLOGID:0"]);
    expect((await rig.run({ cursor, since: "2026-07-31" })).cursor).toBeNull();
  });

  test("goes back to a full download if any job may have been one, or to the date of a job since a date", () => {
    const before = { since: "2026-07-20", sweptAt: NOW };

    expect(second.rewind(before, { full: false, since: null })).toBeNull();
    expect(second.rewind(before, { full: true, since: null })).toBeNull();
    expect(second.rewind(before, { full: false, since: "2026-07-01" })).toEqual({ since: "2026-07-01", sweptAt: NOW });
    expect(second.rewind(before, { full: false, since: "2026-07-25" })).toEqual(before);
    expect(second.rewind(null, { full: false, since: "2026-07-25" })).toBeNull();
  });
});

describe("paging through a logbook", () => {
  test("case 45: 250 records and an empty page take two requests", async () => {
    const rig = aFullBook(250);

    const outcome = await rig.run();

    expect(outcome.bodies.map(({ count, total }) => [count, total])).toEqual([[250, 250]]);
    expect(optionsOf(rig)).toEqual(["STATUS", "MAX:250,AFTERLOGID:0", "MAX:250,AFTERLOGID:251"]);
  });

  test("continues after the highest logid and brings every record once", async () => {
    const rig = aFullBook(700);

    const outcome = await rig.run();

    expect(logidsOf(outcome)).toEqual(Array.from({ length: 700 }, (_, index) => index + 1));
    expect(outcome.bodies.map(({ count }) => count)).toEqual([250, 250, 200]);
    expect(optionsOf(rig)).toHaveLength(4);
  });

  test("case 46: the last record once more is the end, not a new page", async () => {
    const page = Buffer.from(fixture("second", "page.txt")).toString("latin1").replace("COUNT=4", "COUNT=9");
    const last = page.slice(page.indexOf("&lt;app_qrzlog_logid:6&gt;900004"));
    const rig = answered(Buffer.from(page, "latin1"), `RESULT=OK&COUNT=1&ADIF=${last}`);

    const outcome = await rig.run();

    expect(outcome.error).toBeUndefined();
    expect(rig.asked.map((params) => params.get("OPTION"))).toEqual([
      null,
      "MAX:250,AFTERLOGID:0",
      "MAX:250,AFTERLOGID:900005",
    ]);
    expect(callsOf(outcome, "record")).toEqual(["K1ABC", "DL2XYZ", "G3ZZZ", "K1LAST"]);
  });

  test("a service that sends everything at once is read completely, once", async () => {
    const page = Buffer.from(fixture("second", "page.txt")).toString("latin1");
    const [head, ...records] = page.split(/(?<=&lt;eor&gt;)/i);
    const many = Array.from({ length: 700 }, (_, index) =>
      head!.slice(head!.indexOf("&lt;")).replace(/(logid:6&gt;)\d{6}/i, `$1${100_000 + index}`),
    );
    expect(records.length).toBeGreaterThan(1);
    const rig = answered(Buffer.from(`RESULT=OK&COUNT=700&ADIF=${many.join("")}`, "latin1"), "RESULT=FAIL&COUNT=0");

    const outcome = await rig.run();

    expect(outcome.error).toBeUndefined();
    expect(logidsOf(outcome)).toEqual(Array.from({ length: 700 }, (_, index) => 100_000 + index));
  });

  test.each<QrzFault>([{ kind: "ignoreCursor" }, { kind: "duplicatePage" }])(
    "case 47: %j, repeating the same page, is an error and does not loop forever",
    async (fault) => {
      const rig = aFullBook(600);
      rig.world.second.fail({ ...fault, times: 99, when: ({ raw }) => raw.includes("AFTERLOGID%3A251") });

      const outcome = await rig.run();

      expect(outcome.error).toMatchObject({ code: "invalid_answer" });
      expect(logidsOf(outcome)).toHaveLength(250);
      expect(rig.simulated.requests).toHaveLength(3);
    },
  );

  /** A service that limits the page size, whatever is requested. */
  function aSparingBook(count: number, most: number): Rig {
    const rig = aFullBook(count);
    rig.world.second.most = most;
    return rig;
  }

  test("a service that sends fewer records than requested is read completely", async () => {
    const rig = aSparingBook(600, 100);

    const outcome = await rig.run();

    expect(outcome.error).toBeUndefined();
    expect(logidsOf(outcome)).toHaveLength(600);
    expect(rig.simulated.requests).toHaveLength(7);
  });

  test("changes are also read until an empty page", async () => {
    const rig = aSparingBook(600, 100);

    const outcome = await rig.run({ since: "2000-01-01" });

    expect(outcome.error).toBeUndefined();
    expect(logidsOf(outcome)).toHaveLength(600);
    expect(rig.simulated.requests).toHaveLength(8);
  });

  test("a logbook that ends before its count is incomplete, and no cursor moves", async () => {
    const page = entry({ app_qrzlog_logid: "7", call: "K1ABC" });
    const { baseUrl } = answering(statusOf(3), `RESULT=OK&COUNT=1&ADIF=${page}`, EMPTY, statusOf(3));

    const outcome = await aRig("second", { baseUrl }).run();

    expect(callsOf(outcome, "record")).toEqual(["K1ABC"]);
    expect(outcome.error).toMatchObject({
      code: "invalid_answer",
      message: "QRZ announced 3 records but sent only 1.",
    });
    expect(outcome).not.toHaveProperty("cursor");
  });

  test("a record deleted at the service during the download is not missing", async () => {
    const page = entry({ app_qrzlog_logid: "7", call: "K1ABC" });
    const { baseUrl } = answering(statusOf(2), `RESULT=OK&COUNT=1&ADIF=${page}`, EMPTY, statusOf(1));

    const outcome = await aRig("second", { baseUrl }).run();

    expect(outcome).toMatchObject({ cursor: { since: "2026-08-01" } });
  });

  test("leaves out records that an earlier page had", async () => {
    const records = Array.from({ length: 251 }, (_, index) =>
      entry({ app_qrzlog_logid: String(index + 1), call: "K1ABC" }),
    );
    const rig = answered(
      `RESULT=OK&COUNT=250&ADIF=${records.slice(0, 250).join("")}`,
      `RESULT=OK&COUNT=2&ADIF=${records.slice(249).join("")}`,
    );

    const outcome = await rig.run();

    expect(outcome.bodies.map(({ count, records: taken }) => [count, taken.length])).toEqual([
      [250, 250],
      [1, 1],
    ]);
  });

  test.each<[string, Partial<QrzStyle>, number]>([
    ["of all matches", { countIs: "total" }, 0],
    ["case 48: far too high", {}, 1000],
    ["one too low", {}, -1],
  ])("does not depend on a COUNT %s", async (_, style, by) => {
    const rig = aFullBook(600);
    Object.assign(rig.world.second.style, style);
    if (by !== 0) rig.world.second.fail({ kind: "count", by, times: 99 });

    const outcome = await rig.run();

    expect(outcome.error).toBeUndefined();
    expect(logidsOf(outcome)).toHaveLength(600);
  });

  test("case 49: a record without a logid is delivered, and paging continues", async () => {
    const rig = answered(fixture("second", "page.txt"));

    const outcome = await rig.run();

    expect(outcome.error).toBeUndefined();
    expect(callsOf(outcome, "record")).toContain("G3ZZZ");
  });

  test("case 49: a full page without any logid is delivered, then the job fails", async () => {
    const page = entry({ call: "K1ABC" }).repeat(250);
    const rig = answered(`RESULT=OK&COUNT=250&ADIF=${page}`);

    const outcome = await rig.run();

    expect(outcome.error).toMatchObject({ code: "invalid_answer" });
    expect(outcome.bodies.map(({ count }) => count)).toEqual([250]);
    expect(rig.asked).toHaveLength(2);
  });

  test("case 52: a failure on page 2 is not the end of the logbook", async () => {
    const rig = aFullBook(600);
    rig.world.second.fail({ kind: "reset", times: 99, when: ({ raw }) => raw.includes("AFTERLOGID%3A251") });

    const outcome = await rig.run();

    expect(outcome.error).toMatchObject({ code: "network" });
    expect(outcome).not.toHaveProperty("cursor");
    expect(logidsOf(outcome)).toHaveLength(250);
  });
});

describe("nothing more to download", () => {
  test.each([
    EMPTY,
    "RESULT=FAIL&COUNT=0",
    "RESULT=FAIL&REASON=no log entries found",
    "RESULT=OK&COUNT=0",
    "RESULT=OK&COUNT=0&ADIF=",
  ])("cases 32, 33: when page 1 is %j", async (reply) => {
    const outcome = await answered(reply).run();

    expect(outcome).toMatchObject({ bodies: [], cursor: { since: "2026-08-01" } });
  });

  test.each(["count", "reason"] as const)("case 32: when page 3 is empty, told by %s", async (emptyAs) => {
    const rig = aFullBook(500);
    rig.world.second.style.emptyAs = emptyAs;

    expect(logidsOf(await rig.run())).toHaveLength(500);
  });

  test.each([
    ["", "truncated"],
    ["RES", "truncated"],
    ["RESULT=", "truncated"],
    ["RESULT=FAI", "truncated"],
    ["RESULT=FAIL", "truncated"],
    ["RESULT=FAIL&REASON=", "truncated"],
    ["COUNT=0", "truncated"],
    ["RESULT=OK", "truncated"],
    ["RESULT=OK&COUNT=2", "truncated"],
    ["RESULT=OK&COUNT=2&ADIF=", "truncated"],
    ["RESULT=OK&ADIF=\n", "truncated"],
    ["COUNT=1&ADIF=&lt;call:5&gt;K1ABC&lt;eor&gt;\n\n", "truncated"],
    ["RESULT=FAIL&REASON=date outside of the book&EXTENDED=", "invalid_answer"],
    ["RESULT=FAIL&COUNT=0&REASON=internal error", "invalid_answer"],
    ["RESULT=SURPRISE&COUNT=0", "invalid_answer"],
    ["<html>RESULT=FAIL&COUNT=0</html>", "invalid_answer"],
    ['{"RESULT":"FAIL","COUNT":0}', "invalid_answer"],
    ["Too busy right now", "invalid_answer"],
    ["RESULT=FAIL&REASON=too many requests", "busy"],
  ])("but not when it is %j", async (reply, code) => {
    const outcome = await answered(reply).run();

    expect(outcome).toEqual({ bodies: [], error: expect.objectContaining({ code }) });
  });
});

describe("QRZ refuses a request", () => {
  test("case 34: of an owner without a subscription, even if only STATUS says so", async () => {
    const rig = aSeededRig();
    rig.world.book.subscribed = false;

    expect((await rig.run()).error).toMatchObject({ code: "subscription_required" });
    expect(rig.simulated.requests).toHaveLength(1);
  });

  test.each([KEY, KEY.replaceAll("-", ""), KEY.toLowerCase()])(
    "case 35: with an invalid key, and %j is not in the message",
    async (echo) => {
      const invalid = `STATUS=AUTH&RESULT=AUTH&REASON=invalid api key ${echo}\n&EXTENDED=`;
      const strange = `RESULT=FAIL&REASON=no idea about ${echo} or 0123-4567-89AB-CDEF\n&EXTENDED=`;
      for (const [reply, code] of [
        [invalid, "auth_failed"],
        [strange, "invalid_answer"],
      ] as const) {
        const { baseUrl } = answering(reply);
        const { error } = await aRig("second", { baseUrl }).run();

        expect(error).toMatchObject({ code });
        expect(inspect(error, { showHidden: true })).not.toMatch(/AB12|EF560789|4567/i);
      }
    },
  );

  test("with a key that changed during the download", async () => {
    const rig = aFullBook(600);
    rig.world.second.fail({ kind: "passwordChange", nth: 3 });

    const outcome = await rig.run();

    expect(outcome.error).toMatchObject({ code: "auth_failed" });
    expect(logidsOf(outcome)).toHaveLength(250);
  });

  test("when there are too many, and after the pause it is busy", async () => {
    const rig = aSeededRig();
    rig.world.second.perMinute = 0;

    const { error } = await rig.run();

    expect(error).toMatchObject({ code: "busy", retryAfterSeconds: 60 });
    expect(rig.pauses).toEqual([60 * SECOND, 60 * SECOND]);
    expect(rig.simulated.requests).toHaveLength(3);
  });

  test("once, and the download continues a minute later", async () => {
    const rig = aFullBook(600);
    rig.world.second.perMinute = 2;

    const outcome = await rig.run();

    expect(outcome.error).toBeUndefined();
    expect(logidsOf(outcome)).toHaveLength(600);
  });

  test("case 50: for another callsign's logbook, before any record is requested", async () => {
    const rig = aSeededRig();
    const credentials = { apiKey: KEY, callsign: "YU1TEST/P" };

    const { error } = await rig.run({ credentials });
    const tested = await errorOf(second.test(rig.deps, credentials, new AbortController().signal));

    expect(error).toMatchObject({ code: "wrong_callsign", message: expect.stringContaining("YU1TEST/P") });
    expect(tested).toMatchObject({ code: "wrong_callsign" });
    expect(optionsOf(rig)).toEqual(["STATUS", "STATUS"]);
  });

  test("no key that opens the logbook of the given callsign", async () => {
    expect((await aSeededRig().run({ credentials: { apiKey: KEY, callsign: "YU1TEST" } })).error).toBeUndefined();
  });
});

describe("a reply of QRZ", () => {
  const read = async (name: string, status = "status.txt") => {
    const { baseUrl } = answering(fixture("second", status), fixture("second", name));
    const rig = aRig("second", { baseUrl });
    const { error, bodies } = await rig.run({ credentials: { apiKey: KEY, callsign: "YU1TEST" } });
    expect(error).toBeUndefined();
    expect(rig.logged).toEqual([]);
    return bodies.flatMap(({ records }) => records.map(({ fields }) => fields));
  };

  test.each(["page.txt", "page-result-last.txt"])(
    "case 36: %s is read to its last record, and no further",
    async (name) => {
      const fields = await read(name);

      expect(fields.map(({ CALL }) => CALL)).toEqual(["K1ABC", "DL2XYZ", "G3ZZZ", "K1LAST"]);
      expect(fields.at(-1)).toEqual({
        APP_QRZLOG_LOGID: "900004",
        CALL: "K1LAST",
        BAND: "2m",
        MODE: "CW",
        QSO_DATE: "20260721",
        TIME_ON: "1200",
      });
    },
  );

  test.each<[string, number, string, string]>([
    ["case 37: an ampersand", 0, "COMMENT", "R&R net"],
    ["case 37: what looks like URL encoding", 0, "NOTES", "A+B 50%20C"],
    ["case 38: an escaped angle, counted as one", 1, "COMMENT", "a<b"],
    ["case 38: entities that were typed", 2, "NOTES", "&amp; &lt; &gt; literal"],
    ["case 39: an end of record and names of keys", 2, "COMMENT", "say <eor> now &ADIF= or &COUNT=9"],
    ["case 40: a length in bytes", 0, "NAME", "Nuria Solà Pàmies"],
    ["case 40: a length in characters", 1, "NAME", "Nuria Solà Pàmies"],
    ["case 41: Latin-1", 1, "QTH", "Érd"],
    ["case 41: UTF-8 in the same reply", 1, "COUNTRY", "Österreich"],
    ["case 42: a date that is none", 0, "LOTW_QSLRDATE", "00000000"],
    ["case 42: an island that is none", 0, "IOTA", "none"],
    ["case 43: the status of the service", 0, "APP_QRZLOG_STATUS", "C"],
    ["case 44: another status", 2, "APP_QRZLOG_STATUS", "2"],
    ["case 53: a band in capitals", 0, "BAND", "20M"],
    ["case 53: a band in small letters", 1, "BAND", "20m"],
  ])("%s is delivered correctly", async (_, index, name, value) => {
    expect((await read("page.txt"))[index]![name]).toBe(value);
  });

  test("can have its facts within DATA", async () => {
    expect(await read("page.txt", "status-nested.txt")).toHaveLength(4);
  });

  test.each<Partial<QrzStyle>>([
    { lengthUnit: "chars" },
    { escape: "angles" },
    { escape: "full" },
    { resultAfterAdif: true },
    { shuffleKeys: true, shuffleFields: true },
    { statusAs: "data" },
    { lineEnd: "\r\n" },
    { lengthUnit: "chars", escape: "full", resultAfterAdif: true },
  ])("in the style %j has the same contents", async (style) => {
    const rig = aRig("second");
    const fields = { NAME: "Nuria Solà Pàmies", COMMENT: "R&R net", NOTES: "50%20C & more" };
    rig.world.store.addRecord(rig.world.book, aRecord(fields));
    Object.assign(rig.world.second.style, style);

    const { error, bodies } = await rig.run();

    expect(error).toBeUndefined();
    expect(bodies[0]!.records[0]!.fields).toMatchObject(fields);
  });

  test("without a callsign is not a status", async () => {
    const { baseUrl } = answering("RESULT=OK&ACTION=STATUS&COUNT=4");

    expect((await aRig("second", { baseUrl }).run()).error).toMatchObject({ code: "invalid_answer" });
  });
});

test("is for one account per key, however the key is written", () => {
  expect(second.login({ apiKey: KEY.toLowerCase() })).toBe(second.login({ apiKey: KEY.replaceAll("-", "") }));
});

function entry(fields: Record<string, string>): string {
  const lines = Object.entries(fields).map(([name, value]) => `&lt;${name}:${value.length}&gt;${value}\n`);
  return `${lines.join("")}&lt;eor&gt;\n\n`;
}
