import { describe, expect, test } from "bun:test";
import { byOwner } from "../../src/logbook/caller.ts";
import { readFileSync } from "node:fs";
import { Auth } from "../../src/auth/auth.ts";
import { MINUTE } from "../../src/kernel/clock.ts";
import { createToken, type KeyForm, type TokenScope } from "../../src/people/tokens.ts";
import { openLog } from "../../src/kernel/log.ts";
import { radios } from "../../src/logbook/programs.ts";
import { deleteQso } from "../../src/contacts/edit.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { testApp, type TestApp } from "../support/app.ts";
import { aDirectory } from "../support/directory.ts";
import { logOf } from "../support/sync.ts";
import { testWorld, type TestWorld } from "../support/world.ts";
import { QUESTIONS, RECORD, UPLOADS, type ProgramRequest } from "../fixtures/wavelog/clients.ts";

const ask = async (app: TestApp, { method, path, headers, body }: ProgramRequest) => {
  const request = new Request(`http://localhost${path}`, { method, headers, body });
  const response = await app.server.handle(request);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text.startsWith("<") ? null : JSON.parse(text || "null"),
  };
};

const post = (app: TestApp, path: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(app, { method: "POST", path, headers, body: typeof body === "string" ? body : JSON.stringify(body) });

const get = (app: TestApp, path: string, headers: Record<string, string> = {}) =>
  ask(app, { method: "GET", path, headers, body: null });

const keyOf = async (app: TestApp, name = "Shack", scope: TokenScope = "feed", form: KeyForm = "v1") =>
  (await createToken(app, app.bob.id, { name, scope, form })).token;

const jobsOf = (app: TestApp) => app.db.read(() => syncJobs.list({ userId: app.bob.id, limit: 10 }));

describe.each(Object.keys(UPLOADS))("%s", (program) => {
  test("logs a contact once, even if it is sent twice", async () => {
    const app = await testApp();
    const key = await keyOf(app, program);

    const first = await ask(app, UPLOADS[program]!(key, 1));
    const again = await ask(app, UPLOADS[program]!(key, 1));

    expect([first.status, again.status]).toEqual([201, 201]);
    expect(first.json).toEqual({
      status: "created",
      type: "adif",
      string: "",
      adif_count: 1,
      adif_errors: 0,
      messages: [""],
    });
    expect(again.json).toEqual(first.json);
    const [qso, ...others] = await logOf(app as never, app.bob.id);
    expect(others).toEqual([]);
    expect(qso).toMatchObject({
      call: "DL1ABC",
      band: "20m",
      mode: "FT8",
      stationCallsign: "YU1TEST",
      gridsquare: "JO62",
    });
    expect(await jobsOf(app)).toMatchObject([{ source: "feed", client: program, stats: { fetched: 2, added: 1 } }]);
  });

  test("answers lookups that were made before logging", async () => {
    const app = await testApp();
    const key = await keyOf(app);
    await ask(app, UPLOADS.QLog!(key, 1));
    const [station] = (await get(app, `/api/station_info/${key}`)).json;

    for (const question of (QUESTIONS[program] ?? (() => []))(key, Number(station.station_id))) {
      const answer = await ask(app, question);
      expect(answer.status).toBe(200);
      if (question.path.includes("station_info")) {
        expect(answer.json).toEqual([
          {
            station_id: expect.stringMatching(/^[1-9]\d{0,9}$/),
            station_profile_name: "YU1TEST KN04FT",
            station_gridsquare: "KN04FT",
            station_callsign: "YU1TEST",
            station_active: "1",
          },
        ]);
      }
      if (question.path.includes("/auth/")) {
        expect(answer.text).toBe("<auth>\n<status>Valid</status>\n<rights>rw</rights>\n</auth>");
      }
      if (question.path.endsWith("/version")) expect(answer.json).toMatchObject({ status: "ok" });
      if (question.path.endsWith("/get_wp_stats")) expect(answer.json).toMatchObject({ status: "successful" });
    }
  });
});

describe("version 1 of the interface", () => {
  test("accepts a station as number, text or missing, and fills in what a record omits", async () => {
    const app = await testApp();
    const key = await keyOf(app);
    await post(app, "/api/qso", { key, type: "adif", string: RECORD });
    const [{ station_id: id }] = (await get(app, `/api/station_info/${key}`)).json;

    for (const [at, station] of [id, Number(id), undefined].entries()) {
      const string = `<CALL:5>K${at}ABC<QSO_DATE:8>20260801<TIME_ON:4>1200<BAND:3>20m<MODE:2>CW<EOR>`;
      expect((await post(app, "/api/qso", { key, station_profile_id: station, type: "adif", string })).status).toBe(
        201,
      );
    }

    const made = (await logOf(app as never, app.bob.id)).filter(({ mode }) => mode === "CW");
    expect(made.map(({ stationCallsign, ownGrid }) => [stationCallsign, ownGrid])).toEqual(
      Array.from({ length: 3 }, () => ["YU1TEST", "KN04FT"]),
    );
  });

  test("keeps a record of another own callsign and reports it", async () => {
    const app = await testApp();
    const key = await keyOf(app);
    await post(app, "/api/qso", { key, type: "adif", string: RECORD });
    const [{ station_id: id }] = (await get(app, `/api/station_info/${key}`)).json;

    const string = RECORD.replace("<station_callsign:7>YU1TEST", "<station_callsign:9>YU1TEST/P").replace(
      "DL1ABC",
      "DL1ABD",
    );
    const { status, json } = await post(app, "/api/qso", { key, station_profile_id: id, type: "adif", string });

    expect([status, json.status]).toEqual([201, "created"]);
    expect(json.messages).toEqual(["", "DL1ABD 2026-08-01 11:58: logged as YU1TEST/P instead of YU1TEST"]);
  });

  test("accepts a whole log with line ends and tabs unescaped in the text", async () => {
    const app = await testApp();
    const key = await keyOf(app);
    const string = `${RECORD}\r\n\t${RECORD.replace("DL1ABC", "DL2ABC")}\n`;
    const body = `{"key":"${key}","station_profile_id":"1","type":"adif","string":"${string}"}`;

    const { status, json } = await post(app, "/api/qso", body);

    expect([status, json.adif_count]).toEqual([201, 2]);
    expect(await logOf(app as never, app.bob.id)).toHaveLength(2);
  });

  test("shows in a dry run what would happen, and writes nothing", async () => {
    const app = await testApp();
    const key = await keyOf(app);

    const { status, json } = await post(app, "/index.php/api/qso/true", { key, type: "adif", string: RECORD });

    expect([status, json.status, json.adif_count]).toEqual([201, "created", 1]);
    expect([await logOf(app as never, app.bob.id), await jobsOf(app)]).toEqual([[], []]);
  });

  test("refuses in its own form: wrong keys, truncated JSON, empty bodies, a contact without a time", async () => {
    const app = await testApp();
    const key = await keyOf(app);
    const look = await keyOf(app, "look", "lookup");
    const whole = JSON.stringify({ key, type: "adif", string: RECORD });
    const untimed = "<CALL:5>K1ABC<BAND:3>20m<EOR>";
    const cases: [unknown, number, unknown][] = [
      [{ key: "qf0123456789abcdefghjkmn", type: "adif", string: RECORD }, 401, { status: "failed" }],
      [{ type: "adif", string: RECORD }, 401, { status: "failed" }],
      [{ key: look, type: "adif", string: RECORD }, 401, { status: "failed" }],
      [whole.slice(0, -3), 400, { status: "failed" }],
      [{ key, type: "adif", string: "" }, 400, { status: "failed" }],
      [{ key, type: "adif", string: untimed }, 400, { status: "abort", adif_errors: 1 }],
    ];
    for (const [body, status, words] of cases) {
      const answer = await post(app, "/api/qso", body);
      expect(answer.status).toBe(status);
      expect(answer.json).toMatchObject(words as object);
      expect(answer.text).not.toMatch(/created|<html|"error"/);
    }
  });

  test("asks programs to retry while the log is being rolled back", async () => {
    const app = await testApp();
    const key = await keyOf(app);
    await post(app, "/api/qso", { key, type: "adif", string: RECORD });
    const [job] = await jobsOf(app);
    await app.db.write(() => syncJobs.beginRollback(job!.id, app.bob.id, app.clock()));

    const { status, headers, json } = await post(app, "/api/qso", { key, type: "adif", string: RECORD });

    expect([status, headers.get("retry-after"), json.status]).toEqual([503, "5", "failed"]);
  });

  test("does not restore contacts that the user deleted", async () => {
    const app = await testApp();
    const key = await keyOf(app);
    await post(app, "/api/qso", { key, type: "adif", string: RECORD });
    const [qso] = await logOf(app as never, app.bob.id);
    await deleteQso(app, app.bob.id, qso!.id);

    const { status, json } = await post(app, "/api/qso", { key, type: "adif", string: RECORD });

    expect([status, json.messages.length]).toEqual([201, 2]);
    expect(await logOf(app as never, app.bob.id)).toEqual([]);
  });

  test("answers for a key by GET and POST, and leaves the sign-in routes alone", async () => {
    const app = await testApp();
    const [rw, r] = [await keyOf(app), await keyOf(app, "look", "lookup")];

    expect((await get(app, `/api/auth/${r}`)).text).toContain("<rights>r</rights>");
    expect((await get(app, `/api/check_auth/${rw}`)).text).toContain("<rights>rw</rights>");
    const bad = await get(app, "/index.php/api/auth/nonsense");
    expect([bad.status, bad.text]).toEqual([
      200,
      "<auth>\n<message>Key Invalid - either not found or disabled</message>\n</auth>",
    ]);
    const signedIn = await post(app, "/api/auth/login", { username: "bob", password: "correct horse battery" });
    expect([signedIn.status, (await get(app, "/api/auth/login")).status]).toEqual([200, 404]);
  });

  test("returns statistics, lookups, and contacts as ADIF page by page", async () => {
    const app = await testApp();
    const key = await keyOf(app, "look", "feed");
    await post(app, "/api/qso", { key, type: "adif", string: `${RECORD}${RECORD.replace("DL1ABC", "DL2ABC")}` });
    const look = await keyOf(app, "look", "lookup");

    const figures = await get(app, `/api/statistics/${look}`);
    expect([figures.status, figures.json]).toEqual([201, { Today: 2, total_qsos: 2, month_qsos: 2, year_qsos: 2 }]);

    const call = await post(app, "/api/private_lookup", { key: look, callsign: "DL1ABC", band: "20m", mode: "FT8" });
    expect(call.json).toMatchObject({
      callsign: "DL1ABC",
      dxcc: "GERMANY",
      dxcc_id: "230",
      call_worked: true,
      call_worked_band: true,
      call_worked_band_mode: true,
      call_confirmed: false,
      dxcc_confirmed: false,
    });

    const check = async (fields: object) =>
      (await post(app, "/api/logbook_check_callsign", { key: look, logbook_public_slug: "any", ...fields })).json;
    expect(await check({ callsign: "DL1ABC" })).toEqual({ callsign: "DL1ABC", result: "Found" });
    expect(await check({ callsign: "DL1ABC", band: "40m" })).toEqual({ callsign: "DL1ABC", result: "Not Found" });
    expect(await check({ callsign: "DL9ZZZ" })).toEqual({ callsign: "DL9ZZZ", result: "Not Found" });

    const first = await post(app, "/api/get_contacts_adif", { key: look, station_id: 1, fetchfromid: 0, limit: 1 });
    expect(first.json).toMatchObject({ status: "successfull", exported_qsos: 1 });
    expect(first.json.adif).toContain("<CALL:6>DL1ABC");
    const fetchfromid = first.json.lastfetchedid;
    const second = await post(app, "/api/get_contacts_adif", { key: look, station_id: 1, fetchfromid });
    expect(second.json.adif).toContain("<CALL:6>DL2ABC");
    const none = await post(app, "/api/get_contacts_adif", { key: look, fetchfromid: second.json.lastfetchedid });
    expect(none.json).toMatchObject({ exported_qsos: 0, adif: null, lastfetchedid: second.json.lastfetchedid });
  });

  test("says whether a grid square was worked and confirmed", async () => {
    const app = await testApp();
    const key = await keyOf(app);
    await post(app, "/api/qso", { key, type: "adif", string: RECORD });

    const square = async (fields: object) => {
      const asked = { key, logbook_public_slug: "any", ...fields };
      const { status, json } = await post(app, "/api/logbook_check_grid", asked);
      return [status, json.gridsquare, json.result];
    };
    expect(await square({ grid: "jo62" })).toEqual([201, "JO62", "Found"]);
    expect(await square({ grid: "JO62", band: "40m" })).toEqual([201, "JO62", "Not Found"]);
    expect(await square({ grid: "JO62", cnfm: "lotw" })).toEqual([201, "JO62", "Worked"]);
    await post(app, "/api/qso", { key, type: "adif", string: RECORD.replace("<eor>", "<qsl_rcvd:1>Y <eor>") });
    expect(await square({ grid: "JO62", band: "20m", cnfm: "lotw" })).toEqual([201, "JO62", "Confirmed"]);
    expect(await square({ grid: "" })).toEqual([400, undefined, undefined]);
  });

  test("stores the state of radios and returns its version", async () => {
    const app = await testApp();
    const key = await keyOf(app);

    const told = await post(app, "/api/radio", {
      radio: "IC-7300",
      key,
      frequency: 14_025_000,
      mode: "CW-U",
      power: 50,
    });

    expect(told.json).toEqual({ status: "success" });
    expect(await radios(app, byOwner(app.bob))).toMatchObject([{ name: "IC-7300", mode: "CW", power: 50 }]);
    expect((await get(app, "/manifest.json")).json).toMatchObject({ name: "qsolog" });
  });
});

// Defence: a logging program's key can log and look up, and nothing else
test("accepts the key of a program only here, and not after it is revoked", async () => {
  const app = await testApp();
  const key = await keyOf(app);
  const bearer = app.withBearer(key);

  const refused = await Promise.all([
    bearer.get("/api/qsos"),
    bearer.get("/api/me"),
    bearer.post("/api/qsos", {}),
    bearer.get("/api/me/tokens"),
    bearer.post("/api/sync/first"),
  ]);

  for (const { status, body } of refused) expect([status, body.error.rule]).toEqual([403, "feed_key"]);
  const [token] = (await (await app.as(app.bob)).get("/api/me/tokens")).body.tokens;
  await (await app.as(app.bob)).delete(`/api/me/tokens/${token.id}`);
  expect((await post(app, "/api/qso", { key, type: "adif", string: RECORD })).status).toBe(401);
});

// Defence: a logging program's key is short, and guessing it is limited
test("slows down wrong keys by address, and limits how often a valid one can be used", async () => {
  const app = await testApp();
  const key = await keyOf(app);
  expect(key).toMatch(/^qf[0-9a-z]{22}$/);
  expect(await keyOf(app, "new", "feed", "v2")).toMatch(/^wl2_[0-9a-z]{32}$/);

  const elsewhere = new Auth(app);
  const uses = await Promise.allSettled(
    Array.from({ length: 1_200 }, (_, n) => (n % 2 ? app.auth : elsewhere).findCallerOfKey(key, "192.0.2.9")),
  );
  expect(uses.filter(({ status }) => status === "rejected")).toEqual([]);
  const often = await post(app, "/api/version", { key });
  expect([often.status, often.json.status]).toEqual([429, "failed"]);
  app.clock.advance(MINUTE);
  expect((await post(app, "/api/version", { key })).status).toBe(200);

  for (let n = 0; n < 45; n++) await get(app, `/api/station_info/qf${n}`);
  expect((await get(app, "/api/station_info/qf99")).status).toBe(429);
});

// Defence: secrets in a path, a query or the sign-in name never reach the log
test("writes no key of a path into the log", async () => {
  const file = `${aDirectory()}/qsolog.log`;
  const world = await testWorld();
  const log = openLog({ file, level: "debug", clock: world.clock });
  const app = await testApp({ world: { ...world, log } });
  const key = await keyOf(app);

  for (const path of ["station_info", "auth", "check_auth", "statistics"]) {
    await get(app, `/api/${path}/${key}`);
    await get(app, `/index.php/api/${path}/${key}x`);
  }
  await post(app, "/api/qso", { key, type: "adif", string: RECORD });
  await get(app, `/API/auth/${key}`);

  const written = readFileSync(file, "utf8");
  expect(written).toContain('"path":"/api/station_info/:key"');
  expect(written).toContain('"path":"(unknown)"');
  expect(written).not.toContain(key);
});

describe("version 2 of the interface", () => {
  const withKey = async (scope: TokenScope = "feed") => {
    const app = await testApp();
    const key = await keyOf(app, "CQOps", scope, "v2");
    return { app, headers: { authorization: `Bearer ${key}` }, key };
  };

  test("is tested, asked for stations, and sent contacts as by CQOps", async () => {
    const { app, headers } = await withKey();

    expect((await get(app, "/api/v2/status")).json).toMatchObject({ data: { status: "ok" } });
    const token = await get(app, "/api/v2/token", headers);
    expect(token.json.data).toMatchObject({
      name: "CQOps",
      owner: "bob",
      scopes: expect.arrayContaining(["qso:write"]),
    });
    expect(token.json.meta).toMatchObject({ resource: "token", method: "GET" });
    const [station] = (await get(app, "/api/v2/station", headers)).json.data;
    expect((await get(app, `/api/v2/station/${station.id}`, headers)).json.data).toEqual(station);

    const upload = { import_type: "adif", station_profile_id: station.id, adif: RECORD };
    const first = await post(app, "/api/v2/qso", upload, headers);
    const again = await post(app, "/index.php/api/v2/qso", upload, headers);

    expect([first.status, first.json.data]).toEqual([201, { parsed: 1, imported: 1, skipped: 0, messages: [] }]);
    expect(again.json.data).toMatchObject({ parsed: 1, imported: 0, skipped: 1 });
    const exported = await get(app, "/api/v2/qso?format=adif&since_id=0&per_page=1000", headers);
    expect(exported.json.data).toMatchObject({ exported: 1, adif: expect.stringContaining("DL1ABC") });
  });

  test("returns the ids of the contacts in the ADIF it returned, as CQOps asks for them", async () => {
    const { app, headers } = await withKey();
    const days = ["20260803", "20260801", "20260802", "20260804"];
    const adif = days.map((day, at) => RECORD.replace("20260801", day).replace("DL1ABC", `DL${at}ABC`)).join("\n");
    const [station] = (await get(app, "/api/v2/station", headers)).json.data;
    await post(app, "/api/v2/qso", { import_type: "adif", station_profile_id: station.id, adif }, headers);
    const [{ id: stationId }] = (await get(app, "/api/v2/station", headers)).json.data;

    const calls: string[] = [];
    for (let since = 0; ;) {
      const window = `since_id=${since}&station_id=${stationId}&per_page=3`;
      const page = (await get(app, `/api/v2/qso?format=adif&${window}`, headers)).json;
      const rows = (await get(app, `/api/v2/qso?${window}`, headers)).json;
      const told = [...page.data.adif.matchAll(/<CALL:\d+>(\w+)/gi)].map(([, call]) => call);
      const inOrder = rows.data.toSorted((a: { id: number }, b: { id: number }) => a.id - b.id);
      expect(inOrder.map(({ call }: { call: string }) => call)).toEqual(told);
      expect(inOrder.at(-1).id).toBe(page.data.lastfetchedid);
      expect([page.meta.total, rows.meta.total]).toEqual([4 - calls.length, 4 - calls.length]);
      calls.push(...told);
      since = page.data.lastfetchedid;
      if (!page.meta.has_more) break;
    }
    expect(calls).toEqual(["DL0ABC", "DL1ABC", "DL2ABC", "DL3ABC"]);
  });

  test("accepts every field that CQOps changes, and returns it", async () => {
    const { app, headers } = await withKey();
    await post(app, "/api/v2/qso", { import_type: "adif", adif: RECORD }, headers);
    const [{ id }] = (await get(app, "/api/v2/qso?callsign=DL1ABC", headers)).json.data;
    const change = {
      call: "DL1ABD",
      band: "40m",
      mode: "FT4",
      qso_date: "2026-08-01",
      time_on: "11:59:00",
      rst_sent: "-05",
      rst_rcvd: "-07",
      gridsquare: "JO63",
      name: "Ann",
      qth: "Berlin",
      comment: "c",
      notes: "n",
      tx_pwr: "50",
      sota_ref: "DM/BE-001",
      pota_ref: "DE-0001",
      wwff_ref: "DLFF-0001",
      iota: "EU-042",
      sig: "COTA",
      sig_info: "BE-1",
      freq: "7047500",
      freq_rx: "7048000",
    };

    const method = { method: "PATCH", path: `/api/v2/qso/${id}`, headers };
    const changed = await ask(app, { ...method, body: JSON.stringify(change) });

    const { qso_date, time_on, mode, ...rest } = change;
    expect(changed.json.data).toMatchObject({ id, ...rest, qso_date: `${qso_date} ${time_on}`, submode: mode });
    const emptied = await ask(app, { ...method, body: JSON.stringify({ pota_ref: "", freq_rx: "" }) });
    expect(emptied.json.data).toMatchObject({ pota_ref: null, freq_rx: null, sota_ref: "DM/BE-001" });
  });

  test("creates, reads, changes and deletes one contact", async () => {
    const { app, headers } = await withKey();
    const said = {
      station_profile_id: 1,
      call: "SP9MOA",
      band: "20m",
      mode: "FT8",
      qso_date: "2026-06-18",
      time_on: "120000",
      freq: 14_074_550,
      comment: "c",
    };

    const made = await post(app, "/api/v2/qso", said, headers);
    const twice = await post(app, "/api/v2/qso", said, headers);
    const { id } = made.json.data;
    const change = { comment: null, rst_sent: "55", qso_date: "2026-06-18", time_on: "12:30:00", freq: "14075000" };
    const changed = await ask(app, {
      method: "PATCH",
      path: `/api/v2/qso/${id}`,
      headers,
      body: JSON.stringify(change),
    });
    const listed = await get(app, "/api/v2/qso?per_page=5000&page=1", headers);
    const gone = await ask(app, { method: "DELETE", path: `/api/v2/qso/${id}`, headers, body: null });

    expect([made.status, made.json.data.freq]).toEqual([201, "14074550"]);
    expect([twice.status, twice.json.error.code]).toEqual([409, "conflict"]);
    expect(changed.json.data).toMatchObject({ id, qso_date: "2026-06-18 12:30:00", rst_sent: "55", freq: "14075000" });
    expect(listed.json).toMatchObject({ data: [{ id, call: "SP9MOA" }], meta: { total: 1, has_more: false } });
    expect(gone.status).toBe(204);
    expect((await get(app, `/api/v2/qso/${id}`, headers)).json.error.code).toBe("not_found");
  });

  test("returns lookups with the exact types that programs expect, and stores radios", async () => {
    const { app, headers, key } = await withKey();

    const call = await get(app, "/api/v2/lookup?callsign=DL1ABC&detail=full&band=20m&mode=FT8", { "x-api-key": key });
    const pushed = await post(app, "/api/v2/radio", { radio: "CQOps", frequency: 14_074_000, mode: "FT8" }, headers);
    const again = await post(app, "/api/v2/radio", { radio: "CQOps", frequency: 7_074_000, mode: "FT8" }, headers);

    expect(call.json.data).toMatchObject({ dxcc_id: "230", dxcc_cqz: "14", call_worked: false, lotw_member: null });
    expect([pushed.status, again.status]).toEqual([201, 200]);
    expect((await get(app, "/api/v2/radio", headers)).json.data).toMatchObject([
      { radio: "CQOps", frequency: 7_074_000 },
    ]);
  });

  test("knows the radios that another process stored, and keeps the latest twenty", async () => {
    const { app, headers } = await withKey();
    const world = await testWorld({ beside: app as unknown as TestWorld });
    const other = await testApp({ world, empty: true });
    const push = (to: TestApp, number: number) =>
      post(to, "/api/v2/radio", { radio: `rig ${number}`, frequency: 14_000_000 + number }, headers);

    await push(app, 0);
    const [known] = (await get(other, "/api/v2/radio", headers)).json.data;
    const again = await push(other, 0);
    expect(known).toMatchObject({ radio: "rig 0", frequency: 14_000_000 });
    expect([again.status, again.json.data.id]).toEqual([200, known.id]);

    for (let number = 1; number <= 20; number++) await push(number % 2 === 0 ? app : other, number);
    const kept = (await get(app, "/api/v2/radio", headers)).json.data.map(({ radio }: { radio: string }) => radio);
    expect(kept).toEqual(Array.from({ length: 20 }, (_, at) => `rig ${at + 1}`));
  });

  test("refuses in its own form", async () => {
    const { app, headers } = await withKey("lookup");
    const short = await keyOf(app);

    const codes = await Promise.all([
      get(app, "/api/v2/token"),
      get(app, "/api/v2/token", { authorization: `Bearer ${short}` }),
      post(app, "/api/v2/qso", { import_type: "adif", adif: RECORD }, headers),
      get(app, "/api/v2/lookup", headers),
    ]);

    expect(codes.map(({ status, json }) => [status, json.error.code])).toEqual([
      [401, "invalid_token"],
      [401, "invalid_token"],
      [403, "insufficient_scope"],
      [400, "validation_error"],
    ]);
  });
});
