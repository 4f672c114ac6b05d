import { AWARD_IDS } from "../../src/domain/awards/award.ts";
import { adif, type Story } from "./story.ts";
import { newest } from "./program.ts";
import type { Recorder } from "./recorder.ts";

/** Requests about a log of any size: the lists, filters and figures of the contract. */
export const askAboutContacts = async (log: Recorder): Promise<void> => {
  await log.each(
    [
      "",
      "call=K*",
      "call=*ABC",
      "call=K1ABC,DL*",
      "band=20m",
      "band=20m,40m",
      "band=20",
      "mode=SSB",
      "mode==SSB",
      "mode=MFSK",
      "mode=FT8",
      "group=cw",
      "group=digital,image",
      "dxcc=291",
      "dxcc=none",
      "dxcc=230,54",
      "state=WI,NY",
      "from=2024-01-01&to=2024-01-31",
      "from=2024-06-01",
      "to=2000-12-31",
      "hour=0",
      "hour=12,13",
      "confirmation=none",
      "confirmation=firstOnly",
      "confirmation=secondOnly",
      "confirmation=both",
      "confirmation=cardOnly",
      "confirmation=first",
      "confirmation=second",
      "confirmation=card",
      "confirmation=any",
      "at=first",
      "notAt=first",
      "at=first&notAt=second",
      "station=YU1TEST/P",
      "station=yu1test",
      "station=YU9ZZZ",
      "id=1,2,3,999999",
      "ownDxcc=296",
      "ownDxcc=unknown",
      "ownGrid=KN04",
      "ownGrid=KN04FU",
      "ownGrid=unknown",
      "contest=CQ-WW-CW",
      "q=Springfield",
      "q=ann",
      "q=jürgen",
      "q=zz9",
      "band=20m&group=cw&confirmation=any&from=2015-01-01&dxcc=291",
    ].map((filter) => `/api/qsos?limit=1&${filter}`.replace(/&$/, "")),
  );
  for (const sort of [
    "startedAt",
    "call",
    "-call",
    "band",
    "-band",
    "mode",
    "-mode",
    "dxcc",
    "-dxcc",
    "updatedAt",
    "-updatedAt",
  ]) {
    await log.pages(`/api/qsos?sort=${sort}&limit=40&from=2025-01-01`, "qsos", 6);
  }
  await log.pages("/api/qsos?limit=500&band=15m", "qsos", 4);
  await log.pages("/api/qsos?limit=7&q=Marko", "qsos", 5);
  await log.pages("/api/qsos?limit=50&group=phone&confirmation=first&sort=dxcc", "qsos", 5);
  await log.again("/api/qsos?limit=3");
};

export const askAboutStatistics = async (log: Recorder): Promise<void> => {
  await log.each(["/api/stats", "/api/stats?station=YU1TEST/P", "/api/stats?station=YU9ZZZ"]);
  for (const figure of ["calendar", "hours", "bands", "modes", "curve", "confirmations", "furthest", "map"]) {
    await log.each([`/api/stats/${figure}`, `/api/stats/${figure}?search=20m+2024`]);
  }
  await log.again("/api/stats");
  await log.again("/api/stats/bands");
};

