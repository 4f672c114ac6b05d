import { describe, expect, test } from "bun:test";
import { DAY, MINUTE, SECOND } from "../../src/kernel/clock.ts";
import { aWorld, anUpload, callsOf, NOW, outcomeOf } from "./world.ts";

const received = (daysAgo: number) => ({ rxqso: NOW - daysAgo * DAY });
const confirmed = (daysAgo: number, detail = {}) => ({ qsl: { rxqsl: NOW - daysAgo * DAY, detail } });

/** A log in which a letter of the call marks what is special about the contact. */
function aLog() {
  const world = aWorld();
  const contacts = [
    anUpload({ call: "A1NEW", ...received(1), ...confirmed(1, { DXCC: "291" }) }),
    anUpload({ call: "B1OLD", band: "40m", ...received(400), ...confirmed(2, { DXCC: "503" }) }),
    anUpload({ call: "C1ANCIENT", mode: "MFSK", submode: "FT4", ...received(500), ...confirmed(300, { DXCC: "291" }) }),
    anUpload({ call: "D1WAITS", own: "YU1TEST/P", ...received(3) }),
    anUpload({ call: "E1EARLY", at: Date.UTC(2020, 0, 1, 12), ...received(600) }),
  ];
  for (const contact of contacts) world.store.upload(contact);
  return world;
}

const ALL = { qso_qsl: "no", qso_qsorxsince: "1945-11-15" };
const QSLS = { qso_qslsince: "1945-11-15" };

const SELECTIONS: [rule: string, params: Record<string, string>, calls: string[]][] = [
  ["QSLs come newest first", QSLS, ["A1NEW", "B1OLD", "C1ANCIENT"]],
  [
    "qso_qsl=no gives confirmed and unconfirmed, newest upload first",
    ALL,
    ["A1NEW", "D1WAITS", "B1OLD", "C1ANCIENT", "E1EARLY"],
  ],
  ["without a date only the last week counts", {}, ["A1NEW", "B1OLD"]],
  ["without a date only the last week of uploads counts", { qso_qsl: "no" }, ["A1NEW", "D1WAITS"]],
  ["the since-parameter of the other query is ignored", { qso_qsorxsince: "1945-11-15" }, ["A1NEW", "B1OLD"]],
  ["and so it is for all QSOs", { qso_qsl: "no", qso_qslsince: "1945-11-15" }, ["A1NEW", "D1WAITS"]],
  ["a misspelt since-parameter is ignored", { qso_qsosince: "1945-11-15" }, ["A1NEW", "B1OLD"]],
  ["a quoted 'no' is not no", { qso_qsl: "'no'", ...QSLS }, ["A1NEW", "B1OLD", "C1ANCIENT"]],
  ["the instant of the date itself counts", { qso_qslsince: "2026-07-30 10:11:12" }, ["A1NEW", "B1OLD"]],
  ["the second after it does not", { qso_qslsince: "2026-07-30 10:11:13" }, ["A1NEW"]],
  ["an upload at the instant itself counts", { qso_qsl: "no", qso_qsorxsince: "2026-07-31 10:11:12" }, ["A1NEW"]],
  ["qso_owncall", { ...ALL, qso_owncall: "yu1test/p" }, ["D1WAITS"]],
  ["qso_callsign", { ...ALL, qso_callsign: "B1OLD" }, ["B1OLD"]],
  ["qso_band", { ...ALL, qso_band: "40M" }, ["B1OLD"]],
  ["qso_mode is LoTW's mode", { ...ALL, qso_mode: "FT4" }, ["C1ANCIENT"]],
  ["qso_dxcc implies QSLs", { qso_qsl: "no", qso_dxcc: "503", ...QSLS }, ["B1OLD"]],
  ["qso_startdate", { ...ALL, qso_startdate: "2020-01-02" }, ["A1NEW", "D1WAITS", "B1OLD", "C1ANCIENT"]],
  [
    "qso_starttime within its date",
    { ...ALL, qso_startdate: "2020-01-01", qso_starttime: "12:00:00", qso_enddate: "2020-01-02" },
    ["E1EARLY"],
  ],
  [
    "qso_starttime too late",
    { ...ALL, qso_startdate: "2020-01-01", qso_starttime: "12:00:01", qso_enddate: "2020-01-02" },
    [],
  ],
  ["a time without its date is ignored", { ...ALL, qso_owncall: "YU1TEST/P", qso_starttime: "23:00:00" }, ["D1WAITS"]],
  ["qso_enddate includes its day", { ...ALL, qso_enddate: "2020-01-01" }, ["E1EARLY"]],
  ["qso_endtime within its date", { ...ALL, qso_enddate: "2020-01-01", qso_endtime: "11:59:59" }, []],
  ["no qso_query, no records", { ...QSLS, qso_query: "" }, []],
];

describe("a query selects like the real service", () => {
  test.each(SELECTIONS)("%s", async (_, params, calls) => {
    await using world = aLog();

    const report = await (await world.ask(params)).text();

    expect(callsOf(report)).toEqual(calls);
    expect(report).toContain(`<APP_LoTW_NUMREC:1>${calls.length}\n`);
    expect(report).toEndWith("<APP_LoTW_EOF>\n\n");
  });
});

