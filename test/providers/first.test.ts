import { describe, expect, test } from "bun:test";
import { DAY, SECOND } from "../../src/kernel/clock.ts";
import type { Body } from "../../src/domain/jobs/provider.ts";
import { first } from "../../src/providers/first.ts";
import type { LotwFault } from "../../src/simulated/faults.ts";
import type { ReceivedRequest } from "../../src/simulated/request-log.ts";
import { anUpload, NOW } from "../simulated/world.ts";
import { answering, aRig, callsOf, fixture, PASSWORD, type Rig } from "./rig.ts";
import { isFull } from "../support/full.ts";

const CALLS = ["K1ABC", "N0NEW", "DL1ABC"];

function aSeededRig(changes = {}): Rig {
  const rig = aRig("first", changes);
  rig.seed(CALLS);
  return rig;
}

const sinces = ({ simulated }: Rig) =>
  simulated.requests.map(({ params }) => params.get("qso_qsorxsince") ?? params.get("qso_qslsince"));

describe("requests to LoTW", () => {
  test("case 9: ask for everything since 1945-11-15 explicitly, in both queries", async () => {
    const rig = aSeededRig();

    await rig.run();

    const [contacts, confirmations] = rig.simulated.requests.map(({ params }) => Object.fromEntries(params));
    const account = { login: "yu1test", password: PASSWORD };
    expect(contacts).toEqual({
      ...account,
      qso_query: "1",
      qso_qsl: "no",
      qso_qsorxsince: "1945-11-15",
      qso_withown: "yes",
    });
    expect(confirmations).toEqual({
      ...account,
      qso_query: "1",
      qso_qsl: "yes",
      qso_qslsince: "1945-11-15",
      qso_withown: "yes",
      qso_mydetail: "yes",
      qso_qsldetail: "yes",
    });
  });

  test("case 11: percent-encode every character of the password", async () => {
    const rig = aSeededRig();

    await rig.run();
    rig.world.store.users[0]!.password = "~'(!)*;é€";
    const other = await rig.run({ credentials: { username: "yu1test", password: "~'(!)*;é€" } });

    expect(rig.simulated.requests[0]!.raw).toContain("&password=p%40ss%20w%26rd%3D1%2B%25&");
    expect(rig.simulated.requests[2]!.raw).toContain("&password=~%27%28%21%29%2A%3B%C3%A9%E2%82%AC&");
    expect(other.error).toBeUndefined();
  });

  test("start a day before each cursor", async () => {
    const rig = aSeededRig();

    await rig.run({ cursor: { qso: "2026-07-01 00:00:30", qsl: "2026-03-01 23:59:59" } });

    expect(sinces(rig)).toEqual(["2026-06-30", "2026-02-28"]);
  });

  test("since a date contain that date in both queries", async () => {
    const rig = aSeededRig();

    await rig.run({ cursor: rig.recent, since: "2026-07-05" });

    expect(sinces(rig)).toEqual(["2026-07-05", "2026-07-05"]);
  });

  test("in full ask for everything, whatever the cursor is", async () => {
    const rig = aSeededRig();

    const { cursor } = await rig.run({ cursor: rig.recent, full: true });

    expect(sinces(rig)).toEqual(["1945-11-15", "1945-11-15"]);
    expect(cursor).toEqual({ qso: "2026-07-18 01:45:45", qsl: "2026-07-19 01:45:45" });
  });

  test("that test credentials ask only for today's contacts", async () => {
    const rig = aSeededRig();

    await first.test(rig.deps, rig.credentials, new AbortController().signal);

    expect(sinces(rig)).toEqual(["2026-08-01"]);
  });
});

