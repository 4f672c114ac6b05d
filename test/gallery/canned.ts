import type { News } from "../../src/awards/news.ts";
import type { NamedContact } from "../../src/domain/contact/named-contact.ts";
import type { Activity } from "../../src/domain/statistics/activity.ts";
import { DAY, HOUR, MINUTE } from "../../src/kernel/clock.ts";
import type { AdminAction } from "../../src/domain/people/actor.ts";
import type { Figures } from "../../src/domain/statistics/log-figures.ts";
import type { Gains } from "../../src/domain/jobs/gains.ts";
import type { Factors } from "../../src/domain/people/factor.ts";
import { NOTICE_EVENTS, type TargetView } from "../../src/domain/people/notice.ts";
import { getField, PLAIN_NAMES, type PlainName } from "../../src/domain/contact/fields.ts";
import { SERVICE_ORIGINS } from "../../src/domain/origins/services.ts";
import type { Place } from "../../src/domain/radio/maidenhead.ts";
import type { WaitingContact } from "../../src/domain/awards/waiting.ts";
import type { OwnLocation } from "../../src/domain/radio/own-place.ts";
import type { QsoView } from "../../src/domain/contact/qso-view.ts";
import type { Need } from "../../src/domain/awards/need.ts";
import type { AwardDetail, AwardMatrix, NeededView, Progress } from "../../src/domain/awards/award.ts";
import { byService, isService, SERVICES, type Source } from "../../src/domain/jobs/source.ts";
import type { Statistics } from "../../src/domain/statistics/statistics.ts";
import type { JobStatus, JobDetail } from "../../src/domain/jobs/sync-job.ts";
import type { ShownUser } from "../../views/pages/admin-users.tsx";
import type { ShownLeftover } from "../../views/pages/job.tsx";
import type { ShownChange } from "../../views/partials/contacts/change.tsx";
import type { ContactStory } from "../../views/partials/contacts/qso-story.tsx";
import type { SetService } from "../../views/partials/settings/service-settings.tsx";

const FIRST = SERVICE_ORIGINS.first.label;
const SECOND = SERVICE_ORIGINS.second.label;

export const NOON = Date.UTC(2026, 7, 1, 12);

/** How a text is written: unchanged, or hostile. */
export type Say = (text: string) => string;

export const statisticsWith = (contacts: number): Statistics => {
  const confirmed = Math.floor(contacts * 0.61);
  const share = (part: number) => ({ total: Math.floor(contacts * part), confirmed: Math.floor(confirmed * part) });
  const bands = ["160m", "80m", "40m", "30m", "20m", "17m", "15m", "12m", "10m", "6m", "2m", "70cm"];
  const modes = ["FT8", "CW", "SSB", "FT4", "RTTY"];
  return {
    total: contacts,
    entities: Math.min(340, contacts),
    unknownEntity: 0,
    bands: contacts === 0 ? 0 : bands.length,
    modes: contacts === 0 ? 0 : modes.length,
    callsigns: Math.floor(contacts * 0.7),
    confirmation: {
      none: contacts - confirmed,
      firstOnly: Math.floor(confirmed / 2),
      secondOnly: Math.floor(confirmed / 5),
      both: Math.floor(confirmed / 4),
      first: Math.floor(confirmed * 0.75),
      second: Math.floor(confirmed * 0.45),
      cardOnly: 0,
      card: 3,
      any: confirmed,
    },
    byBand: contacts === 0 ? [] : bands.map((band, at) => ({ band, ...share(0.02 + ((at * 7) % 12) / 80) })),
    byMode: contacts === 0 ? [] : modes.map((mode, at) => ({ mode, ...share(0.5 / (at + 1)) })),
    byGroup: [],
    byYear:
      contacts === 0
        ? []
        : Array.from({ length: 20 }, (_, at) => ({ year: 2007 + at, ...share(0.02 + ((at * 5) % 7) / 90) })),
    firstQsoAt: contacts === 0 ? null : Date.UTC(2007, 2, 4),
    lastQsoAt: contacts === 0 ? null : NOON,
  };
};