export const askAboutAwards = async (log: Recorder): Promise<void> => {
  await log.each([
    "/api/awards",
    "/api/awards?by=any",
    "/api/awards?by=card",
    "/api/awards?station=YU1TEST",
    `/api/awards?location=296`,
  ]);
  for (const award of AWARD_IDS) {
    await log.each(["", "/needed", "/matrix", "/cards"].map((view) => `/api/awards/${award}${view}`));
  }
  await log.each([
    "/api/awards/dxcc?band=20m",
    "/api/awards/dxcc?group=cw",
    "/api/awards/dxcc?band=sat",
    "/api/awards/dxcc?by=first",
    "/api/awards/dxcc?by=second",
    "/api/awards/dxcc?group=ssb",
    "/api/awards/dxcc/needed?band=40m&group=digital",
    "/api/awards/dxcc/needed?by=any",
    "/api/awards/was?band=20m&by=any",
    "/api/awards/was/needed?group=cw",
    "/api/awards/waz?band=40m",
    "/api/awards/vucc?band=6m",
    "/api/awards/vucc?band=sat",
    "/api/awards/wpx?group=cw&by=any",
    "/api/awards/wac?group=phone",
    "/api/awards/dxcc/matrix?group=cw",
    "/api/awards/dxcc/matrix?by=any",
    "/api/awards/dxcc/cards?format=csv",
    "/api/awards/dxcc/cards?format=text",
    "/api/awards/was-triple/needed?by=first",
    "/api/awards/DXCC?station=YU1TEST/P",
    "/api/awards/iota?by=any",
    "/api/awards/nonsense",
    "/api/awards/dxcc?location=1",
    "/api/awards/dxcc?band=31m",
    "/api/awards/dxcc?by=nobody",
  ]);
  await log.again("/api/awards/dxcc");
  await log.each([
    "/api/need?call=K1ABC",
    "/api/need?call=K1ABC&band=20m&mode=CW",
    "/api/need?call=3Y0J&band=20&mode=FT8",
    "/api/need?call=VK9XX/P&band=6m",
    "/api/need?call=JA1XYZ&band=40m&mode=SSB",
    "/api/need?call=???",
    "/api/need",
    "/api/news",
    "/api/news?since=2026-08-05",
  ]);
  await log.post("/api/need", {
    asked: [{ call: "DL1ABC" }, { call: "ZL1AAA", band: "160m", mode: "CW" }, { call: "YU1TEST" }],
  });
};

/** Awards that read a large log completely. */
export const askAboutSomeAwards = (log: Recorder): Promise<void> =>
  log.each([
    "/api/awards",
    "/api/awards/dxcc",
    "/api/awards/dxcc-challenge/needed",
    "/api/awards/was/matrix",
    "/api/awards/wpx",
    "/api/awards/vucc/cards",
    "/api/news",
    "/api/need?call=3Y0J",
  ]);

export const askForFiles = async (log: Recorder, { isWhole = true } = {}): Promise<void> => {
  const few = "from=2024-03-01&to=2024-03-10";
  for (const format of ["adi", "adx", "csv", "jsonl"]) {
    await log.get(`/api/qsos/export?format=${format}&${few}`);
    if (isWhole) await log.get(`/api/qsos/export?format=${format}`);
  }
  await log.each([
    "/api/qsos/export?format=cabrillo&contest=CQ-WW-CW",
    "/api/qsos/export?format=cabrillo",
    "/api/qsos/export?format=pdf",
    `/api/qsos/export?format=csv&columns=call,startedAt,band,NAME,APP_LOGGER_MOOD&${few}`,
    `/api/qsos/export?format=jsonl&columns=id,call,QTH&${few}`,
    "/api/qsos/export?notAt=first&from=2024-03-01&to=2024-04-30",
    "/api/qsos/export?q=zz9",
    "/api/qsos/export?columns=call",
  ]);
};

export const askAboutJobs = async (log: Recorder, jobs: number): Promise<void> => {
  await log.each([
    "/api/jobs?limit=3",
    "/api/jobs?source=first",
    "/api/jobs?source=file&status=completed",
    "/api/jobs?status=failed,cancelled",
    "/api/jobs?source=feed",
  ]);
  await log.pages("/api/jobs?limit=4", "jobs");
  for (let id = 1; id <= jobs; id++) {
    const { actions } = (await log.get(`/api/jobs/${id}`)).body.job;
    await log.each([
      `/api/jobs/${id}/changes?limit=3`,
      `/api/jobs/${id}/leftovers?limit=20`,
      `/api/jobs/${id}/rollback${actions.undo ? "?undo=true" : ""}`,
    ]);
  }
  await log.each([
    "/api/jobs/2/changes?kind=new&limit=2",
    "/api/jobs/2/changes?kind=confirmed&limit=2",
    "/api/jobs/2/changes?kind=changed&limit=2",
  ]);
  await log.each(["/api/jobs/2/leftovers?kind=unmatched&limit=2", "/api/jobs/1/leftovers?kind=rejected&limit=2"]);
};