describe("the cursors of LoTW", () => {
  test("are its own values, one for contacts and one for confirmations", async () => {
    const { cursor } = await aSeededRig().run();

    expect(cursor).toEqual({ qso: "2026-07-18 01:45:45", qsl: "2026-07-19 01:45:45" });
  });

  test("case 8: stay the same when nothing new came", async () => {
    const rig = aSeededRig();
    const cursor = { qso: "2026-07-30 00:00:00", qsl: "2026-07-31 00:00:00" };

    const outcome = await rig.run({ cursor });

    expect(outcome.bodies.map(({ count }) => count)).toEqual([0, 0]);
    expect(outcome.cursor).toEqual(cursor);
  });

  test.each<LotwFault>([
    { kind: "lastQsl", as: "" },
    { kind: "lastQsl", as: null },
  ])("with %j stay unchanged", async (fault) => {
    const rig = aSeededRig();
    rig.world.first.fail({ ...fault, times: 2 });

    expect((await rig.run({ cursor: rig.recent })).cursor).toEqual(rig.recent);
  });

  test("are never later than the request, whatever the service says", async () => {
    const rig = aSeededRig();
    rig.world.first.fail({ kind: "lastQsl", as: "2126-01-01 00:00:00", times: 2 });
    const { cursor } = await rig.run({ cursor: rig.recent });
    expect(cursor).toEqual({ qso: "2026-08-01 10:11:12", qsl: "2026-08-01 10:11:17" });
    rig.world.store.upload(anUpload({ call: "K1NEW", at: NOW + 1 * DAY, rxqso: NOW + 1 * DAY }));
    rig.world.turn(2 * DAY);

    expect(callsOf(await rig.run({ cursor }), "qso")).toEqual(["K1NEW"]);
  });

  test("in the future, from a wrong clock, are ignored", async () => {
    const rig = aSeededRig();

    const { cursor } = await rig.run({ cursor: { qso: "2039-01-01 00:00:00", qsl: "2026-07-11 12:00:00" } });

    expect(sinces(rig)).toEqual(["1945-11-15", "2026-07-10"]);
    expect(cursor).toEqual({ qso: "2026-07-18 01:45:45", qsl: "2026-07-19 01:45:45" });
  });

  test("case 13: reach back, so that contacts at the limit come again", async () => {
    const rig = aSeededRig();
    const { cursor } = await rig.run();

    const again = await rig.run({ cursor });

    expect(callsOf(again, "qsl")).toContain("DL1ABC");
    expect(again.cursor).toEqual(cursor);
  });

  test("move separately with a date that is not later", async () => {
    const rig = aSeededRig();

    const { cursor } = await rig.run({ cursor: rig.recent, since: "2026-07-11" });

    expect(cursor).toEqual({ qso: "2026-07-10 12:00:00", qsl: "2026-07-19 01:45:45" });
  });

  test("go back with a sync since an earlier date", () => {
    const before = { qso: "2026-07-10 12:00:00", qsl: null };

    expect(first.rewind(before, { full: false, since: "2026-05-01" })).toEqual({ qso: "2026-05-01", qsl: null });
    expect(first.rewind(before, { full: false, since: "2026-07-11" })).toEqual(before);
    expect(first.rewind(before, { full: false, since: null })).toEqual(before);
    expect(first.rewind(before, { full: true, since: null })).toBeNull();
  });
});

describe("LoTW refuses a request", () => {
  test("case 1: with a wrong password, status 200 and a page", async () => {
    const rig = aSeededRig();

    const outcome = await rig.run({ credentials: { username: "yu1test", password: "wrong" } });

    expect(outcome).toEqual({ bodies: [], error: expect.objectContaining({ code: "auth_failed" }) });
    expect(rig.simulated.requests).toHaveLength(1);
  });

  test("case 2: as the second one for the account; it is not repeated, and a later sync succeeds", async () => {
    const rig = aSeededRig();
    rig.world.first.fail({ kind: "busy" });

    const { error } = await rig.run();

    expect(error).toMatchObject({ code: "busy" });
    expect(rig.simulated.requests).toHaveLength(1);
    expect((await rig.run()).error).toBeUndefined();
  });

  test.each([
    ["wrong-password.html", 200, "auth_failed"],
    ["limit.html", 503, "busy"],
    ["limit.html", 200, "busy"],
  ])("with the page %s and status %j, as %s", async (page, status, code) => {
    const { baseUrl, asked } = answering(new Response(fixture("first", page) as Uint8Array<ArrayBuffer>, { status }));

    const { error } = await aRig("first", { baseUrl }).run();

    expect(error).toMatchObject({ code });
    expect(asked).toHaveLength(1);
  });

  test("case 3: for one account, however its login is written", () => {
    expect(first.login({ username: "YU1TEST", password: "a" })).toBe(
      first.login({ username: "yu1test", password: "b" }),
    );
  });

  test("if the password changes between the two queries, after the contacts arrived", async () => {
    const rig = aSeededRig();
    rig.world.first.fail({ kind: "passwordChange", nth: 2 });

    const outcome = await rig.run();

    expect(outcome.error).toMatchObject({ code: "auth_failed" });
    expect(outcome.bodies.map(({ part }) => part)).toEqual(["qso"]);
  });
});