export const activityWith = (contacts: number): Activity => ({
  months: Array.from({ length: 24 }, (_, at) => new Date(Date.UTC(2024, 8 + at)).toISOString().slice(0, 7)),
  bands: (contacts === 0 ? [] : ["80m", "40m", "20m", "10m"]).map((band, row) => ({
    band,
    counts: Array.from({ length: 24 }, (_, at) => Math.floor(((at * 7 + row * 3) % 11) * (contacts / 900))),
  })),
});

const sourceOf = (id: number): Source => ([...SERVICES, "file"] as const)[id % 3]!;

interface JobParts {
  id: number;
  status: JobStatus;
  count?: number;
  stale?: boolean;
}

export const aJob = (say: Say, { id, status, count = 0, stale = false }: JobParts): JobDetail => ({
  id,
  userId: 2,
  source: sourceOf(id),
  client: null,
  latest:
    id === 3
      ? [
          {
            at: NOON,
            qsoId: 7,
            call: say("JA1ABC"),
            startedAt: NOON,
            band: say("17m"),
            mode: say("FT8"),
            entity: say("Japan"),
            news: [say("new on 17m")],
          },
        ]
      : null,
  trigger: (["manual", "auto", "cli"] as const)[id % 3]!,
  status,
  dryRun: id % 7 === 0,
  attempt: 1,
  createdAt: NOON - id * HOUR,
  startedAt: status === "pending" ? null : NOON - id * HOUR,
  finishedAt: status === "completed" || status === "failed" ? NOON - id * HOUR + 83_000 : null,
  durationMs: status === "completed" || status === "failed" ? 83_000 : null,
  stats: {
    fetched: count,
    added: Math.floor(count / 2),
    updated: Math.floor(count / 4),
    deleted: 0,
    unchanged: count - Math.floor(count / 2) - Math.floor(count / 4),
    unmatched: 0,
    rejected: 0,
    newlyConfirmed: Math.floor(count / 5),
  },
  reasons: { repeated: 2, deleted: 1 },
  progress: status === "running" ? { phase: say("confirmations"), done: 1_500, total: 4_000 } : null,
  cursorBefore: null,
  cursorAfter: null,
  gains: status === "completed" ? gainsWith(say) : null,
  error: status === "failed" ? { code: "auth_failed", message: say(`${FIRST} did not take the password.`) } : null,
  rolledBackAt: status === "cancelled" ? NOON - MINUTE : null,
  rolledBackBy: null,
  prunedAt: null,
  rollingBackSince: null,
  repair: null,
  stale,
  actions: {
    rollback: status === "failed" || stale,
    reason: status === "failed" || stale ? null : say("Completed syncs can't be rolled back. Sync again to refresh."),
    undo: status === "completed" && !isService(sourceOf(id)),
    undoReason: null,
  },
});

export const gainsWith = (say: Say): Gains => ({
  worked: { entities: [339, 176], bands: [say("6m")], states: [say("WI")], zones: [25], grids: [say("EN53")] },
  confirmed: { entities: [291], bands: [], states: [], zones: [], grids: [] },
});

export const everyJob = (say: Say): JobDetail[] => [
  aJob(say, { id: 1, status: "running", count: 1_500 }),
  aJob(say, { id: 2, status: "pending" }),
  aJob(say, { id: 3, status: "completed", count: 812 }),
  aJob(say, { id: 4, status: "failed", count: 40 }),
  aJob(say, { id: 5, status: "running", count: 9, stale: true }),
  aJob(say, { id: 6, status: "cancelled", count: 120 }),
];