/** Everything else that can be read, and errors. */
export const askAboutTheRest = async (log: Recorder): Promise<void> => {
  await log.each([
    "/api/reconcile?limit=3",
    "/api/duplicates?limit=3",
    "/api/services",
    "/auto-sync/settings",
    "/auto-sync/scheduler/status",
    "/api/notices/targets",
  ]);
  for (const kind of [
    "everywhere",
    "notAtFirst",
    "notAtSecond",
    "differs",
    "fileOnly",
    "otherCall",
    "deleted",
    "leftovers",
  ]) {
    await log.get(`/api/reconcile?class=${kind}&limit=2`);
  }
  for (const kind of ["twice", "seconds", "overlap", "hours", "ownCall", "band", "modeName"])
    await log.get(`/api/duplicates?kind=${kind}&limit=1`);
  await log.pages("/api/reconcile?class=notAtSecond&limit=100", "contacts", 4);
  await log.pages("/api/duplicates?limit=10", "groups", 6);
};

/** Previews of repairs and merges. */
export const askForPreviews = async (log: Recorder): Promise<void> => {
  const previews = [
    { filter: {}, set: { ownGrid: "KN04FT" } },
    { filter: { band: "20m", from: "2023-01-01" }, set: { band: "15m", freqHz: 21_074_000 } },
    { filter: { confirmation: "none", to: "1999-12-31" }, delete: true },
    { filter: { from: "2020-01-01" }, takeOut: "first" },
    { filter: { mode: "FT8" }, ftModes: "swap" },
    { filter: { from: "2018-01-01" }, byFrequency: true },
    { filter: { call: "K*" }, shiftMinutes: -30 },
    { filter: { state: "WI" }, clear: ["STATE", "name"] },
  ];
  for (const body of previews) await log.post("/api/repairs", { ...body, dryRun: true });
  await log.post("/api/duplicates/merge", { kind: "twice", dryRun: true });
};

export const askWhatIsRefused = async (log: Recorder): Promise<void> => {
  await log.each([
    "/api/qsos?limit=0",
    "/api/qsos?limit=501",
    "/api/qsos?band=31m",
    "/api/qsos?call=",
    "/api/qsos?unknown=1",
    "/api/qsos?sort=name",
    "/api/qsos?from=2024-01-02&to=2024-01-01",
    "/api/qsos?cursor=nonsense",
    "/api/qsos?asOf=1999-01-01",
    "/api/qsos/999999",
    "/api/qsos/nonsense",
    "/api/qsos/999999/why",
    "/api/jobs/999999",
    "/api/jobs/1/changes?kind=nothing",
    "/api/stats/nothing",
    "/api/nothing",
    "/api/admin/users",
    "/api/admin/stats",
    "/api/admin/actions",
    "/nowhere",
    `/api/qsos?q=${"a".repeat(101)}`,
  ]);
  await log.each(["/api/qsos", "/api/stats", "/api/me", "/api/setup", "/healthz"], { by: "nobody" });
  await log.get("/api/me", {
    by: "nobody",
    headers: { authorization: "Bearer nonsense" },
    called: "GET /api/me with a bad token",
  });
  await log.post("/api/qsos", { call: "K1ABC" });
  await log.post("/api/qsos", { call: "K1ABC", startedAt: "2026-08-01 10:00", band: "31m", mode: "CW" });
  await log.post("/api/qsos", { call: "K1ABC", startedAt: "2026-08-01 10:00", band: "20m", mode: "DATA" });
  await log.send("PATCH", "/api/qsos/1", { body: { nothing: 1 } });
  await log.post("/api/qsos/import", "PK\u0003\u0004 a ZIP", { called: "POST /api/qsos/import of a ZIP" });
  await log.post("/api/qsos/import", "<html><body>no log</body></html>", {
    called: "POST /api/qsos/import of a web page",
  });
  await log.post("/api/qsos/import", "START-OF-LOG: 3.0\nCALLSIGN: YU1TEST\n", {
    called: "POST /api/qsos/import of Cabrillo",
  });
  await log.post("/api/repairs", { filter: {} });
  await log.post("/api/repairs", { filter: { band: "20m" }, set: { state: "?!" } });
  await log.post("/api/sync/third");
  await log.post("/api/sync/first", { full: true, since: "2024-01-01" });
  await log.post("/api/duplicates/merge", {});
  await log.send("DELETE", "/api/jobs/1");
  await log.send("DELETE", "/api/leftovers/999999");
  await log.send("PUT", "/auto-sync/settings", { body: { first: { intervalHours: 0 } } });
  await log.post("/api/auth/login", { username: "bob", password: "not the password" });
};