describe("an incomplete report", () => {
  test.each<[string, LotwFault, string]>([
    ["case 4: a page with the words of a report", { kind: "maintenance", tempting: true }, "invalid_answer"],
    ["case 5: without its end marker", { kind: "dropEof" }, "truncated"],
    ["case 6: with fewer records than announced", { kind: "numrec", by: 1 }, "truncated"],
    ["with more records than announced", { kind: "numrec", by: -1 }, "invalid_answer"],
    ["case 7: cut in the middle of a value", { kind: "truncate", at: 460 }, "truncated"],
    ["case 10: for another date than the one sent", { kind: "systemDefault" }, "invalid_answer"],
    ["case 12: behind a redirect", { kind: "redirect" }, "invalid_answer"],
  ])("%s, delivers nothing and moves no cursor", async (_, fault, code) => {
    const rig = aSeededRig();
    rig.world.first.fail({ ...fault, times: 9 });

    const outcome = await rig.run({ cursor: rig.recent });

    expect(outcome).toEqual({ bodies: [], error: expect.objectContaining({ code }) });
    expect(rig.simulated.requests).toHaveLength(1);
  });

  test.each([
    ["<APP_LoTW_NUMREC:1>0", "", "invalid_answer"],
    ["QSO RX SINCE: 2026-07-10 00:00:00 (user supplied value)", "", "invalid_answer"],
    ["2026-07-10 00:00:00", "2026-07-11 00:00:00", "invalid_answer"],
    ["<eoh>", "", "truncated"],
    ["ARRL Logbook of the World", "Logbook of the World", "invalid_answer"],
  ])("with %j replaced by %j is refused", async (from, to, code) => {
    const report = Buffer.from(fixture("first", "no-contacts.adi")).toString().replace(from, to);
    const { baseUrl } = answering(report);

    const { error } = await aRig("first", { baseUrl }).run({ since: "2026-07-10" });

    expect(error).toMatchObject({ code });
  });
});

test("a report from an earlier date than requested brings more, and is accepted", async () => {
  const report = Buffer.from(fixture("first", "no-contacts.adi")).toString();
  const { baseUrl } = answering(report.replace("2026-07-10 00:00:00", "1900-01-01 00:00:00"));

  expect((await aRig("first", { baseUrl }).run({ since: "2026-07-10" })).error).toBeUndefined();
});