export const services = (say: Say, configured: boolean): SetService[] => [
  {
    source: "first",
    label: say(FIRST),
    help: say("The logbook of the ARRL."),
    fields: [
      { name: "username", label: say("Username"), secret: false, required: true },
      { name: "password", label: say("Password"), secret: true, required: true, help: say("Of the website.") },
    ],
    configured,
    state: configured ? "rejected" : "unknown",
    reason: configured ? say(`${FIRST} did not take the password.`) : null,
    checkedAt: configured ? NOON - HOUR : null,
    book: null,
    warning: null,
    callsign: configured ? say("YU1BOB") : null,
    schedule: {
      enabled: configured,
      intervalHours: 24,
      lastSyncAt: configured ? NOON - DAY : null,
      nextSyncAt: null,
      paused: configured ? "credentials" : null,
    },
  },
  {
    source: "second",
    label: say(SECOND),
    help: say("A logbook with its own numbers."),
    fields: [{ name: "apiKey", label: say("API key"), secret: true, required: true }],
    configured,
    state: configured ? "ok" : "unknown",
    reason: null,
    checkedAt: configured ? NOON - HOUR : null,
    book: configured ? say("K1ABC") : null,
    warning: configured ? say("This account opens the logbook of K1ABC, but your callsign is W1AW.") : null,
    callsign: null,
    schedule: {
      enabled: configured,
      intervalHours: 6,
      lastSyncAt: configured ? NOON - HOUR : null,
      nextSyncAt: configured ? NOON + 5 * HOUR : null,
      paused: null,
    },
  },
];

export const aShownUser = (say: Say, id: number): ShownUser => ({
  id,
  username: say(`user${id}`),
  callsign: say("YU1BOB"),
  email: say("bob@example.org"),
  role: id === 1 ? "admin" : "user",
  isAdmin: id === 1,
  lastSeen: id % 3 === 0 ? null : NOON - id * HOUR,
  createdAt: NOON - 400 * DAY,
  qsoCount: id * 1_234,
  jobCount: id * 12,
  lastJobAt: id % 4 === 0 ? null : NOON - id * DAY,
  lastJobStatus: id % 4 === 0 ? null : id % 2 === 0 ? "completed" : "failed",
  pausedServices: id % 5 === 2 ? [{ source: "first", reason: "credentials" }] : [],
});

export const anAction = (say: Say, id: number): AdminAction => ({
  id,
  at: NOON - id * HOUR,
  admin: say("ann"),
  via: (["web", "api", "cli", "impersonation"] as const)[id % 4]!,
  action: (["promote", "impersonate", "write_as_user", "delete_user"] as const)[id % 4]!,
  target: id % 6 === 0 ? null : say("bob"),
  details: id % 3 === 0 ? { refused: say("last_admin") } : { [say("path")]: say("/api/jobs") },
});

const origin = (say: Say, confirmed: boolean) => ({
  confirmed,
  confirmedAt: confirmed ? NOON - DAY : null,
  via: confirmed ? ("service" as const) : null,
  externalId: say("20260718|YU1BOB|K9XYZ"),
  details: { [say("CALL")]: say("K9XYZ"), [say("COMMENT")]: say("tnx & 73") },
});

/** Includes every text of a contact. */
const everyField = (say: Say) =>
  Object.fromEntries(
    PLAIN_NAMES.map((name) => [name, getField(name).holds.kind === "text" ? say(name) : null]),
  ) as unknown as Pick<QsoView, PlainName>;

export const aQso = (say: Say, id: number): QsoView => ({
  ...everyField(say),
  id,
  call: say(["K9XYZ", "DL1ABC/P", "JA1XYZ", "VP8/G4ABC"][id % 4]!),
  startedAt: NOON - id * 7 * HOUR,
  endedAt: NOON - id * 7 * HOUR + MINUTE,
  band: say("20m"),
  bandRx: null,
  freqHz: 14_074_000,
  mode: say("FT8"),
  submode: null,
  modeGroup: "digital",
  stationCallsign: say("YU1BOB"),
  operator: null,
  rstSent: say("-10"),
  rstRcvd: say("-07"),
  dxcc: 291,
  continent: "NA",
  cqZone: 4,
  ituZone: 8,
  prefix: say("K9"),
  state: say("WI"),
  county: say("Dane"),
  gridsquare: say("EN53"),
  iota: say("NA-001"),
  name: say("Zoë O'Brien"),
  qth: say("Madison"),
  comment: say("tnx & 73"),
  propMode: null,
  satName: say("AO-91"),
  txPower: 100,
  year: 2026,
  twoWay: null,
  credits: null,
  entity: say("United States"),
  confirmation: "firstOnly",
  card: { confirmed: false },
  own: { ...origin(say, false), typed: {} },
  ...byService((service) => origin(say, service === "first")),
  extra: {},
  createdAt: NOON,
  updatedAt: NOON,
});