const HEADERS: [rule: string, params: Record<string, string>, line: string][] = [
  ["a date it was given", { qso_qslsince: "2026-07-01" }, "QSL RX SINCE: 2026-07-01 00:00:00 (user supplied value)"],
  ["the date it made up", {}, "QSL RX SINCE: 2026-07-25 10:11:12 (system supplied default)"],
  [
    "the date for uploads",
    { qso_qsl: "no", qso_qsorxsince: "2026-07-01 01:02:03" },
    "QSO RX SINCE: 2026-07-01 01:02:03 (user supplied value)",
  ],
  ["the kind of query", { qso_qsl: "no" }, "    QSL ONLY: NO"],
  ["the newest QSL in the file", { qso_qslsince: "2026-07-01" }, "<APP_LoTW_LASTQSL:19>2026-07-31 10:11:12"],
  ["the newest QSL among those selected", { ...QSLS, qso_band: "40M" }, "<APP_LoTW_LASTQSL:19>2026-07-30 10:11:12"],
  ["the newest upload in the file", { ...ALL, qso_owncall: "YU1TEST/P" }, "<APP_LoTW_LASTQSORX:19>2026-07-29 10:11:12"],
  ["when and for whom", {}, "Generated at 2026-08-01 10:11:12\nfor yu1test\n"],
];

describe("the header contains", () => {
  test.each(HEADERS)("%s", async (_, params, line) => {
    await using world = aLog();

    const response = await world.ask(params);
    const header = (await response.text()).split("<eoh>")[0];

    expect(response.headers.get("content-type")).toBe("application/x-arrl-adif");
    expect(header).toStartWith("ARRL Logbook of the World Status Report\n");
    expect(header).toContain(line);
  });

  test("no newest date if there are no records", async () => {
    await using world = aLog();

    expect(await world.report({ qso_qslsince: "2026-07-31 10:11:13" })).not.toContain("LAST");
    expect(await world.report({ qso_query: "" })).not.toContain("LAST");
  });
});

const REFUSALS: [string, Record<string, string>][] = [
  ["an impossible date", { qso_qslsince: "2026-02-30" }],
  ["a date in another notation", { qso_qslsince: "20260701" }],
  ["an impossible time", { qso_startdate: "2026-07-01", qso_starttime: "25:00:00" }],
  ["an unknown band", { qso_band: "21m" }],
  ["a mode LoTW does not have", { qso_mode: "USB" }],
  ["an entity by name", { qso_dxcc: "France" }],
];

describe("errors have status 200 and an HTML page", () => {
  test.each(REFUSALS)("for %s", async (_, params) => {
    await using world = aLog();

    const response = await world.ask(params);

    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain("<eoh>");
    expect((await world.ask(QSLS)).status).toBe(200);
  });

  test.each([
    ["a wrong password", { password: "Secret" }],
    ["an empty password", { password: "" }],
    ["an unknown login", { login: "yu2test" }],
  ])("for %s, the login page", async (_, params) => {
    await using world = aLog();

    const response = await world.ask(params);

    expect(response.status).toBe(200);
    expect((await response.text()).slice(0, 2000)).toContain("Username/password incorrect</I>");
  });
});

test("a password with special characters is accepted if it is percent-encoded", async () => {
  await using world = aLog();
  world.store.findUser("yu1test")!.password = "p@ss w&rd=1+%";

  const response = await fetch(
    `${world.services.firstUrl}/lotwuser/lotwreport.adi?login=YU1TEST&password=p%40ss%20w%26rd%3D1%2B%25&qso_query=1`,
  );

  expect(callsOf(await response.text())).toHaveLength(2);
  expect(world.first.requests[0].raw).toContain("password=p%40ss%20w%26rd%3D1%2B%25&");
});

test("only GET is accepted", async () => {
  await using world = aLog();

  expect((await world.ask({}, { method: "POST" })).status).toBe(405);
});

describe("one report at a time per account", () => {
  test("a second request gets the limit page, and a later one succeeds", async () => {
    await using world = aLog();
    const release = world.first.hold();
    const slow = world.ask(QSLS);
    await world.first.journal.waitForArrival(1);

    const refused = await world.ask({ ...QSLS, login: "YU1TEST" });
    release();

    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain("<B>Page Request Limit!</B>");
    expect(callsOf(await (await slow).text())).toHaveLength(3);
    expect(callsOf(await world.report())).toHaveLength(3);
  });

  test("another account is served at the same time", async () => {
    await using world = aLog();
    world.store.addUser({ login: "yu2test", password: "secret", calls: ["YU2TEST"] });
    world.store.upload(anUpload({ own: "YU2TEST", call: "F1OTHER", ...confirmed(1) }));
    world.first.fail({ kind: "stall", when: ({ account }) => account === "yu1test" });
    const gone = new AbortController();
    const stalled = world.ask({}, { signal: gone.signal });
    await world.first.journal.waitForArrival(1);

    expect(callsOf(await world.report({ login: "yu2test" }))).toEqual(["F1OTHER"]);

    gone.abort();
    expect(await outcomeOf(stalled)).toBe("broken off");
  });

  test("an abandoned report keeps the account busy for a while", async () => {
    await using world = aLog();
    world.first.fail({ kind: "stall", at: 40 });
    const gone = new AbortController();
    const response = await world.ask(QSLS, { signal: gone.signal });
    gone.abort();
    expect(await outcomeOf(response.text())).toBe("broken off");
    await world.first.journal.waitForDeparture(1);

    expect((await world.ask(QSLS)).status).toBe(503);

    world.turn(1 * MINUTE);
    expect((await world.ask(QSLS)).status).toBe(200);
  });

  test("a report takes as long as configured", async () => {
    await using world = aLog();
    world.first.generationDelay = 45 * SECOND;

    await world.report();

    expect(world.pauses).toEqual([45 * SECOND]);
    expect(world.first.requests[0]).toMatchObject({ startedAt: NOW, finishedAt: NOW + 45 * SECOND });
  });
});