describe("a report of LoTW", () => {
  const records = async (change = (text: string) => text) => {
    const report = (name: string) => change(Buffer.from(fixture("first", name)).toString());
    const { baseUrl } = answering(report("no-contacts.adi"), report("confirmations.adi"));
    const rig = aRig("first", { baseUrl });
    const outcome = await rig.run({ since: "2026-07-10" });
    expect(outcome.error).toBeUndefined();
    expect(rig.logged).toEqual([]);
    return outcome.bodies[1]!.records.map(({ fields }) => fields);
  };

  test("case 18: has comments that belong to no value", async () => {
    expect((await records())[0]).toMatchObject({
      STATE: "WI",
      CNTY: "WI,PIERCE",
      APP_LOTW_RXQSL: "2026-07-31 23:31:22",
    });
  });

  test("case 19: ends with a marker, with or without a length, that is not a record", async () => {
    expect(await records()).toHaveLength(3);
  });

  test("cases 22, 24, 25, 26, 27, 29: keeps every field of the service, under its own call", async () => {
    const [k9xyz, ja1zzz, pj2] = await records();

    expect(k9xyz).toMatchObject({
      STATION_CALLSIGN: "YU1TEST",
      APP_LOTW_GRIDSQUARE_INVALID: "JJ00AA",
      CQZ: "04",
      APP_LOTW_CQZ_INFERRED: "Y",
      APP_LOTW_CQZ_INVALID: "5",
      APP_LOTW_2XQSL: "N",
      APP_LOTW_QSLMODE: "RTTY",
    });
    expect(k9xyz).not.toHaveProperty("GRIDSQUARE");
    expect(ja1zzz).toMatchObject({ STATION_CALLSIGN: "YU1TEST/P", SAT_NAME: "RS-44", VUCC_GRIDS: "PM95,PM96" });
    expect(pj2).toMatchObject({ CALL: "PJ2/K4JC", APP_LOTW_MODE: "FT4" });
    expect(pj2).not.toHaveProperty("MODE");
  });

  test.each<[string, (text: string) => string]>([
    ["CRLF", (text) => text.replaceAll("\n", "\r\n")],
    ["upper-case markers", (text) => text.replaceAll("<eor>", "<EOR>").replaceAll("<eoh>", "<EOH>")],
    ["trailing blanks", (text) => text.replaceAll("\n", "  \n")],
    ["a byte order mark", (text) => `\ufeff${text}`],
    ["blank lines before it", (text) => `\n\n${text}`],
  ])("case 30: can have %s", async (_, change) => {
    expect(await records(change)).toEqual(await records());
  });

  test("case 14: has confirmed contacts in the answer to the first query too", async () => {
    const { bodies } = await aSeededRig().run();

    expect(bodies[0]).toMatchObject({ part: "qso", phase: "contacts" });
    expect(bodies[0]!.records[0]!.fields).toMatchObject({ QSL_RCVD: "Y", APP_LOTW_RXQSL: "2026-07-19 01:45:45" });
  });

  test("with a record that is too large reports it and keeps the others", async () => {
    const large = `<CALL:5>K1BIG<NOTES:1100000>${"x".repeat(1_100_000)}<eor>`;
    const report = Buffer.from(fixture("first", "no-contacts.adi")).toString();
    const announced = report.replace("NUMREC:1>0", "NUMREC:1>2").replace("<eoh>", `<eoh><CALL:5>K1ABC<eor>${large}`);
    const { baseUrl } = answering(announced, report);
    const rig = aRig("first", { baseUrl });

    const { error, bodies } = await rig.run({ since: "2026-07-10" });

    expect(error).toBeUndefined();
    expect(callsOf({ bodies }, "qso")[0]).toBe("K1ABC");
    expect(bodies[0]!.records.some(({ fields }) => "NOTES" in fields)).toBeFalse();
    const excerpt = expect.stringMatching(/^<NOTES:1100000>x+$/);
    expect(bodies[0]!.rejected).toEqual([{ reason: expect.any(String), excerpt }]);
    expect(rig.logged).toEqual([
      "provider.problems",
      { service: "LoTW", problems: expect.objectContaining({ too_large: 1 }) },
    ]);
  });

  test("case 16: with many records is streamed, never held in memory", async () => {
    const isLong = isFull(import.meta);
    const count = isLong ? 600_000 : 6_000;
    const told: number[] = [];
    const { baseUrl } = answering(() => new Response(aLongReport(count)));
    const rig = aRig("first", { baseUrl, onProgress: (bytes) => told.push(bytes) });
    const download = rig.start({ since: "2026-07-10" });
    Bun.gc(true);
    const before = process.memoryUsage().rss;

    let taken = 0;
    const body = (await download.next()).value as Body;
    for await (const batch of body.records()) taken += batch.length;
    const grown = process.memoryUsage().rss - before;
    await download.return(null);

    expect(taken).toBe(count);
    expect(told.length).toBeGreaterThan(2);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    if (isLong) expect(grown).toBeLessThan(told.at(-1)! / 2);
  });
});