export const aChange = (say: Say, id: number): ShownChange => ({
  id,
  qsoId: id,
  kind: id % 2 === 0 ? "updated" : "added",
  call: say("K9XYZ"),
  startedAt: NOON - id * HOUR,
  band: say("20m"),
  mode: say("FT8"),
  diff: [
    { field: "firstConfirmed", before: false, after: true },
    { field: say("state"), before: null, after: say("WI") },
    { field: "firstConfirmedAt", before: null, after: NOON },
    { field: say("first.qsl.COMMENT"), before: say("tnx"), after: { [say("odd")]: say("thing") } },
  ],
});

export const aLeftover = (say: Say, id: number): ShownLeftover => ({
  id,
  kind: id % 2 === 0 ? "unmatched" : "rejected",
  reason: say("Two contacts fit equally well."),
  record: { CALL: say("K9XYZ"), QSO_DATE: say("20260718"), TIME_ON: say("0143"), BAND: say("20M") },
  candidates: [4, 5],
  resolution: id % 3 === 0 ? "matched" : null,
  actions: { dismiss: id % 3 !== 0 },
});

export const aCandidate = (say: Say, id: number): NamedContact => ({
  id,
  call: say("K9XYZ"),
  startedAt: NOON - id * HOUR,
  band: say("20m"),
  mode: say("FT8"),
  submode: null,
  stationCallsign: say("YU1DEMO"),
});

const view = { band: null, group: null, by: "sponsor", station: null, location: null } as const;

/** Several places from which contacts were made. */
export const somePlaces = (say: Say): OwnLocation[] => [
  { location: "296", label: say("Serbia"), contacts: 12_345 },
  { location: "110", label: say("Hawaii"), contacts: 1 },
];

export const aProgress = (say: Say, id: Progress["id"], worked: number): Progress => ({
  id,
  label: say(id.toUpperCase()),
  from: somePlaces(say)[0]!,
  unit: say("entities"),
  sponsor: say("ARRL"),
  accepts: ["first", "card"],
  goal: worked === 0 ? null : 100,
  next: worked > 100 ? null : 100,
  worked,
  confirmed: Math.floor(worked / 2),
  confirmedBy: { first: Math.floor(worked / 2), second: Math.floor(worked / 3), card: 1, any: Math.floor(worked / 2) },
  credited: 0,
  modeUnknown: worked === 0 ? null : 3,
  of: worked % 2 === 0 ? null : say("6m"),
});

const WORKED_ENTITIES = [291, 230];
const WORKED_STATES = ["WI", "IA"];

/** Squares must be valid; other names can be anything. */
const squareAt = (at: number): string => `JN${String(at % 100).padStart(2, "0")}`;

export const anAward = (say: Say, id: Progress["id"], slots: number): AwardDetail => ({
  ...aProgress(say, id, slots),
  ...view,
  locations: somePlaces(say),
  madeFrom: { ownDxcc: "291,unknown" },
  parts: slots === 0 ? [] : [{ name: say("6m"), goal: 100, worked: slots, confirmed: 1 }],
  slots: Array.from({ length: slots }, (_, at) => ({
    key:
      id === "vucc"
        ? squareAt(at)
        : (id === "dxcc" && WORKED_ENTITIES[at]) || (id === "was" && WORKED_STATES[at]) || say(squareAt(at)),
    label: say(squareAt(at)),
    band: at % 2 === 0 ? "6m" : null,
    group: null,
    worked: true,
    confirmed: at % 3 === 0,
    confirmedBy: { first: true, second: false, card: false, any: true },
    credited: false,
    qsoId: at + 1,
  })),
  uncounted: slots === 0 ? null : { unknownEntity: 3, notValid: 1 },
});