export const askAboutPeople = async (log: Recorder): Promise<void> => {
  await log.each([
    "/api/me",
    "/api/me/sessions",
    "/api/me/tokens",
    "/api/me/factors",
    "/api/me/identities",
    "/api/me/events",
    "/api/me/events?limit=2",
  ]);
  await log.each(
    [
      "/api/admin/stats",
      "/api/admin/users",
      "/api/admin/users?q=bob",
      "/api/admin/users?sort=-createdAt&limit=1",
      "/api/admin/users?filter=failing",
      "/api/admin/users/2/tokens",
      "/api/admin/actions",
      "/api/admin/actions?action=create_user&limit=2",
      "/api/admin/actions?admin=operator&target=bob",
    ],
    { by: "ann" },
  );
  await log.pages("/api/me/events?limit=3", "events");
};

export const askForPages = async (log: Recorder): Promise<void> => {
  for (const path of [
    "/",
    "/log",
    "/log?search=20m+unconfirmed",
    "/log/1",
    "/statistics",
    "/awards",
    "/awards/dxcc",
    "/jobs",
    "/jobs/2",
    "/reconcile",
    "/duplicates",
    "/settings",
    "/settings/notifications",
    "/settings/profile",
    "/settings/security",
    "/settings/programs",
    "/settings/account",
    "/go?words=k1",
  ]) {
    await log.page(path);
  }
  for (const path of ["/admin", "/admin/users", "/admin/actions"]) await log.page(path, "ann");
};

/** The log as of past days. */
export const askAboutThePast = async (log: Recorder, moments: Record<string, number>): Promise<void> => {
  for (const at of Object.values(moments)) {
    await log.each([
      `/api/stats?asOf=${at}`,
      `/api/qsos?limit=1&sort=-updatedAt&asOf=${at}`,
      `/api/qsos?limit=1&band=20m&confirmation=both&asOf=${at}`,
    ]);
    await log.each([`/api/awards?asOf=${at}`, `/api/stats/confirmations?asOf=${at}`]);
  }
  const at = Object.values(moments).at(-2)!;
  const day = new Date(at).toISOString().slice(0, 10);
  await log.each([
    `/api/qsos/1?asOf=${at}`,
    `/api/stats?asOf=${day}`,
    `/api/awards/dxcc/needed?asOf=${day}&band=20m`,
    `/api/awards/was/matrix?asOf=${at}`,
    `/api/awards/dxcc/cards?asOf=${at}`,
    `/api/qsos/export?asOf=${at}`,
    `/api/qsos/export?asOf=${day}&format=csv&from=2024-03-01&to=2024-03-05`,
    `/api/stats/curve?asOf=${at}`,
  ]);
};

export const askForSingleContacts = async (log: Recorder, ids: readonly number[]): Promise<void> => {
  for (const id of ids) await log.each([`/api/qsos/${id}`, `/api/qsos/${id}/why`]);
  await log.again(`/api/qsos/${ids[0]}`);
};

