import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DAY, MINUTE } from "../../src/kernel/clock.ts";
import { AGENT, aRecord, aWorld, fillBook, logidsOf, NOW } from "./world.ts";
import { loadQrzExport } from "./load-samples.ts";

/** Five records with logids 101 to 105. */
function aBook() {
  const world = aWorld();
  const records = [
    aRecord({ APP_QRZLOG_STATUS: "C" }, NOW - 9 * DAY),
    aRecord({ CALL: "F5XYZ", DXCC: "227", BAND: "20M" }, NOW - 8 * DAY),
    aRecord({ MODE: "FT4", BAND: "70CM" }, NOW - 3 * DAY),
    aRecord({ QSO_DATE: "20260131", APP_QRZLOG_STATUS: "2" }, NOW - 2 * DAY),
    aRecord({ QSO_DATE: "20260201", APP_QRZLOG_STATUS: "C" }, NOW),
  ];
  records.forEach((record, index) => world.store.addRecord(world.book, { ...record, logid: 101 + index }));
  return world;
}

const SELECTIONS: [option: string, logids: number[]][] = [
  ["", [101, 102, 103, 104, 105]],
  ["ALL", [101, 102, 103, 104, 105]],
  ["ALL,TYPE:ADIF,STATUS:CONFIRMED", [101, 105]],
  ["STATUS:CONFIRMED", [101, 105]],
  ["STATUS:ALL", [101, 102, 103, 104, 105]],
  ["MAX:2", [101, 102]],
  ["MAX:2,AFTERLOGID:0", [101, 102]],
  ["MAX:2,AFTERLOGID:102", [102, 103]],
  ["AFTERLOGID:105", [105]],
  ["MODSINCE:2026-07-29", [103, 104, 105]],
  ["MAX:1,AFTERLOGID:104,MODSINCE:2026-07-29", [104]],
  ["BETWEEN:2026-01-31+2026-02-01", [104, 105]],
  ["DXCC:227", [102]],
  ["BAND:20m,MODE:cw", [101, 102, 104, 105]],
  ["BAND:70cm", [103]],
  ["CALL:f5xyz", [102]],
  ["LOGIDS:103+101", [101, 103]],
  ["STATUS:CONFIRMED;MAX:1", [101]],
  ["OFFSET:3,AFTER:2026-07-01", [101, 102, 103, 104, 105]],
];

describe("FETCH returns records by ascending logid", () => {
  test.each(SELECTIONS)("for the option '%s'", async (option, logids) => {
    await using world = aBook();

    const reply = await world.page(option);

    expect(logidsOf(reply)).toEqual(logids);
    expect(reply).toStartWith(`RESULT=OK&COUNT=${logids.length}&ADIF=&lt;app_qrzlog_logid:3&gt;`);
    expect(reply).toEndWith("&lt;eor&gt;\n\n");
  });

  test.each([
    ["MAX:0", "RESULT=OK&COUNT=5"],
    ["MAX:0,STATUS:CONFIRMED", "RESULT=OK&COUNT=2"],
    ["TYPE:LOGIDS", "RESULT=OK&COUNT=5&LOGIDS=101,102,103,104,105"],
    ["TYPE:LOGIDS,MAX:2,AFTERLOGID:104", "RESULT=OK&COUNT=2&LOGIDS=104,105"],
    ["AFTERLOGID:106", "COUNT=0&RESULT=FAIL"],
    ["CALL:N0NE", "COUNT=0&RESULT=FAIL"],
    ["ALL,MAX:250", "STATUS=FAIL&RESULT=FAIL&REASON=ALL cannot be combined with MAX&EXTENDED="],
    ["MODSINCE:20260701", "STATUS=FAIL&RESULT=FAIL&REASON=invalid value for MODSINCE&EXTENDED="],
    ["BETWEEN:2026-01-31 2026-02-01", "STATUS=FAIL&RESULT=FAIL&REASON=invalid value for BETWEEN&EXTENDED="],
    ["AFTERLOGID:x", "STATUS=FAIL&RESULT=FAIL&REASON=invalid value for AFTERLOGID&EXTENDED="],
    ["STATUS:C", "STATUS=FAIL&RESULT=FAIL&REASON=invalid value for STATUS&EXTENDED="],
  ])("and for the option '%s' it answers %s", async (option, reply) => {
    await using world = aBook();

    expect(await world.page(option)).toBe(reply);
  });

  test("a misspelt OPTIONS is ignored, so everything is returned", async () => {
    await using world = aBook();

    expect(logidsOf(await (await world.post({ ACTION: "FETCH", OPTIONS: "MAX:1" })).text())).toHaveLength(5);
  });

  test("the plus of a range must be sent as %2B", async () => {
    await using world = aBook();
    const send = (plus: string) =>
      fetch(`${world.services.secondUrl}/api`, {
        method: "POST",
        headers: { "user-agent": AGENT, "content-type": "application/x-www-form-urlencoded" },
        body: `KEY=${world.book.key}&ACTION=FETCH&OPTION=BETWEEN:2026-01-31${plus}2026-02-01`,
      });

    expect(await (await send("+")).text()).toContain("RESULT=FAIL");
    expect(logidsOf(await (await send("%2B")).text())).toEqual([104, 105]);
    expect(world.second.requests[1].raw).toEndWith("%2B2026-02-01");
  });

  test("a multipart form is accepted too", async () => {
    await using world = aBook();
    const form = new FormData();
    for (const [name, value] of Object.entries({ KEY: world.book.key, ACTION: "FETCH", OPTION: "MAX:1" }))
      form.set(name, value);

    expect(logidsOf(await (await world.post(form)).text())).toEqual([101]);
  });

  test("an empty page follows a full last page", async () => {
    await using world = aWorld();
    fillBook(world.book, 500);

    expect(logidsOf(await world.page("MAX:250,AFTERLOGID:251"))).toHaveLength(250);
    expect(await world.page("MAX:250,AFTERLOGID:501")).toBe("COUNT=0&RESULT=FAIL");
  });
});