export const aMatrix = (say: Say, id: Progress["id"], rows: number): AwardMatrix => ({
  id,
  label: say(id),
  ...view,
  modeUnknown: null,
  bands: ["40m", "20m", "sat"],
  rows: Array.from({ length: rows }, (_, at) => ({
    key: (id === "dxcc" ? [291, 230, 339] : ["WI", "IA", "TX"])[at] ?? at,
    label: say(`Place ${at}`),
    mixed: at % 3 === 2 ? null : at % 2 === 0 ? ("confirmed" as const) : ("worked" as const),
    cells: [at % 2 === 0 ? ("confirmed" as const) : null, at % 3 === 0 ? ("worked" as const) : null, null],
  })),
  totals: Array.from({ length: 4 }, () => ({ worked: rows, confirmed: Math.floor(rows / 2) })),
});

export const aNeed = (say: Say, id: Progress["id"], slots: number): NeededView => ({
  id,
  label: say(id),
  ...view,
  modeUnknown: null,
  complete: id !== "vucc",
  neverWorked: id === "vucc" ? [] : [{ key: 1, label: say("Scarborough Reef"), band: null, group: "cw" }],
  notConfirmed: Array.from({ length: slots }, (_, at) => ({
    key: at,
    label: say(`Place ${at}`),
    band: "20m" as const,
    group: null,
    confirmedElsewhere: at % 2 === 0 ? (["second", "card"] as const).slice() : [],
    qsoId: at + 1,
  })),
});

/** One entity confirmed, one worked, one needed. */
export const threePlaces = (say: Say) => [
  { dxcc: 291, name: say("United States"), prefix: say("K"), lat: 37.6, lon: -91.9 },
  { dxcc: 230, name: say("Germany"), prefix: say("DL"), lat: 51, lon: 10 },
  { dxcc: 339, name: say("Japan"), prefix: say("JA"), lat: 36.4, lon: 138.4 },
];

export const aMap = (areas: ReadonlyMap<number, string>) => ({
  width: 900,
  height: 450,
  land: "M480 120l120 0 60 180-90 90z",
  lines: "M0 225h900",
  areas,
  locate: ({ lat, lon }: Place) => [450 + 2 * lon, 225 - 2 * lat] as const,
});

/** A contact that waits for a confirmation. */
export const aWaitingContact = (say: Say, id: number): WaitingContact => ({
  id,
  call: say("K8CAA"),
  startedAt: NOON - 200 * DAY,
  band: "20m",
  mode: say("CW"),
  submode: null,
  stationCallsign: say("YU1BOB"),
  marks: { first: "W", second: "–", card: "–" },
});

export const aStory = (say: Say, others: readonly QsoView[]): ContactStory => ({
  qso: { ...aQso(say, 4), band: "20m", ...(others.length === 0 ? byService(() => null) : {}) },
  history: others.map(({ id }) => ({
    jobId: id,
    source: "first",
    kind: id === 1 ? "added" : "updated",
    at: NOON - id * DAY,
  })),
  why: {
    fields: others.map(({ id }) => ({
      field: "name",
      value: say("Ann"),
      by: id === 1 ? "typed" : "file",
      jobId: id === 1 ? null : id,
      at: id === 2 ? null : NOON - id * DAY,
    })),
    entityRule: others.length > 0 ? say("The country file has the prefix K.") : null,
    since: others.length > 0 ? NOON - 9 * DAY : null,
  },
  others: others.slice(0, 5),
  othersTotal: others.length,
  slots: others.map(({ id, mode }) => ({
    band: "20m",
    mode: mode ?? "CW",
    state: id % 2 === 0 ? "confirmed" : "worked",
  })),
});

export const someFactors = (say: Say, passkeys: number): Factors => ({
  app: passkeys > 0 ? { createdAt: NOON - DAY, lastUsedAt: NOON - HOUR } : null,
  passkeys: Array.from({ length: passkeys }, (_, at) => ({
    id: at + 1,
    name: say("the phone"),
    createdAt: NOON - DAY,
    lastUsedAt: at % 2 === 0 ? NOON - HOUR : null,
  })),
  recoveryCodes: passkeys,
  isRequired: passkeys === 0,
});

export const aTarget = (say: Say, id: number): TargetView => ({
  id,
  kind: id % 2 === 0 ? "ntfy" : "webhook",
  host: say("hooks.example.org"),
  events: id % 2 === 0 ? ["sync_failed"] : [...NOTICE_EVENTS],
  createdAt: NOON - id * DAY,
  lastSentAt: id % 3 === 0 ? null : NOON - id * HOUR,
  problem: id % 2 === 0 ? say("hooks.example.org answered 500.") : null,
  waiting: id % 2 === 0 ? 3 : 0,
});

