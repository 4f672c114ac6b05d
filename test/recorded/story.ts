import { writeHeader, writeRecord } from "../../src/adif/writer.ts";
import type { AdifRecord, Fields } from "../../src/domain/contact/adif-record.ts";
import { DAY, HOUR, MINUTE } from "../../src/kernel/clock.ts";
import { formatAdifDate, formatAdifTime } from "../../src/kernel/instant.ts";
import { createToken } from "../../src/people/tokens.ts";
import type { Asker } from "../support/app.ts";
import { randomOf } from "../support/chance.ts";
import { aLog, type Contact } from "../support/log-generator.ts";
import { asFile, asFirst, asSecond } from "../support/log-records.ts";
import { LOGIN, stampOf } from "../sync/services.ts";
import type { emptyProgram, Program } from "./program.ts";
import { loadLotwReport, loadQrzExport } from "../simulated/load-samples.ts";

type Stage = Awaited<ReturnType<typeof emptyProgram>>;

/** What happened to Bob's log: the ids of its jobs, and times to ask about. */
export interface Story {
  program: Program;
  jobs: Record<string, number>;
  moments: Record<string, number>;
  /** The key of a program that feeds the log. */
  key: string;
  /** A key of version 2. */
  secondKey: string;
}

interface Told {
  contact: Contact;
  file: AdifRecord | null;
  first: AdifRecord | null;
  second: AdifRecord | null;
}

const USER_FIELDS = [
  { name: "SHACK_TEMP", type: "N" },
  { name: "SWEATER", type: "E", values: "{BLUE,RED}" },
];

/** What each origin says about the same contacts, with some gaps and contradictions. */
const whatIsTold = (contacts: number, servicesSince: number): Told[] => {
  const random = randomOf(5);
  return [...aLog({ contacts, seed: 11 })].map((contact) => {
    if (contact.at < servicesSince) return { contact, file: asFile(contact), first: null, second: null };
    const file = random() < 0.82 ? asFile(contact) : null;
    const first = random() < 0.75 ? asFirst(contact) : null;
    const second = random() < 0.65 ? asSecond(contact) : null;
    if (file) contradict(file.fields as Record<string, string>, contact, random());
    if (second) doubt(second.fields as Record<string, string>, contact, random());
    return { contact, file, first, second };
  });
};

const contradict = (fields: Record<string, string>, { at, hasCard }: Contact, chance: number): void => {
  const moved = (ms: number) =>
    Object.assign(fields, { QSO_DATE: formatAdifDate(at + ms), TIME_ON: formatAdifTime(at + ms, true) });
  if (chance < 0.02) moved(3 * MINUTE);
  else if (chance < 0.03) moved(1 * HOUR);
  else if (chance < 0.04) fields.GRIDSQUARE = "JJ00";
  else if (chance < 0.05) fields.DXCC = "291";
  else if (chance < 0.06) delete fields.FREQ;
  else if (chance < 0.065) fields.CALL += "/P";
  else if (chance < 0.07) delete fields.STATION_CALLSIGN;
  else if (chance < 0.08)
    Object.assign(fields, { NAME: "Jürgen Müller", COMMENT: "Nice <chat>, 73", APP_LOGGER_MOOD: "good" });
  else if (chance < 0.09) Object.assign(fields, { CONTEST_ID: "CQ-WW-CW", STX: "15", SRX: "14" });
  else if (chance < 0.1) Object.assign(fields, { SHACK_TEMP: "21.5", SWEATER: "RED" });
  else if (chance < 0.105) Object.assign(fields, { CREDIT_GRANTED: hasCard ? "DXCC:CARD,DXCC_BAND:CARD" : "" });
};

const doubt = (fields: Record<string, string>, { at }: Contact, chance: number): void => {
  if (chance < 0.02) fields.TIME_ON = formatAdifTime(at + 4 * MINUTE, false);
  else if (chance < 0.03) fields.CQZ = "40";
  else if (chance < 0.04) fields.STATE = "WY";
  else if (chance < 0.05) fields.MODE = "USB";
  else if (chance < 0.055) fields.BAND = "20m";
};

export const adif = (records: readonly AdifRecord[]): string =>
  writeHeader({ programVersion: "1", createdAt: 0, comment: "from a logging program", userDefs: USER_FIELDS }) +
  records.map(writeRecord).join("");