export const askPrograms = async (
  log: Recorder,
  { key, secondKey }: Pick<Story, "key" | "secondKey">,
): Promise<void> => {
  const by = { by: "nobody" };
  const called = (words: string) => ({ ...by, called: words });
  const secret = (path: string) => called(`GET ${path}/<key>`);
  for (const path of ["/api/station_info", "/api/auth", "/api/check_auth", "/api/statistics"])
    await log.get(`${path}/${key}`, secret(path));
  const asked: [string, Record<string, unknown>][] = [
    ["/api/version", {}],
    ["/api/private_lookup", { callsign: "K1ABC", band: "20m", mode: "CW" }],
    ["/api/get_wp_stats", {}],
    ["/api/get_contacts_adif", { fetchfromid: 0, limit: 3 }],
    ["/api/get_contacts_adif", { fetchfromid: 100, limit: 2 }],
    [
      "/api/qso/true",
      { type: "adif", string: "<CALL:5>K9ZZZ<QSO_DATE:8>20260820<TIME_ON:4>1200<BAND:3>20m<MODE:2>CW<EOR>" },
    ],
    ["/api/qso", { type: "adif", string: "<CALL:5>K9ZZZ<BAND:3>20m<EOR>" }],
  ];
  for (const [path, body] of asked)
    await log.post(path, { key, ...body }, called(`POST ${path} {key} ${JSON.stringify(body)}`));
  const second = { ...by, headers: { authorization: `Bearer ${secondKey}` } };
  await log.each(
    [
      "status",
      "token",
      "station",
      "lookup?callsign=K1ABC",
      "qso?limit=2",
      "qso?format=adif&limit=2",
      "qso/1",
      "radio",
    ].map((path) => `/api/v2/${path}`),
    second,
  );
  await log.get("/manifest.json", by);
};

/** Commands that read a large log completely. */
export const askSomeCommands = async (log: Recorder): Promise<void> => {
  for (const words of [
    ["stats"],
    ["stats", "--json"],
    ["awards"],
    ["qso", "list", "20m", "confirmed"],
    ["reconcile", "show"],
    ["duplicates", "list"],
    ["jobs", "list"],
  ]) {
    await log.command([...words, "--user", "bob"]);
  }
};

export const askCommands = async (log: Recorder): Promise<void> => {
  const user = ["--user", "bob"];
  const both: string[][] = [
    ["stats", ...user],
    ["stats", "--by", "bands", ...user],
    ["awards", ...user],
    ["awards", "dxcc", "--band", "20m", ...user],
    ["awards", "was", "needed", ...user],
    ["need", "3Y0J", "--band", "20m", ...user],
    ["news", ...user],
    ["qso", "list", "20m", "2024", "--limit", "3", ...user],
    ["qso", "show", "1", ...user],
    ["qso", "show", "1", "--why", ...user],
    ["jobs", "list", ...user],
    ["jobs", "show", "1", "--leftovers", ...user],
    ["reconcile", "show", "--limit", "3", ...user],
    ["duplicates", "list", "--limit", "3", ...user],
    ["service", "list", ...user],
    ["schedule", ...user],
    ["token", "list", ...user],
    ["notify", "list", ...user],
    ["account", "factors", ...user],
    ["user", "list"],
    ["admin", "list"],
    ["audit"],
    ["repair", "--filter", "band=20m", "--set", "ownGrid=KN04FT", "--dry-run", ...user],
  ];
  for (const words of both) {
    await log.command(words);
    await log.command([...words, "--json"]);
  }
  await log.command(["qso", "list", "--limit", "5", ...user], { width: 80 });
  await log.command(["stats", ...user], { width: 80 });
  await log.command(["awards", "dxcc", "--csv", "--band", "20m", ...user]);
  await log.command(["awards", "dxcc", "cards", ...user]);
  await log.command(["need", "-", ...user], { stdin: "K1ABC 20m CW\nDL1ABC\n\n??? 1\n" });
  await log.command(["qso", "export", "-", "--from", "2024-03-01", "--to", "2024-03-03", ...user]);
  await log.command(["qso", "export", "-", "--format", "csv", "--band", "6m", ...user]);
  await log.command(["qso", "import", "-", "--dry-run", "--json", ...user], {
    stdin: adif([{ fields: { CALL: "K1ZZZ", QSO_DATE: "20240301", TIME_ON: "1200", BAND: "20m", MODE: "CW" } }]),
  });
  for (const words of [
    ["qso", "show", "999999", ...user],
    ["qso", "list", "band:31m", ...user],
    ["stats"],
    ["jobs", "show", "999999"],
    ["rollback", "1", "--yes", ...user],
    ["awards", "dxc", ...user],
  ]) {
    await log.command(words);
    await log.command([...words, "--json"]);
  }
};

