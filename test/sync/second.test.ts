import { describe, expect, test } from "bun:test";
import type { Qso } from "../../src/domain/contact/qso.ts";
import type { QrzStyle } from "../../src/simulated/qrz-reply.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { afterTest } from "../support/cleanup.ts";
import { logOf, STATION } from "../support/sync.ts";
import { aLiveWorld, begun, booked, callOf, cursorOf, HOUR, KEY, stateOf, synced, writtenIn } from "./services.ts";
import type { Live } from "./services.ts";

const filled = (live: Live, count: number): void => {
  for (let n = 0; n < count; n++) booked(live, callOf(n));
};

const options = ({ second }: Live): string[] =>
  second.requests.flatMap(({ params }) => (params.get("ACTION") === "FETCH" ? [params.get("OPTION")!] : []));

/** The contact from a logbook with this one record. */
const contactOf = async (
  fields: Record<string, string>,
  { style = {}, latin1 }: { style?: Partial<QrzStyle>; latin1?: string[] } = {},
): Promise<Qso> => {
  const live = await aLiveWorld();
  Object.assign(live.second.style, style);
  booked(live, "K1AAA", fields, { latin1 });
  const job = await synced(live, "second");
  expect(job).toMatchObject({ status: "completed", stats: { added: 1 } });
  return (await logOf(live.world, live.bob.id))[0]!;
};

describe("a logbook with few records", () => {
  test.each([
    ["32: says COUNT=0 and FAIL", "count"],
    ["33: says that no log entries were found", "reason"],
  ] as const)("%s: an empty one adds nothing, and after two full pages the third is the last", async (_, emptyAs) => {
    const live = await aLiveWorld();
    live.second.style.emptyAs = emptyAs;

    expect(await synced(live, "second")).toMatchObject({ status: "completed", stats: { fetched: 0 }, error: null });
    filled(live, 500);
    const job = await synced(live, "second", { options: { full: true } });

    expect(job).toMatchObject({ status: "completed", stats: { added: 500 } });
    expect(options(live).slice(1)).toEqual([
      "MAX:250,AFTERLOGID:0",
      "MAX:250,AFTERLOGID:100000251",
      "MAX:250,AFTERLOGID:100000501",
    ]);
  });

  test("45: with exactly 250 records is requested twice, and 250 are stored", async () => {
    const live = await aLiveWorld();
    filled(live, 250);

    const job = await synced(live, "second");

    expect(job.stats).toMatchObject({ fetched: 250, added: 250 });
    expect(options(live)).toEqual(["MAX:250,AFTERLOGID:0", "MAX:250,AFTERLOGID:100000251"]);
  });
});

describe("a rejected key", () => {
  test("34: without a subscription is subscription_required", async () => {
    const live = await aLiveWorld();
    filled(live, 3);
    live.book.subscribed = false;
    const before = await writtenIn(live);

    const job = await synced(live, "second");

    expect(job).toMatchObject({ status: "failed", error: { code: "subscription_required" } });
    expect(await stateOf(live, "second")).toEqual({ state: "rejected", reason: job.error!.message });
    expect(await writtenIn(live)).toEqual(before);
  });

  test("35: that is invalid is auth_failed, and no message contains the key that QRZ repeats", async () => {
    const live = await aLiveWorld();
    live.book.key = "FFFF-0000-1111-2222";

    const job = await synced(live, "second");

    expect(job).toMatchObject({ status: "failed", error: { code: "auth_failed" } });
    expect(await stateOf(live, "second")).toEqual({ state: "rejected", reason: job.error!.message });
    expect(job.error!.message).not.toMatch(/AB12|0789/);
  });

  test("50: that opens another callsign's logbook is wrong_callsign, with nothing written", async () => {
    const live = await aLiveWorld();
    filled(live, 3);
    await setCredentials(live.world, live.bob.id, "second", { apiKey: KEY, callsign: "YU9OTHER" });
    const before = await writtenIn(live);

    const job = await synced(live, "second");

    expect(job).toMatchObject({ status: "failed", error: { code: "wrong_callsign" } });
    expect(job.error!.message).toContain(STATION);
    expect(await stateOf(live, "second")).toEqual({ state: "rejected", reason: job.error!.message });
    expect(await writtenIn(live)).toEqual(before);
    expect(options(live)).toEqual([]);
  });

  test.each([
    ["accepted", KEY],
    ["rejected", "FFFF-0000-1111-2222"],
  ])("or %s does not affect a key that was set meanwhile", async (_, key) => {
    const live = await aLiveWorld();
    const open = live.second.hold();
    const job = await begun(live, "second");
    await live.second.journal.waitForArrival(1);
    await setCredentials(live.world, live.bob.id, "second", { apiKey: "9999-8888-7777-6666" });
    live.book.key = key;

    open();
    const ended = await live.runner.end(job.id);

    expect(ended!.status).toBe(key === KEY ? "completed" : "failed");
    expect(await stateOf(live, "second")).toEqual({ state: "unknown", reason: null });
  });
});