/** A report with records of 500 bytes, generated while it is sent. */
function aLongReport(count: number): ReadableStream<Uint8Array> {
  const header = Buffer.from(fixture("first", "no-contacts.adi")).toString();
  const announced = header.replace("NUMREC:1>0", `NUMREC:${String(count).length}>${count}`);
  const [begin, end] = announced.split(/(?<=<eoh>\n)/) as [string, string];
  const record = Buffer.from(`<CALL:5>K1ABC\n<NOTES:465>${"x".repeat(465)}<eor>\n\n`);
  const block = Buffer.concat(Array(100).fill(record));
  let left = count / 100;
  return new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(begin)),
    pull(controller) {
      if (left-- > 0) return controller.enqueue(block);
      controller.enqueue(Buffer.from(end));
      controller.close();
    },
  });
}

describe("download windows", () => {
  const datesOf = ({ params }: ReceivedRequest) => [params.get("qso_startdate"), params.get("qso_enddate")];
  const isWindow = (request: ReceivedRequest) => datesOf(request).some((date) => date !== null);
  const daysOf = (request: ReceivedRequest) => {
    const [from, to] = datesOf(request);
    return (Date.parse(to ?? "2026-12-31") - Date.parse(from ?? "1945-11-15")) / DAY + 1;
  };
  const isContacts = ({ params }: ReceivedRequest) => params.get("qso_qsl") === "no";

  /** A log that LoTW can only send in windows of at most this many days. */
  function aLongLog(days: number, kind: LotwFault = { kind: "truncate", at: 100 }): Rig {
    const rig = aRig("first");
    for (let year = 1990; year <= 2026; year++) {
      const at = Date.UTC(year, 5, 15, 12);
      rig.world.store.upload(
        anUpload({ call: `K${year % 10}Y${year}`, at, rxqso: at + 1 * DAY, qsl: { rxqsl: at + 9 * DAY } }),
      );
    }
    rig.world.first.fail({ ...kind, times: 9999, when: (request) => isContacts(request) && daysOf(request) > days });
    return rig;
  }

  test.each<LotwFault>([
    { kind: "truncate", at: 100 },
    { kind: "status", status: 502 },
    { kind: "reset", at: 100 },
    { kind: "stall" },
  ])("year by year follow an undivided request that failed by %j", async (fault) => {
    const rig = aLongLog(20_900, fault);
    // Only a stall must time out; a busy machine can be silent for a while too.
    rig.deps.patience = { silence: fault.kind === "stall" ? 500 : 5 * SECOND, total: 10 * SECOND };

    const outcome = await rig.run();

    expect(outcome.error).toBeUndefined();
    expect(callsOf(outcome, "qso")).toHaveLength(37);
    expect(outcome.bodies.map(({ phase }) => phase).slice(0, 3)).toEqual([
      "contacts until 1945",
      "contacts 1946-01-01 to 2002-12-31",
      "contacts 2003",
    ]);
    expect(outcome.bodies.at(-1)!.phase).toBe("confirmations");
    expect(outcome.cursor).toEqual({ qso: "2026-06-16 12:00:00", qsl: "2026-06-24 12:00:00" });
    const asked = rig.simulated.requests.filter(isContacts);
    expect(asked.findIndex(isWindow)).toBe(fault.kind === "status" || fault.kind === "reset" ? 2 : 1);
  });

  test("cover every day once, and are open at both ends", async () => {
    const rig = aLongLog(366);

    await rig.run({ full: true });

    const windows = rig.simulated.requests
      .filter((request) => isWindow(request) && request.faults.length === 0)
      .map(datesOf);
    expect(windows[0]![0]).toBeNull();
    expect(windows.at(-1)![1]).toBeNull();
    for (const [index, [from]] of windows.entries()) {
      if (index > 0) expect(Date.parse(from!) - Date.parse(windows[index - 1]![1]!)).toBe(1 * DAY);
    }
  });

  test("are halved if they are too long, and grow again after two successes", async () => {
    const rig = aLongLog(100);

    const outcome = await rig.run({ full: true });

    expect(outcome.error).toBeUndefined();
    expect(callsOf(outcome, "qso").toSorted()).toEqual(callsOf(outcome, "qsl").toSorted());
    const tried = rig.simulated.requests.filter(isWindow).map(daysOf);
    expect(Math.min(...tried)).toBeGreaterThanOrEqual(45);
    expect(tried.some((days, index) => index > 0 && days > tried[index - 1]! && days <= 200)).toBeTrue();
  });

  test("end the job if even a month cannot be downloaded", async () => {
    const rig = aLongLog(20);

    const outcome = await rig.run({ full: true });

    expect(outcome).toEqual({ bodies: [], error: expect.objectContaining({ code: "truncated" }) });
    expect(Math.min(...rig.simulated.requests.map(daysOf))).toBeGreaterThanOrEqual(15);
    expect(rig.simulated.requests.length).toBeLessThan(20);
  });

  test("are at least 15 seconds apart, and more after a report was given up", async () => {
    const rig = aLongLog(20_900, { kind: "stall" });
    rig.deps.patience = { silence: 500, total: 10 * SECOND };

    await rig.run({ full: true });

    const windows = rig.simulated.requests.filter(isWindow);
    expect(windows[0]!.startedAt - rig.simulated.requests[0]!.startedAt).toBe(90 * SECOND);
    for (const [index, { startedAt }] of windows.entries()) {
      if (index > 0) expect(startedAt - windows[index - 1]!.startedAt).toBe(15 * SECOND);
    }
  });

  test("case 15: end the job when one fails; earlier ones were delivered and no cursor moves", async () => {
    const rig = aLongLog(20_900);
    rig.world.first.fail({
      kind: "dropEof",
      times: 99,
      when: ({ params }) => params.get("qso_startdate")?.startsWith("2004") ?? false,
    });

    const outcome = await rig.run({ full: true, cursor: rig.recent });

    expect(outcome.error).toMatchObject({ code: "truncated" });
    expect(outcome.bodies.map(({ phase }) => phase)).toEqual([
      "contacts until 1945",
      "contacts 1946-01-01 to 2002-12-31",
      "contacts 2003",
    ]);
    expect(outcome).not.toHaveProperty("cursor");
  });

  test.each<LotwFault>([{ kind: "status", status: 502 }, { kind: "reset" }, { kind: "reset", at: 100 }])(
    "are not used if a service is down: %j",
    async (fault) => {
      const rig = aSeededRig();
      rig.world.first.fail({ ...fault, times: 99 });

      expect(await rig.run()).toEqual({ bodies: [], error: expect.objectContaining({ code: "network" }) });
      expect(rig.simulated.requests).toHaveLength(3);
      expect(rig.simulated.requests.filter(isWindow).map(datesOf)).toEqual([[null, "1945-12-31"]]);
    },
  );

  test.each<[string, LotwFault, object]>([
    ["a wrong password", { kind: "passwordChange" }, { full: true }],
    ["an account in use", { kind: "busy" }, { full: true }],
    ["maintenance", { kind: "maintenance" }, { full: true }],
    ["an incremental run", { kind: "truncate", at: 100 }, { cursor: { qso: "2026-06-01", qsl: "2026-06-01" } }],
    ["a run since a date", { kind: "truncate", at: 100 }, { since: "2026-06-01" }],
  ])("are not tried after %s", async (_, fault, details) => {
    const rig = aSeededRig();
    rig.world.first.fail({ ...fault, times: 99 });

    expect((await rig.run(details)).error).toBeDefined();
    expect(rig.simulated.requests.filter(isWindow)).toEqual([]);
  });

  test("are not used if nothing listens", async () => {
    const pauses: number[] = [];
    const sleep = async (ms: number) => void pauses.push(ms);

    const { error } = await aRig("first", { baseUrl: "http://127.0.0.1:1", sleep }).run();

    expect(error).toMatchObject({ code: "network" });
    expect(pauses).toEqual([5 * SECOND]);
  });
});
