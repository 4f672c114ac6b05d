import { describeJob } from "../src/domain/jobs/job-story.ts";
import { expect, setDefaultTimeout, test } from "bun:test";
import { localClient } from "../cli/client/local-client.ts";
import { waitForJob } from "../cli/running-job.ts";
import type { Terminal } from "../cli/terminal.ts";
import { renderChange, renderJobBrief, renderJobSummary, renderLeftover } from "../cli/tui/jobs/lines.ts";
import { renderDashboard } from "../cli/tui/dashboard.ts";
import { toPlainText, type Line } from "../cli/tui/line.ts";
import { VIA_WORDS } from "../src/domain/people/action-words.ts";
import { ACTION_WORDS, OPERATOR, type AdminActionName } from "../src/domain/people/actor.ts";
import { AUTO_SYNC_OFF, type AutoSyncSettings, DEFAULT_SCHEDULE, PAUSE_WORDS } from "../src/domain/jobs/auto-sync.ts";
import { describeConfirmer } from "../src/domain/awards/award-words.ts";
import { CONFIRMERS } from "../src/domain/awards/award.ts";
import { DAY, HOUR } from "../src/kernel/clock.ts";
import { COUNT_WORDS, PLACE_WORDS, describeProgress } from "../src/domain/jobs/job-words.ts";
import { formatUntil } from "../src/kernel/time-text.ts";
import type { Statistics } from "../src/domain/statistics/statistics.ts";
import { listActions } from "../src/people/listing.ts";
import * as adminActions from "../src/storage/people/admin-actions.ts";
import { Actions } from "../views/pages/admin-actions.tsx";
import { Awards } from "../views/pages/awards.tsx";
import { Job } from "../views/pages/job.tsx";
import { SyncTimes } from "../views/partials/settings/service-standing.tsx";
import { GainsList } from "../views/partials/gains.tsx";
import { Story } from "../views/partials/job-table.tsx";
import { aCommandLine } from "./cli/services.ts";
import { lotw, said, sync } from "./support/sync.ts";
import { aSite } from "./views/site.ts";

setDefaultTimeout(60_000);

const EMPTY: Statistics = {
  total: 0,
  callsigns: 0,
  entities: 0,
  unknownEntity: 0,
  bands: 0,
  modes: 0,
  confirmation: { none: 0, firstOnly: 0, secondOnly: 0, both: 0, cardOnly: 0, card: 0, first: 0, second: 0, any: 0 },
  byBand: [],
  byMode: [],
  byGroup: [],
  byYear: [],
  firstQsoAt: null,
  lastQsoAt: null,
};

const SIZE = { width: 120, height: 60 };

const screen = (lines: readonly Line[]): string => lines.map(toPlainText).join("\n").replaceAll(/\s+/g, " ");