/** The contact is new at the service and confirmed now. */
const heardNow = ({ fields }: AdifRecord, now: number): AdifRecord => {
  const isConfirmed = fields.APP_LOTW_RXQSL !== undefined;
  const news: Fields = {
    APP_LOTW_RXQSO: stampOf(now),
    ...(isConfirmed && { APP_LOTW_RXQSL: stampOf(now), QSLRDATE: formatAdifDate(now) }),
  };
  return { fields: { ...fields, ...news } };
};

const present = <T>(items: readonly (T | null)[]): T[] => items.filter((item) => item !== null);

/** This many generated contacts make a log of 3,000. */
export const STORY_OF_PREVIEW = 3_100;

/**
 * Four weeks of a log: imports, syncs, failures, rollbacks, repairs, merges, edits, deletions, feeds and undo. Contacts
 * before `servicesSince` are only in the file, which is faster.
 */
export const playStory = async (stage: Stage, contacts: number, servicesSince = 0): Promise<Story> => {
  const { app, users, services, book } = stage;
  const { clock } = app;
  const { store, first } = services;
  const bob = users.bob!;
  const jobs: Record<string, number> = {};
  const moments: Record<string, number> = {};
  let asker: Asker = await app.as(bob);
  const day = async () => {
    clock.advance(1 * DAY);
    asker = await app.as(bob);
  };
  const done = async (name: string, answer: Promise<{ status: number; body: any; text: string }>) => {
    const { status, body, text } = await answer;
    if (status >= 300) throw new Error(`${name}: ${status} ${text}`);
    await app.runner.idle();
    if (status !== 200 && body?.job) jobs[name] = body.job.id;
    clock.advance(1 * MINUTE);
    return body;
  };
  const imported = (name: string, records: readonly AdifRecord[]) =>
    done(name, asker.post("/api/qsos/import", adif(records)));
  const post = (name: string, path: string, body: unknown = {}) => done(name, asker.post(path, body));
  const remember = (name: string) => (moments[name] = clock());
  const list = async (query: string) => (await asker.get(`/api/qsos?${query}`)).body.qsos as any[];

  const told = whatIsTold(contacts, servicesSince);
  const old = told.slice(0, Math.floor(contacts * 0.9));
  const recent = told.slice(old.length);
  loadLotwReport(store, LOGIN, present(old.map(({ first }) => first)) as never);
  loadQrzExport(book, present(old.map(({ second }) => second)) as never);

  const half = Math.floor(old.length * 0.6);
  await imported("firstImport", [
    ...present(old.slice(0, half).map(({ file }) => file)),
    ...ambiguous(),
    NO_SUCH_DAY,
    NO_CALL,
  ]);
  remember("afterFirstImport");
  await day();
  for (const record of ambiguousAtFirst()) loadLotwReport(store, LOGIN, [record] as never);
  await post("firstSync", "/api/sync/first", { confirm: true });
  remember("afterFirstSync");
  await day();
  await post("secondSync", "/api/sync/second", { confirm: true });
  remember("afterSecondSync");
  await day();
  await imported("secondImport", [...present(old.slice(half - Math.floor(contacts / 50)).map(({ file }) => file))]);
  await day();
  const wrong = present(old.slice(-200).map(({ file }) => file)).map(({ fields }) => ({
    fields: { ...fields, BAND: "10m", FREQ: "28.074" },
  }));
  await imported("wrongImport", wrong);
  remember("withTheWrongImport");
  await post("wrongImportUndone", `/api/jobs/${jobs.wrongImport}/undo`);
  await day();

  const now = clock();
  const newAtFirst = present(recent.map(({ first }) => first)).map((record) => heardNow(record, now));
  const newAtSecond = present(recent.map(({ second }) => second));
  loadLotwReport(store, LOGIN, newAtFirst as never);
  for (const { fields } of newAtSecond)
    store.addRecord(book, { modified: now, logid: Number(fields.APP_QRZLOG_LOGID), fields: fields as never });
  const failing = () =>
    first.fail({ kind: "truncate", at: 8_000, times: Infinity, when: ({ params }) => params.get("qso_qsl") === "yes" });
  let recover = failing();
  await post("failedSync", "/api/sync/first");
  recover();
  remember("afterTheFailedSync");
  await done("failedSyncRolledBack", asker.delete(`/api/jobs/${jobs.failedSync}`));
  await day();
  await post("dryRun", "/api/sync/first", { dryRun: true });
  // The recorded session ids were drawn after 16 other random bytes.
  app.random(16);
  await post("firstNews", "/api/sync/first");
  await post("secondNews", "/api/sync/second");
  remember("afterTheNews");
  await day();

  await post("gridRepair", "/api/repairs", {
    filter: { from: "2024-01-01", to: "2024-12-31", band: "20m" },
    set: { ownGrid: "KN04FU" },
  });
  await post("shiftRepair", "/api/repairs", { filter: { from: "2010-01-01", to: "2010-06-30" }, shiftMinutes: 60 });
  await post("frequencyRepair", "/api/repairs", { filter: { from: "2021-01-01" }, byFrequency: true });
  remember("afterTheRepairs");
  await post("shiftUndone", `/api/jobs/${jobs.shiftRepair}/undo`);
  await post("modeRepair", "/api/repairs", {
    filter: { mode: "SSB", from: "2020-01-01", to: "2020-03-31" },
    ftModes: "service",
  });
  await day();
  const { groups } = (await asker.get("/api/duplicates?limit=20")).body;
  if (groups.length > 3) {
    await post("oneMerged", "/api/duplicates/merge", { qsoId: groups[0].contacts[0].id });
    await post("twoMerged", "/api/duplicates/merge", { qsoId: groups[1].contacts[0].id });
    await post("mergeUndone", `/api/jobs/${jobs.twoMerged}/undo`);
    await post("kindMerged", "/api/duplicates/merge", { kind: groups.at(-1).kind });
  }
  remember("afterTheMerges");
  await day();

  const [one, two, three, four, five] = await list("limit=5&from=2015-01-01&to=2019-12-31");
  await done("deleted", asker.delete(`/api/qsos/${one.id}`));
  await done("edited", asker.patch(`/api/qsos/${two.id}`, { state: "WI", comment: "typed", extra: { MY_RIG: "K3" } }));
  await done("cardTyped", asker.patch(`/api/qsos/${three.id}`, { extra: { QSL_RCVD: "Y", QSLRDATE: "20260810" } }));
  await done("takenBack", asker.patch(`/api/qsos/${two.id}`, { state: null }));
  await done(
    "movedByHand",
    asker.patch(`/api/qsos/${four.id}`, { startedAt: five.startedAt + 90_000, name: "Ana Đorđević" }),
  );
  await done(
    "typed",
    asker.post("/api/qsos", { call: "JA1XYZ", startedAt: "2026-08-10 09:15", band: "40m", mode: "CW", rstSent: "599" }),
  );
  await post("deletedByRepair", "/api/repairs", { filter: { from: "2003-01-01", to: "2003-01-31" }, delete: true });
  await post("firstSince", "/api/sync/first", { since: "2026-08-01" });
  remember("afterTheDeletions");
  await day();

  const { token: key } = await createToken(app, bob.id, { name: "WSJT-X", scope: "feed", form: "v1" });
  const { token: secondKey } = await createToken(app, bob.id, { name: "Shack", scope: "feed", form: "v2" });
  const said = (call: string, minute: string, more: Fields = {}): Fields => ({
    CALL: call,
    QSO_DATE: "20260814",
    TIME_ON: `12${minute}00`,
    BAND: "20m",
    MODE: "FT8",
    STATION_CALLSIGN: "YU1TEST",
    MY_GRIDSQUARE: "KN04FT",
    ...more,
  });
  const feed = (...told: unknown[]) => post("feed", "/api/feed", { client: "WSJT-X", told });
  await feed(
    { kind: "contact", name: "a", fields: said("K1ABC", "01", { APP_WSJTX_DEPTH: "3" }) },
    { kind: "contact", name: "b", fields: said("ZL1AAA", "03") },
  );
  await feed(
    { kind: "edit", name: "a", fields: said("K1ABD", "01") },
    { kind: "contact", fields: said("3Y0J", "05") },
    { kind: "contact", fields: said("?", "06") },
  );
  await feed(
    { kind: "delete", name: "b" },
    { kind: "delete", fields: said("VK9XX", "09") },
    { kind: "contact", name: "a", fields: said("K1ABD", "01") },
  );
  const string = `<CALL:6>DL1ABC<QSO_DATE:8>20260814<TIME_ON:6>130030<BAND:3>20m<MODE:2>CW<STATION_CALLSIGN:7>YU1TEST<EOR>`;
  await done("wavelog", app.visitor.post("/api/qso", { key, type: "adif", string }));
  await done(
    "radio",
    app.visitor.post("/api/radio", {
      key,
      radio: "IC-7300",
      frequency: "14074000",
      mode: "USB",
      timestamp: "2026/08/14 13:00",
    }),
  );
  await day();

  const { leftovers } = (await asker.get(`/api/jobs/${jobs.firstSync}/leftovers?limit=500&kind=unmatched`)).body;
  const waiting = leftovers.filter(({ resolvedAt, candidates }: any) => resolvedAt === null && candidates.length > 0);
  const [a, b, c, d] = waiting;
  if (a)
    await post("settled", "/api/reconcile/settle", {
      act: "match",
      leftovers: [{ id: a.id, qsoId: a.candidates[0].id ?? a.candidates[0] }],
    });
  if (b) await post("settledAsNew", "/api/reconcile/settle", { act: "new", leftovers: [{ id: b.id }] });
  if (c) await post("settledForGood", "/api/reconcile/settle", { act: "dismiss", leftovers: [{ id: c.id }] });
  if (d) await done("dismissed", asker.delete(`/api/leftovers/${d.id}`));
  await post("takenOut", "/api/repairs", { filter: { from: "2012-01-01", to: "2012-12-31" }, takeOut: "second" });
  remember("afterTakingOut");
  await day();
  await post("secondAgain", "/api/sync/second");
  await done(
    "scheduled",
    asker.put("/auto-sync/settings", {
      first: { enabled: true, intervalHours: 48 },
      second: { enabled: true, intervalHours: 72 },
    }),
  );
  await done(
    "target",
    asker.post("/api/notices/targets", {
      kind: "webhook",
      url: "https://hooks.example.org/x",
      events: ["sync_failed"],
    }),
  );
  await day();

  loadLotwReport(
    store,
    LOGIN,
    newAtFirst
      .slice(0, 60)
      .map(({ fields }) => heardNow({ fields: { ...fields, CALL: `${fields.CALL}/M` } }, clock())) as never,
  );
  recover = failing();
  await post("failedAtTheEnd", "/api/sync/first");
  recover();
  await imported("lastImport", present(recent.map(({ file }) => file)));
  return { program: stage, jobs, moments, key, secondKey };
};