test("a delayed reply shows the logbook at the time it is released", async () => {
  await using world = aWorld();
  const release = world.second.hold();
  const held = world.page("ALL");
  await world.second.journal.waitForArrival(1);

  world.store.addRecord(world.book, { ...aRecord(), logid: 9 });
  world.store.addRecord(world.book, { ...aRecord(), logid: 7 });
  release();

  expect(logidsOf(await held)).toEqual([7, 9]);
});

describe("STATUS describes the logbook", () => {
  const facts =
    "COUNT=5&CONFIRMED=2&DXCC_COUNT=2&OWNER=YU1TEST&CALLSIGN=YU1TEST&BOOKID=406135&BOOK_NAME=YU1TEST Logbook" +
    "&START_DATE=2026-01-31&END_DATE=2026-07-18";

  test.each([
    ["flat", `RESULT=OK&ACTION=STATUS&${facts}`],
    ["data", `RESULT=OK&ACTION=STATUS&DATA=${facts}`],
  ] as const)("in its %s form", async (statusAs, reply) => {
    await using world = aBook();
    world.second.style.statusAs = statusAs;

    const response = await world.post({ ACTION: "STATUS" });

    expect(response.headers.get("content-type")).toBe("text/html");
    expect(await response.text()).toBe(reply);
  });
});

describe("errors of QRZ", () => {
  test("an unknown key is repeated without its dashes", async () => {
    await using world = aBook();

    const response = await world.post({ KEY: "0026-A7F6-F4E9-2870", ACTION: "STATUS" });

    expect(response.status).toBe(200);
    expect(await response.text()).toBe("STATUS=AUTH&RESULT=AUTH&REASON=invalid api key 0026A7F6F4E92870\n&EXTENDED=");
  });

  test.each([{ KEY: "AB12CD34EF56" }, { KEY: " AB12-CD34-EF56" }, { KEY: "" }])(
    "%j is not a key of the logbook",
    async (key) => {
      await using world = aBook();

      expect(await (await world.post({ ...key, ACTION: "FETCH" })).text()).toContain(
        "RESULT=AUTH&REASON=invalid api key",
      );
    },
  );

  test("without a subscription there is no RESULT but STATUS", async () => {
    await using world = aBook();
    world.book.subscribed = false;

    expect(await world.page("ALL")).toBe(
      "STATUS=AUTH&REASON=user does not have a valid QRZ subscription to use this function\n&EXTENDED=",
    );
  });

  test.each(["INSERT", "DELETE", "", "fetch"])("the action '%s' fails and changes nothing", async (action) => {
    await using world = aBook();

    expect(await (await world.post({ ACTION: action, LOGIDS: "101" })).text()).toContain(
      "RESULT=FAIL&REASON=the action is",
    );
    expect(world.book.records).toHaveLength(5);
  });

  test("only POST is accepted", async () => {
    await using world = aBook();

    expect((await fetch(`${world.services.secondUrl}/api?KEY=${world.book.key}&ACTION=STATUS`)).status).toBe(405);
  });

  test.each<[agent: string | undefined, status: number]>([
    ["qsolog/0.1", 200],
    ["qsolog/0.1.0-beta+3 (YU1TEST/P)", 200],
    [undefined, 403],
    ["", 403],
    ["qsolog", 403],
    ["Bun/1.4.5", 403],
    ["node-fetch/1.0 (+https://github.com/bitinn/node-fetch)", 403],
    ["node-fetch/1.0", 403],
    ["python-requests/2.31.0", 403],
    ["Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101", 403],
    [`qsolog/0.1 (${"X".repeat(120)})`, 403],
  ])("the user agent %j gets %i", async (agent, status) => {
    await using world = aBook();
    const headers: Record<string, string> = agent === undefined ? {} : { "user-agent": agent };

    expect((await world.post({ ACTION: "STATUS" }, { headers })).status).toBe(status);
  });

  test("a key has a limit per minute", async () => {
    await using world = aBook();
    world.second.perMinute = 2;
    const other = world.store.addBook({ ...world.book, key: "OTHER", records: [] });
    const status = async (key = world.book.key) => (await world.post({ KEY: key, ACTION: "STATUS" })).status;

    expect([await status(), await status(), await status(), await status(other.key)]).toEqual([200, 200, 429, 200]);

    world.turn(1 * MINUTE);
    expect(await status()).toBe(200);
  });
});

const SAMPLE = join(process.env.QSOLOG_SAMPLES ?? "samples", "qrz-export.adi");

test.skipIf(!existsSync(SAMPLE))("a real logbook is reproduced record by record, byte for byte", async () => {
  await using world = aWorld();
  const real = readFileSync(SAMPLE, "utf8").split("<eoh>\n")[1];
  loadQrzExport(world.book, recordsOf(real));

  const reply = await world.page("MAX:1000,AFTERLOGID:0");

  expect(reply).toStartWith("RESULT=OK&COUNT=931&ADIF=");
  const adif = reply.split("ADIF=")[1].replaceAll(/&lt;(\w+(:\d+)?)&gt;/g, "<$1>");
  expect(adif.trimEnd()).toBe(real.trimEnd());
});

function recordsOf(adif: string) {
  const records = adif.split("<eor>").slice(0, -1);
  return records.map((text) => ({
    fields: Object.fromEntries(
      [...text.matchAll(/<(\w+):\d+>(.*)/g)].map(([, name, value]) => [name.toUpperCase(), value]),
    ),
  }));
}