describe("a value arrives unchanged", () => {
  test("36: in a reply with shuffled keys and RESULT after the records", async () => {
    const live = await aLiveWorld();
    Object.assign(live.second.style, { shuffleKeys: true, shuffleFields: true, resultAfterAdif: true });
    for (const call of ["K1AAA", "K2BBB", "K3CCC"]) booked(live, call, { COMMENT: `of ${call}` });

    await synced(live, "second");

    const log = await logOf(live.world, live.bob.id);
    expect(log.map(({ call, comment }) => [call, comment])).toEqual([
      ["K1AAA", "of K1AAA"],
      ["K2BBB", "of K2BBB"],
      ["K3CCC", "of K3CCC"],
    ]);
    expect(JSON.stringify(log)).not.toContain("RESULT");
  });

  const comments: [string, string, Partial<QrzStyle>][] = [
    ["37: with a bare ampersand", "R&R net", {}],
    ["37: with a plus and a percent sign", "A+B 50%20C", {}],
    ["38: with an escaped angle", "a<b", { escape: "angles" }],
    ["38: with entities of its own", "&amp; &lt; &gt; literal", {}],
    ["39: with the end of a record", "x<eor>y", { escape: "angles" }],
    ["39: with the beginning of the records", "a&ADIF=b", {}],
    ["39: with a key of the reply", "a&COUNT=9", {}],
    ["40: counted in bytes", "Toni Olmo Tomàs", {}],
    ["40: counted in characters", "Toni Olmo Tomàs", { lengthUnit: "chars" }],
  ];
  test.each(comments)("%s", async (_, comment, style) => {
    expect((await contactOf({ COMMENT: comment }, { style })).comment).toBe(comment);
  });

  test("41: in Latin-1 next to one in UTF-8", async () => {
    const qso = await contactOf({ QTH: "Érd", NAME: "Széchenyi" }, { latin1: ["QTH"] });

    expect([qso.qth, qso.name]).toEqual(["Érd", "Széchenyi"]);
  });
});

describe("what a record says", () => {
  test("42: placeholders are ignored", async () => {
    const qso = await contactOf({ LOTW_QSLRDATE: "00000000", IOTA: "none", LAT: "S000 00.000" });

    expect(qso).toMatchObject({ iota: null, firstConfirmed: false, firstConfirmedAt: null });
    expect(qso.second!.record!.fields).toMatchObject({ LOTW_QSLRDATE: "00000000", IOTA: "none" });
  });

  test("43: status C is the service's confirmation, QSL_RCVD N a card that has not arrived", async () => {
    const qso = await contactOf({ APP_QRZLOG_STATUS: "C", APP_QRZLOG_QSLDATE: "20260720", QSL_RCVD: "N" });

    expect(qso).toMatchObject({ secondConfirmed: true, cardConfirmed: false, firstConfirmed: false });
    expect(qso.secondConfirmedAt).toBe(Date.UTC(2026, 6, 20));
  });

  test.each(["N", "2", "S", "R", "A", "V", ""])("44: status %p confirms nothing", async (status) => {
    const qso = await contactOf({
      APP_QRZLOG_STATUS: status,
      QRZCOM_QSO_DOWNLOAD_STATUS: "Y",
      LOTW_QSL_RCVD: "Y",
      QSL_RCVD: "Y",
    });

    expect(qso).toMatchObject({ firstConfirmed: false, secondConfirmed: false, cardConfirmed: false });
  });
});