const NO_SUCH_DAY: AdifRecord = {
  fields: { CALL: "K1ABC", QSO_DATE: "20240231", TIME_ON: "1200", BAND: "20m", MODE: "CW" },
};
const NO_CALL: AdifRecord = { fields: { QSO_DATE: "20240228", TIME_ON: "1200", BAND: "20m", MODE: "CW" } };

const AMBIGUOUS = 6;
const ambiguousAt = (index: number) => Date.UTC(2005, 3, 1 + index, 1, 40);

/** Two contacts ten minutes apart; the service has one in the middle. */
const ambiguous = (): AdifRecord[] =>
  Array.from({ length: AMBIGUOUS }, (_, index) =>
    [3, 13].map((minutes) => {
      const at = ambiguousAt(index) + minutes * MINUTE;
      return {
        fields: {
          CALL: `N${index}TWO`,
          QSO_DATE: formatAdifDate(at),
          TIME_ON: formatAdifTime(at, true),
          BAND: "20m",
          MODE: "CW",
          STATION_CALLSIGN: "YU1TEST",
        },
      };
    }),
  ).flat();

const ambiguousAtFirst = (): AdifRecord[] =>
  Array.from({ length: AMBIGUOUS }, (_, index) => {
    const at = ambiguousAt(index) + 8 * MINUTE;
    const when = {
      QSO_DATE: formatAdifDate(at),
      TIME_ON: formatAdifTime(at, true),
      APP_LOTW_QSO_TIMESTAMP: `${stampOf(at).replace(" ", "T")}Z`,
    };
    const received = {
      APP_LOTW_RXQSO: stampOf(at + HOUR),
      QSL_RCVD: "Y",
      QSLRDATE: formatAdifDate(at + DAY),
      APP_LOTW_RXQSL: stampOf(at + DAY),
    };
    const own = { APP_LOTW_OWNCALL: "YU1TEST", STATION_CALLSIGN: "YU1TEST" };
    return {
      fields: {
        ...own,
        CALL: `N${index}TWO`,
        BAND: "20M",
        MODE: "CW",
        APP_LOTW_MODEGROUP: "CW",
        ...when,
        ...received,
        DXCC: "291",
      },
    };
  });
