import { describe, expect, test } from "bun:test";
import { MINUTE, SECOND } from "../../src/kernel/clock.ts";
import type { DeliveryFault, LotwFault } from "../../src/simulated/faults.ts";
import { aRecord, aWorld, anUpload, callsOf, fillBook, logidsOf, NOW, outcomeOf } from "./world.ts";

function aLog() {
  const world = aWorld();
  for (const call of ["A1AA", "B1BB", "C1CÉ"]) world.store.upload(anUpload({ call, qsl: { rxqsl: NOW } }));
  world.store.addRecord(world.book, aRecord({ NAME: "Tomàs" }));
  return world;
}

describe("faults of the connection", () => {
  test("a truncated body ends like a complete one", async () => {
    await using world = aLog();
    const whole = await world.report();
    world.first.fail({ kind: "truncate", at: 500 });

    expect(await world.report()).toBe(whole.slice(0, 500));
    expect(await world.report()).toBe(whole);
  });

  test.each([0, 300])("a reset connection breaks after %j bytes", async (at) => {
    await using world = aLog();
    world.first.fail({ kind: "reset", at });

    expect(await outcomeOf(world.report())).toBe("broken off");
    expect(callsOf(await world.report())).toHaveLength(3);
  });

  test.each([0, 300])("a stalled answer is silent after %j bytes until the client gives up", async (at) => {
    await using world = aLog();
    world.first.fail({ kind: "stall", at });
    const gone = new AbortController();
    const received: number[] = [];
    const asked = world.ask({ qso_qslsince: "1945-11-15" }, { signal: gone.signal }).then(async (response) => {
      for await (const piece of response.body!) {
        received.push(piece.length);
        gone.abort();
      }
    });
    await world.first.journal.waitForArrival(1);
    if (at === 0) gone.abort();

    expect(await outcomeOf(asked)).toBe("broken off");
    await world.first.journal.waitForDeparture(1);

    expect(received.reduce((sum, length) => sum + length, 0)).toBe(at);
    expect(world.first.requests[0].aborted).toBe(true);
  });

  test("a slow answer arrives completely, with a pause between the bytes", async () => {
    await using world = aLog();
    const whole = await world.report();
    world.first.fail({ kind: "drip", bytes: 100, pause: 10 * SECOND });

    const dripped = await world.report();

    expect(dripped).toBe(whole);
    expect(world.pauses).toEqual(Array(Math.ceil(Buffer.byteLength(whole) / 100) - 1).fill(10 * SECOND));
  });

  test("a compressed answer has the same content", async () => {
    await using world = aLog();
    const whole = await world.report();
    world.first.fail({ kind: "gzip" });

    const unopened: BunFetchRequestInit = { decompress: false };
    const response = await world.ask({ qso_qslsince: "1945-11-15" }, unopened as RequestInit);
    const packed = new Uint8Array(await response.arrayBuffer());

    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(new TextDecoder().decode(Bun.gunzipSync(packed))).toBe(whole);
  });

  test("a redirect leads to plain HTTP under another name, where a client that follows gets an answer", async () => {
    await using world = aLog();
    world.first.fail({ kind: "redirect" });
    world.first.fail({ kind: "redirect", to: "http://example.invalid/" });

    const response = await world.ask({}, { redirect: "manual" });
    const elsewhere = await world.ask({}, { redirect: "manual" });
    const followed = await fetch(response.headers.get("location")!);

    expect([response.status, elsewhere.status, followed.status]).toEqual([302, 302, 200]);
    expect(response.headers.get("location")).toContain("http://localhost:");
    expect(elsewhere.headers.get("location")).toBe("http://example.invalid/");
    expect(world.first.requests[2].headers.host).toStartWith("localhost:");
    expect(callsOf(await followed.text())).toHaveLength(3);
  });

  test.each<[DeliveryFault, number, string]>([
    [{ kind: "status", status: 500 }, 500, "<h1>500</h1>"],
    [{ kind: "status", status: 502 }, 502, "<h1>502</h1>"],
    [{ kind: "status", status: 503, retryAfter: 120 }, 503, "<h1>503</h1>"],
    [{ kind: "maintenance" }, 200, "being looked after"],
    [{ kind: "maintenance", tempting: true }, 200, "ARRL Logbook of the World Status Report <eoh>"],
  ])("%j replaces the answer of either service", async (fault, status, text) => {
    await using world = aLog();
    world.first.fail(fault);
    world.second.fail(fault);

    for (const response of [await world.ask(), await world.post({ ACTION: "STATUS" })]) {
      expect(response.status).toBe(status);
      expect(response.headers.get("retry-after")).toBe("retryAfter" in fault ? "120" : null);
      const body = await response.text();
      expect(body).toContain(text);
      expect(body).toStartWith("<!DOCTYPE html>");
    }
  });
});

const WRONG_REPORTS: [LotwFault, (whole: string) => string][] = [
  [{ kind: "dropEof" }, (whole) => whole.replace("<APP_LoTW_EOF>\n\n", "")],
  [{ kind: "numrec", by: 2 }, (whole) => whole.replace("NUMREC:1>3", "NUMREC:1>5")],
  [{ kind: "lastQsl", as: "" }, (whole) => whole.replace(/LASTQSL:19>.*/, "LASTQSL:0>")],
  [{ kind: "lastQsl", as: null }, (whole) => whole.replace(/<APP_LoTW_LASTQSL.*\n\n/, "")],
  [{ kind: "crlf" }, (whole) => whole.replaceAll("\n", "\r\n")],
  [{ kind: "clockSkew", by: 90 * MINUTE }, (whole) => whole.replace("10:11:12\nfor", "11:41:12\nfor")],
];