/** The visible text of a page. */
const page = (html: unknown): string =>
  String(html)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&#(39|x27);|&apos;/g, "'")
    .replaceAll(/&#34;|&quot;/g, '"')
    .replaceAll(/\s+/g, " ");

/** Each interface must contain each of the texts. */
const expectAllToSay = (words: readonly string[], doors: Record<string, string>): void => {
  const missing = Object.entries(doors).flatMap(([door, text]) =>
    words.filter((word) => !text.toLowerCase().includes(word.toLowerCase())).map((word) => `${door}: ${word}`),
  );
  expect(missing).toEqual([]);
};

/** Bob's log after a sync that added, updated and left records unmatched. */
const aLog = async () => {
  const line = await aCommandLine();
  const { world, bob } = line;
  await sync(world, bob.id, "file", [
    said("K1AAA", "2026-07-18 01:43"),
    said("K1AAA", "2026-07-18 01:53"),
    said("JA1XYZ", "2026-07-20 11:30"),
  ]);
  await sync(world, bob.id, "first", [
    lotw("K1AAA", "2026-07-18 01:48"),
    lotw("JA1XYZ", "2026-07-20 11:30", { DXCC: "339" }),
    lotw("DL1ABC", "2026-07-19 10:00", { DXCC: "230", BAND: "6M", GRIDSQUARE: "JO62" }),
  ]);
  const client = localClient(world, bob);
  const { job } = await client.job(2);
  return { ...line, client, job };
};

test("a job's counts, changes and unresolved records have the same words on pages, in commands and in the terminal", async () => {
  const { client, job, qsolog } = await aLog();
  const { changes } = await client.changes(2, {});
  const { leftovers } = await client.leftovers(2, {});
  expect(job.stats).toMatchObject({ unmatched: 1 });
  const shown = changes.map(({ id, qsoId, kind, after, diff }) => {
    const { call, startedAt, band, mode } = after!;
    return { id, qsoId, kind, call, startedAt, band, mode, diff };
  });

  const doors = {
    page: (["new", "left"] as const)
      .map((tab) =>
        page(
          Job({
            job,
            changes: shown,
            leftovers,
            candidates: [],
            nextChanges: null,
            nextLeftovers: null,
            here: "",
            tab,
            takenBack: undefined,
          }),
        ),
      )
      .join(" "),
    command: (await qsolog(["jobs", "show", "2", "--diff", "--leftovers"])).out,
    screen: screen([
      ...renderJobSummary(job, { hasLetterKeys: true }, 120),
      ...changes.flatMap((change) => renderChange(change, { width: 120, hasFields: true })),
      ...leftovers.flatMap(renderLeftover),
    ]),
  };

  const names = (Object.keys(COUNT_WORDS) as (keyof typeof COUNT_WORDS)[]).filter((name) => job.stats[name] > 0);
  expect(names).toEqual(expect.arrayContaining(["added", "unmatched"]));
  expectAllToSay([...names.map((name) => COUNT_WORDS[name]), "nothing", "took", "K1AAA 2026-07-18"], doors);
});

test("what a job did is the same sentence everywhere", async () => {
  const { job, qsolog } = await aLog();

  expectAllToSay([describeJob(job)], {
    page: page(Story({ job })),
    command: (await qsolog(["jobs", "show", "2"])).out,
    screen: screen(renderJobSummary(job, { hasLetterKeys: true }, 200)),
  });
});

test("the progress of a job has the same words everywhere", async () => {
  const { job } = await aLog();
  for (const progress of [
    { phase: "downloading", done: 2_930_000 },
    { phase: "matching", done: 1_200 },
    { phase: "contacts", done: 3 },
  ]) {
    const running = { ...job, status: "running" as const, progress };
    const over: string[] = [];
    const terminal = { errIsTerminal: true, width: 100, over: (text: string) => void over.push(text) };
    await waitForJob(
      { terminal: terminal as unknown as Terminal, clock: () => 0 },
      "LoTW",
      {
        untilEnd: async (_: number, hear: (progress: typeof running.progress, stats: typeof job.stats) => void) => {
          hear(progress, job.stats);
          return { job };
        },
      } as never,
      running,
    );

    expectAllToSay([describeProgress(running)], {
      page: page(Story({ job: running })),
      command: over.join("\n"),
      screen: screen(renderJobBrief(running, 120)),
    });
  }
});

test("the services whose confirmations count have the same names everywhere", async () => {
  const { client, qsolog } = await aLog();
  const { awards, locations } = await client.awards({});
  const words = (by: (typeof CONFIRMERS)[number]) => describeConfirmer(by);

  expectAllToSay(CONFIRMERS.map(words), {
    page: page(Awards({ awards, locations, asked: { by: "", station: "", location: "", asOf: "" } })),
  });
  for (const by of CONFIRMERS) {
    expect((await qsolog(["awards", "dxcc", "needed", "--by", by])).out).toContain(`(${words(by)})`);
  }
});

test("messages use the services' labels, on the command line and on pages", async () => {
  const { qsolog } = await aLog();
  const site = await aSite();
  const person = await site.signedIn("eve");

  const by = await qsolog(["awards", "--by", "nobody"]);
  const confirmation = await qsolog(["qso", "list", "--confirmation", "none,firstish"]);
  expect([by.code, confirmation.code]).toEqual([2, 2]);
  expect(by.err).toContain('"nobody" is not valid for --by. Use sponsor, lotw, qrz, card, any.');
  expect(confirmation.err).toContain(
    '"firstish" is not valid for --confirmation. Use any, none, both, lotw, qrz, card, lotw-only, qrz-only, card-only.',
  );
  for (const path of ["/awards?by=first-class", "/awards/dxcc?by=first-class"]) {
    const answer = await person.get(path);
    expect(answer.status).toBe(400);
    expect(page(await answer.text())).toContain(
      '"first-class" is not a confirmation; use sponsor, LoTW, QRZ, card, any',
    );
  }
  expect(page(await (await person.get("/log?confirmation=firstly")).text())).toContain(
    '"firstly" is not a confirmation; use none, LoTW only, QRZ only, both, card only, LoTW, QRZ, card, any',
  );
});

test("the action log has the same words on the page and in qsolog audit", async () => {
  const { world, bob, qsolog } = await aLog();
  const names = Object.keys(ACTION_WORDS) as AdminActionName[];
  await world.db.write(function* () {
    for (const name of names) yield* adminActions.record(Date.now(), OPERATOR, name, bob);
  });
  const { actions, total } = await listActions(world, {});

  const shown = page(
    Actions({ actions, total, asked: { admin: "", action: "", target: "", from: "", to: "" }, next: null }),
  ).replace(/^.*Details/, "");
  // The page joins the start and the end of acting as a user.
  const { impersonate: _, stop_impersonation: __, ...words } = ACTION_WORDS;
  expect(shown).toMatch(/acted as bob, \d\d:\d\d to \d\d:\d\d UTC/);
  expectAllToSay([...Object.values(words), VIA_WORDS.cli], {
    page: shown,
    command: (await qsolog(["audit"])).out,
  });
});

test("a schedule that is off, paused or due has the same words everywhere", async () => {
  const { qsolog } = await aLog();
  const now = Date.now();
  const nothing = {
    stats: EMPTY,
    jobs: [],
    news: null,
    goals: null,
    latest: null,
    isPlain: false,
    hasLetterKeys: true,
    now,
  };
  const told = (schedule: AutoSyncSettings["first"]) => ({
    page: page(SyncTimes({ schedule, now })),
    screen: screen(renderDashboard({ ...nothing, schedule: { first: schedule, second: schedule } }, SIZE)),
  });

  expectAllToSay([AUTO_SYNC_OFF], told(DEFAULT_SCHEDULE));
  const next = now + 22 * HOUR - 60_000;
  const due = { ...DEFAULT_SCHEDULE, enabled: true, nextSyncAt: next };
  expectAllToSay([formatUntil(next, now), "every 24 hours"], told(due));
  for (const paused of ["credentials", "not_configured"] as const) {
    expectAllToSay([PAUSE_WORDS[paused]], told({ ...due, paused }));
  }
  expect(AUTO_SYNC_OFF).toEndWith(" off");
  expect((await qsolog(["schedule"])).out).toMatch(/LoTW +off/);
  await qsolog(["schedule", "set", "first", "--every", "24h"]);
  await qsolog(["service", "clear", "first"]);
  expect((await qsolog(["schedule"])).out).toContain(PAUSE_WORDS.not_configured);
});

test("new places of a job have the same words everywhere", async () => {
  const { client, job, qsolog } = await aLog();
  const news = await client.news({ since: "2026-01-01" });
  const gains = (await client.job(2)).job.gains;
  expect(gains).not.toBeNull();
  const kinds = (Object.keys(PLACE_WORDS) as (keyof typeof PLACE_WORDS)[]).filter(
    (kind) => gains!.worked[kind].length > 0,
  );
  expect(kinds).toContain("grids");

  expectAllToSay(
    kinds.map((kind) => PLACE_WORDS[kind][gains!.worked[kind].length === 1 ? 0 : 1]),
    {
      page: page(GainsList({ gains: [gains!] })),
      command: (await qsolog(["news", "--since", "2026-01-01"])).out,
    },
  );
  const many = { ...news.jobs[0]!, jobId: job.id, finishedAt: Date.now() - DAY };
  const grids = ["JO60", "JO61", "JO62", "JO63"];
  const shown = renderDashboard(
    {
      stats: { ...EMPTY, total: 4 },
      jobs: [],
      schedule: null,
      news: { since: 0, jobs: [{ ...many, worked: { ...many.worked, grids } }] },
      goals: null,
      latest: null,
      isPlain: false,
      hasLetterKeys: true,
      now: Date.now(),
    },
    SIZE,
  );
  expect(screen(shown)).toContain(`4 ${PLACE_WORDS.grids[1]}`);
});