/** Changes of every kind, and the affected contacts after each. */
export const askForChanges = async (
  log: Recorder,
  { failedAtTheEnd: failed, lastImport: imported, gridRepair: repaired }: Record<string, number>,
  [one, two]: readonly number[],
  filter = "",
): Promise<void> => {
  const export_ = () => log.get(`/api/qsos/export${filter}`);
  const record = {
    fields: {
      CALL: "K1NEW",
      QSO_DATE: "20260701",
      TIME_ON: "1200",
      BAND: "20m",
      MODE: "CW",
      STATION_CALLSIGN: "YU1TEST",
    },
  };
  await export_();
  await log.send("DELETE", `/api/jobs/${failed}`);
  await log.get(`/api/jobs/${failed}`);
  await export_();
  await log.post(`/api/jobs/${imported}/undo`);
  await log.get(`/api/jobs/${imported}`);
  await export_();
  const repair = await log.job("/api/repairs", {
    filter: { from: "2022-01-01", to: "2022-06-30" },
    set: { qth: "Novi Sad" },
  });
  await export_();
  await log.post(`/api/jobs/${repair}/undo`);
  await log.post(`/api/jobs/${repaired}/undo`);
  await export_();
  const { body } = await log.get("/api/duplicates?limit=1");
  if (body.groups.length > 0) await log.job("/api/duplicates/merge", { qsoId: body.groups[0].contacts[0].id });
  await log.send("PATCH", `/api/qsos/${one}`, { body: { name: "Ana", state: null } });
  await log.send("DELETE", `/api/qsos/${two}`);
  await export_();
  const again = await log.job("/api/qsos/import", adif([record]), { called: "POST /api/qsos/import of a new contact" });
  await log.job("/api/qsos/import", adif([record]), { called: "POST /api/qsos/import of the same contact" });
  await log.post(`/api/jobs/${again}/undo`);
  await export_();
  await log.each(["/api/stats", "/api/awards", "/api/jobs?limit=10", "/api/reconcile?limit=1"]);
};

type PreviewFacts = Pick<Story, "jobs" | "moments">;

/** Bob's log in the stored database, and changes to it. */
export const askAboutPreview = async (log: Recorder, { jobs, moments }: PreviewFacts): Promise<void> => {
  const ids = await newest(log.program, 4);
  await log.group("contacts", async () => {
    await log.pages("/api/qsos?limit=500&sort=call", "qsos");
    await askForSingleContacts(log, [1, 2, 3, ...ids]);
  });
  await log.group("statistics", askAboutStatistics);
  await log.group("awards", () => askAboutAwards(log));
  await log.group("files", () => askForFiles(log));
  await log.group("jobs", () => askAboutJobs(log, Math.max(...Object.values(jobs))));
  const { afterFirstImport, afterSecondSync, withTheWrongImport, afterTheRepairs, afterTheDeletions, afterTakingOut } =
    moments;
  const some = {
    afterFirstImport,
    afterSecondSync,
    withTheWrongImport,
    afterTheRepairs,
    afterTheDeletions,
    afterTakingOut,
  };
  await log.group("past", () => askAboutThePast(log, some as Record<string, number>));
  await log.group("rest", askAboutTheRest);
  await log.group("previews", askForPreviews);
  await log.group("changes", () => askForChanges(log, jobs, ids));
};