describe("paging", () => {
  test("46: a service that repeats the last record ends the loop without a second contact", async () => {
    const live = await aLiveWorld();
    const stub = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const form = new URLSearchParams(await request.text());
        if (form.get("ACTION") === "STATUS") return new Response(`RESULT=OK&CALLSIGN=${STATION}&COUNT=250`);
        const after = Number(/AFTERLOGID:(\d+)/.exec(form.get("OPTION")!)![1]);
        const logids = Array.from({ length: 250 }, (_, index) => index + 1).filter((logid) => logid >= after - 1);
        return new Response(`RESULT=OK&COUNT=${logids.length}&ADIF=${logids.map(recordOf).join("")}`);
      },
    });
    afterTest(() => stub.stop(true));
    const config = { ...live.world.config, secondUrl: `http://127.0.0.1:${stub.port}` };

    const job = await synced({ ...live, world: { ...live.world, config } }, "second");

    expect(job).toMatchObject({ status: "completed", stats: { added: 250, updated: 0 } });
    expect(await logOf(live.world, live.bob.id)).toHaveLength(250);
  });

  // Defence: a service that never stops sending ends the job
  test("47: a service that repeats the same page forever is an error", async () => {
    const live = await aLiveWorld();
    filled(live, 300);
    live.second.fail({ kind: "ignoreCursor", times: 1000 });

    const job = await synced(live, "second");

    expect(job).toMatchObject({ status: "failed", error: { code: "invalid_answer" }, stats: { added: 250 } });
    expect(options(live)).toHaveLength(2);
    expect(await cursorOf(live, "second")).toBeNull();
  });

  test("48: a COUNT that does not match the page is ignored: the records decide", async () => {
    const live = await aLiveWorld();
    filled(live, 300);
    live.second.style.countIs = "total";
    live.second.fail({ kind: "count", by: 750, times: 1000, when: ({ params }) => params.get("ACTION") === "FETCH" });

    expect(await synced(live, "second")).toMatchObject({ status: "completed", stats: { added: 300 } });
  });

  test("49: a record without a logid is stored once, recognised by its values", async () => {
    const live = await aLiveWorld();
    filled(live, 2);
    const { APP_QRZLOG_LOGID: _, ...fields } = booked(live, "K9XYZ").fields;
    live.book.records.at(-1)!.fields = fields as Record<string, string>;

    const job = await synced(live, "second");
    const again = await synced(live, "second", { options: { full: true } });

    expect([job.status, job.stats.added]).toEqual(["completed", 3]);
    expect(again.stats).toMatchObject({ added: 0, updated: 0, unchanged: 3 });
    expect(
      (await logOf(live.world, live.bob.id)).map(({ call, secondId }) => [call, secondId === null]),
    ).toContainEqual(["K9XYZ", true]);
  });

  test("52: a broken connection on page 2 is a failure, and the first page stays stored", async () => {
    const live = await aLiveWorld();
    filled(live, 10);
    await synced(live, "second");
    const cursor = await cursorOf(live, "second");
    live.world.clock.advance(HOUR);
    filled(live, 300);
    live.second.fail({ kind: "reset", times: 3, when: ({ raw }) => /AFTERLOGID%3A10000025\d/.test(raw) });

    const job = await synced(live, "second", { options: { full: true } });

    expect(job).toMatchObject({ status: "failed", error: { code: "network" }, stats: { added: 240 } });
    expect(await cursorOf(live, "second")).toEqual(cursor);
    expect(await synced(live, "second", { options: { full: true } })).toMatchObject({
      status: "completed",
      stats: { added: 60, unchanged: 250 },
    });
  });
});

test("51: each request names the program and the call, and passes a check against libraries", async () => {
  const live = await aLiveWorld();

  expect((await synced(live, "second")).status).toBe("completed");

  const agents = live.second.requests.map(({ headers }) => headers["user-agent"]);
  expect(agents.length).toBeGreaterThan(1);
  for (const agent of agents) expect(agent).toMatch(/^qsolog\/\d+\.\d+\.\d+ \(YU1TEST\)$/);
});

test("a first sync downloads everything, a second one the changes, and after a week everything again", async () => {
  const live = await aLiveWorld();
  filled(live, 3);

  for (const hours of [0, 1, 7 * 24]) {
    live.world.clock.advance(hours * HOUR);
    expect((await synced(live, "second")).status).toBe("completed");
  }

  expect(options(live)).toEqual([
    "MAX:250,AFTERLOGID:0",
    "MAX:250,AFTERLOGID:0,MODSINCE:2026-07-30",
    "MAX:250,AFTERLOGID:0",
  ]);
});

const recordOf = (logid: number): string => {
  const fields = {
    app_qrzlog_logid: String(logid),
    call: callOf(logid),
    band: "20m",
    mode: "CW",
    qso_date: "20260718",
    time_on: "0143",
  };
  const markers = Object.entries(fields).map(([name, value]) => `&lt;${name}:${value.length}&gt;${value}\n`);
  return `${markers.join("")}&lt;eor&gt;\n\n`;
};