describe("faults within a LoTW report", () => {
  test.each(WRONG_REPORTS)("%j changes only that", async (fault, change) => {
    await using world = aLog();
    const whole = await world.report();
    world.first.fail(fault);

    const changed = await world.report();

    expect(changed).toBe(change(whole));
    expect(changed).not.toBe(whole);
  });

  test("Latin-1 text has lengths in its own bytes", async () => {
    await using world = aLog();
    expect(await world.report()).toContain("<CALL:5>C1CÉ\n");
    world.first.fail({ kind: "latin1" });

    const body = await (await world.ask()).arrayBuffer();

    expect(Buffer.from(body).toString("latin1")).toContain("<CALL:4>C1C\xc9\n");
  });

  test("a date can be replaced by a default, which the header shows", async () => {
    await using world = aLog();
    world.first.fail({ kind: "systemDefault" });

    expect(await world.report()).toContain("QSL RX SINCE: 2026-07-25 10:11:12 (system supplied default)");
  });

  test("a busy account gets the limit page once", async () => {
    await using world = aLog();
    world.first.fail({ kind: "busy" });

    const response = await world.ask();

    expect(response.status).toBe(503);
    expect(await response.text()).toContain("Page Request Limit!");
    expect((await world.ask()).status).toBe(200);
  });

  test("a changed password is refused from then on", async () => {
    await using world = aLog();
    world.first.fail({ kind: "passwordChange", to: "new", nth: 2 });

    expect(callsOf(await world.report())).toHaveLength(3);
    expect(await world.report()).toContain("Username/password incorrect");
    expect(await world.report()).toContain("Username/password incorrect");
    expect(callsOf(await world.report({ password: "new" }))).toHaveLength(3);
  });
});

describe("faults within a QRZ reply", () => {
  test("COUNT can be wrong", async () => {
    await using world = aLog();
    world.second.fail({ kind: "count", by: 750 });

    expect(await world.page("ALL")).toStartWith("RESULT=OK&COUNT=751&");
  });

  test("line ends and encoding can differ", async () => {
    await using world = aLog();
    world.second.fail({ kind: "crlf", and: [{ kind: "latin1" }] });

    const reply = Buffer.from(await (await world.post({ ACTION: "FETCH" })).arrayBuffer()).toString("latin1");

    expect(reply).toContain("&lt;name:5&gt;Tom\xe0s\r\n");
    expect(world.second.requests[0].faults).toEqual(["crlf", "latin1"]);
  });

  test("a page can be repeated, or the first one forever", async () => {
    await using world = aWorld();
    fillBook(world.book, 9);
    world.second.fail({ kind: "duplicatePage", nth: 3 });
    world.second.fail({ kind: "ignoreCursor", when: ({ number }) => number > 3, times: Number.POSITIVE_INFINITY });
    const pages: number[][] = [];

    for (const after of [1, 4, 7, 4, 7]) pages.push(logidsOf(await world.page(`MAX:3,AFTERLOGID:${after}`)));

    expect(pages).toEqual([
      [1, 2, 3],
      [4, 5, 6],
      [4, 5, 6],
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  test("a service with a fast clock counts yesterday's changes as today's", async () => {
    await using world = aLog();
    const since = async () => (await world.page("MODSINCE:2026-08-02")).slice(0, 9);
    expect(await since()).toBe("COUNT=0&R");
    world.second.fail({ kind: "clockSkew", by: 14 * 60 * MINUTE });

    expect(await since()).toBe("RESULT=OK");
  });

  test("a changed key is refused from then on", async () => {
    await using world = aLog();
    world.second.fail({ kind: "passwordChange" });

    expect(await world.page("ALL")).toContain("RESULT=AUTH");
    expect(await (await world.post({ KEY: "AB12-CD34-EF56", ACTION: "STATUS" })).text()).toContain("RESULT=AUTH");
    expect(await (await world.post({ KEY: world.book.key, ACTION: "STATUS" })).text()).toContain("RESULT=OK");
  });
});

describe("a planned fault", () => {
  test("affects the next request, and the next fault the one after it", async () => {
    await using world = aLog();
    world.first.fail({ kind: "status", status: 500 });
    world.first.fail({ kind: "status", status: 502, times: 2 });
    const statuses: number[] = [];

    for (let asked = 0; asked < 4; asked++) statuses.push((await world.ask()).status);

    expect(statuses).toEqual([500, 502, 502, 200]);
    expect(world.first.requests.map(({ faults }) => faults)).toEqual([["status"], ["status"], ["status"], []]);
  });

  test("waits for its kind of request", async () => {
    await using world = aLog();
    world.first.fail({ kind: "status", status: 500, when: ({ params }) => params.get("qso_qsl") === "no" });
    world.first.fail({ kind: "status", status: 502, nth: 3 });

    const statuses = [];
    for (const qso_qsl of ["yes", "no", "yes"]) statuses.push((await world.ask({ qso_qsl })).status);

    expect(statuses).toEqual([200, 500, 502]);
  });

  test("can be cancelled", async () => {
    await using world = aLog();
    const callOff = world.first.fail({ kind: "status", status: 500, times: Number.POSITIVE_INFINITY });
    expect((await world.ask()).status).toBe(500);

    callOff();

    expect((await world.ask()).status).toBe(200);
  });
});