export const aNamedContact = (say: Say, id: number) => ({
  qsoId: id,
  call: say(`K${id}ABC`),
  startedAt: NOON - id * HOUR,
  band: say("20m"),
  mode: say("CW"),
});

const WEEKS = Array.from({ length: 53 }, (_, at) => at);

/** A year that is not over, and one with a busy week. */
const aCalendar = {
  columns: WEEKS.map((at) => String(at + 1)),
  rows: [
    { name: "2026", counts: WEEKS.map((at) => (at > 30 ? 0 : at % 9)) },
    { name: "2025", counts: WEEKS.map((at) => (at === 9 ? 99 : 1 + (at % 7))) },
  ],
};

export const someFigures = (say: Say, hasSome: boolean): Figures => {
  const counts = { columns: [say("1"), say("2")], rows: [{ name: say("20m"), counts: [0, 7] }] };
  const some = hasSome ? counts : { columns: [], rows: [] };
  return {
    calendar: hasSome ? aCalendar : some,
    hours: some,
    bands: some,
    modes: some,
    curve: hasSome
      ? { months: ["2024-01", "2024-02"], lines: [{ name: "entities", worked: [1, 5], confirmed: [0, 3] }] }
      : { months: [], lines: [] },
    confirmations: {
      rows: [
        { of: "all", name: "all", total: 9, first: 4, second: 3, card: 1, firstDays: 12, secondDays: null },
        { of: "band", name: say("20m"), total: 9, first: 4, second: 3, card: 1, firstDays: 12, secondDays: null },
      ],
    },
    furthest: {
      rows: hasSome ? [{ band: say("20m"), km: 17_000, qsoId: 4, call: say("ZL1ABC"), gridsquare: say("RF73") }] : [],
    },
    shares: hasSome ? [{ band: say("20m"), total: 9, confirmed: 6 }] : [],
    map: hasSome ? { home: { lat: 44.8, lon: 20.5, grid: say("KN04") }, entities: [] } : { home: null, entities: [] },
  };
};

export const somePlacesWorked = (say: Say) => [
  { dxcc: 291, name: say("United States"), prefix: say("K"), lat: 37.6, lon: -91.9, total: 5, confirmed: 2 },
  { dxcc: 230, name: say("Germany"), prefix: say("DL"), lat: 51, lon: 10, total: 5, confirmed: 0 },
];

/** The need for a callsign in this many awards. */
export const aCallsNeed = (say: Say, awards: number): Need => ({
  call: say("JA1ABC"),
  band: "20m",
  mode: "CW",
  group: "cw",
  entity: awards === 0 ? null : { dxcc: 339, name: say("Japan") },
  continent: null,
  cqZone: null,
  ituZone: null,
  distanceKm: awards === 0 ? null : 9_000,
  bearing: awards === 0 ? null : 42,
  place: null,
  earlier: awards > 0 ? { state: say("MA"), gridsquare: say("FN42") } : null,
  worked: { count: 0, lastAt: null, onBand: false, inMode: false, onBandInMode: false },
  confirmed: { call: false, onBand: false, onBandInMode: false },
  awards: Array.from({ length: awards }, () => ({
    award: "dxcc",
    label: say("DXCC"),
    key: 339,
    name: say("Japan"),
    state: "notConfirmed",
    onBand: "neverWorked",
    inGroup: null,
    onBandInGroup: null,
  })),
});

/** What jobs newly brought in the last month. */
export const recentWith = (say: Say): News => {
  const { worked, confirmed } = gainsWith(say);
  const named = ({ entities, ...rest }: Gains["worked"]) => ({
    ...rest,
    entities: entities.map((key) => ({ key, label: say(`Entity ${key}`) })),
  });
  const job = { jobId: 3, source: "first" as const, finishedAt: NOON - DAY };
  return { since: NOON - 30 * DAY, jobs: [{ ...job, worked: named(worked), confirmed: named(confirmed) }] };
};
