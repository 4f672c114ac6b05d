import { describe, expect, test } from "bun:test";
import { HOUR } from "../../src/kernel/clock.ts";
import * as leftovers from "../../src/storage/log/leftovers.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { NO_REASONS, NO_STATS } from "../../src/domain/jobs/sync-job.ts";
import { run } from "../../src/storage/engine/unit.ts";
import { SyncError } from "../../src/domain/jobs/provider.ts";
import { addQso, deleteQso } from "../../src/contacts/edit.ts";
import { CREDENTIALS, testApp, type TestApp } from "../support/app.ts";
import { aSite, type Person, type Site } from "./site.ts";

const CONTACT = { call: "K9XYZ", startedAt: "2026-07-18 01:43", band: "20m", mode: "FT8" };

const textOf = async (person: Person, path: string): Promise<string> => (await person.get(path)).text();

const aJob = ({ app }: Site, { user }: Person, source: "first" | "file") =>
  app.db.write(() => syncJobs.create({ userId: user.id, source, trigger: "manual" }, app.clock()));

/** Submits the form of the first service as bob. */
const connect = async (app: TestApp): Promise<Response> => {
  const { cookies } = await app.browser(app.bob);
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = {
    cookie,
    "content-type": "application/x-www-form-urlencoded",
    "sec-fetch-site": "same-origin",
  };
  const body = new URLSearchParams(CREDENTIALS.first).toString();
  return app.server.handle(new Request("http://localhost/connect/first", { method: "POST", headers, body }));
};

describe("the first day", () => {
  test("shows three steps, and no figures, charts or jobs", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");

    const page = await textOf(bob, "/");

    expect(page.match(/<li class="card">/g)).toHaveLength(3);
    expect(page).not.toContain('class="figures"');
    expect(page).not.toContain("<table");
  });

  test("goes when the log has contacts", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    await addQso(site.app, bob.user.id, CONTACT, await site.app.callFacts());

    const page = await textOf(bob, "/");

    expect(page).not.toContain('class="steps"');
    expect(page).toContain("QSO since 2026-07-18");
    expect(page).toContain("Last contacts");
  });

  test("connecting saves, tests, syncs and schedules in one action", async () => {
    const app = await testApp();
    const answer = await connect(app);
    await app.runner.idle();

    expect(answer.headers.get("location")).toBe("/?done=first");
    const api = await app.as(app.bob);
    const { first } = (await api.get("/auto-sync/settings")).body;
    expect(first).toMatchObject({ enabled: true, intervalHours: 24 });
    expect(first.lastSyncAt).not.toBeNull();
  });

  test("a rejected password is reported at its field, and nothing is scheduled", async () => {
    const app = await testApp();
    app.first.refuses = new SyncError("auth_failed", "LoTW rejected the password.");
    const answer = await connect(app);

    expect(await answer.text()).toContain('id="connect-first-password-wrong"');
    const { first } = (await (await app.as(app.bob)).get("/auto-sync/settings")).body;
    expect(first.enabled).toBe(false);
  });
});

describe("a job", () => {
  test("that changed nothing offers no rollback, and a stuck one does", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const { id } = await aJob(site, bob, "first");
    await site.app.db.write(() => syncJobs.fail(id, "auth_failed", "LoTW rejected the password.", site.app.clock()));
    await aJob(site, bob, "file");
    site.world.clock.advance(2 * HOUR);

    expect(await textOf(bob, `/jobs/${id}`)).not.toContain(`jobs/${id}/rollback`);
    const list = await textOf(bob, "/jobs");
    expect(list).not.toContain(`href="jobs/${id}/rollback"`);
    expect(list).toContain(`href="jobs/${id + 1}/rollback"`);
  });

  test("has parts that add up to its records, in the equation and in its tabs", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const { id } = await aJob(site, bob, "first");
    const stats = { ...NO_STATS, fetched: 53, added: 22, updated: 28, unchanged: 1, unmatched: 1, rejected: 1 };
    await site.app.db.write(function* () {
      const told = JSON.stringify({ ...stats, newlyConfirmed: 28, reasons: NO_REASONS });
      yield* run`UPDATE sync_jobs SET status = 'completed', finished_at = 1, stats = ${told} WHERE id = ${id}`;
    });

    const page = await textOf(bob, `/jobs/${id}`);
    const [equation = ""] = /<dl class="figures equation">.*?<\/dl>/.exec(page) ?? [];
    const [total, ...parts] = [...equation.matchAll(/<dd[^>]*>\s*(?:<span>)?(\d+)/g)].map(([, count]) => Number(count));
    const tabs = Object.fromEntries([...page.matchAll(/<span>(\w+)<\/span> <small>(\d+)/g)].map(([, a, b]) => [a, b]));

    expect([total, parts.reduce((sum, count) => sum + count, 0)]).toEqual([53, 53]);
    expect(tabs).toMatchObject({ New: "22", Changed: "28", Confirmed: "28", Unresolved: "2" });
    expect(page).not.toContain("only a job that failed");
  });

  test("names the contacts that an unresolved record could mean now", async () => {
    const site = await aSite();
    const { app } = site;
    const bob = await site.signedIn("bob");
    const facts = await app.callFacts();
    const gone = await addQso(app, bob.user.id, CONTACT, facts);
    const job = await aJob(site, bob, "first");
    const { id } = job;
    await app.db.write(() => syncJobs.fail(id, "network", "gone", app.clock()));
    const fields = { CALL: "K9XYZ", QSO_DATE: "20260718", TIME_ON: "0143", BAND: "20M", MODE: "FT8" };
    const record = { fields } as leftovers.NewLeftover["record"];
    const reason = "matches 1 QSO";
    const left = { kind: "unmatched", reason, part: "qso", externalId: "1", record, candidates: [gone.id] } as const;
    await app.db.write(() => leftovers.addMany(job, [left as never], app.clock()));
    await deleteQso(app, bob.user.id, gone.id);

    expect(await textOf(bob, `/jobs/${id}?tab=left`)).toContain("no QSO matches it any more");
    const added = await addQso(app, bob.user.id, CONTACT, facts);
    expect(await textOf(bob, `/jobs/${id}?tab=left`)).toContain(`match-${added.id}`);
  });
});

test("an import that is blocked is refused before a file is chosen", async () => {
  const site = await aSite();
  const bob = await site.signedIn("bob");
  expect(await textOf(bob, "/log/import")).not.toContain("disabled");
  const { id } = await aJob(site, bob, "file");

  const page = await textOf(bob, "/log/import");

  expect(page).toContain(`Job ${id} is still importing a file.`);
  expect(page).toMatch(/<input type="file"[^>]* disabled/);
});

test("dates are typed as YYYY-MM-DD, whatever the language of the browser", async () => {
  const site = await aSite();
  const ann = await site.signedIn("ann", "admin");
  for (const path of ["/", "/log", "/awards", "/settings/programs", "/admin/actions"]) {
    expect([path, (await textOf(ann, path)).includes('type="date"')]).toEqual([path, false]);
  }
});

test("a bulk edit asks what is wrong first, then only for what that needs", async () => {
  const site = await aSite();
  const bob = await site.signedIn("bob");
  await addQso(site.app, bob.user.id, CONTACT, await site.app.callFacts());

  const question = await textOf(bob, "/repair?band=20m");
  expect(question).toContain('href="repair?band=20m&wrong=clock"');
  expect(question).not.toContain('id="repair"');

  const clock = await textOf(bob, "/repair?band=20m&wrong=clock");
  expect(clock).toContain('name="shiftMinutes"');
  for (const other of ["field", "value", "clear", "byFrequency", "ftModes", "what", "ofJob"]) {
    expect(clock).not.toContain(`name="${other}"`);
  }
  const fields = { shiftMinutes: "60", go: "preview" };
  expect(await (await bob.post("/repair?band=20m&wrong=clock", fields)).text()).toContain("Change 1 contact<");
});

test("promoting a user and acting as one ask first, with what follows", async () => {
  const site = await aSite();
  const ann = await site.signedIn("ann", "admin");
  const { user } = await site.signedIn("bob");

  const users = await textOf(ann, "/admin/users");

  expect(users).toMatch(new RegExp(`<details[^>]* id="promote-${user.id}-question"`));
  expect(users).toContain("bob will see all users and their settings");
  expect(users).toMatch(new RegExp(`<details[^>]* id="impersonate-${user.id}-question"`));
});

test("undoing a job that stops another one says so in a warning before the button", async () => {
  const site = await aSite({ gallery: true });
  const ann = await site.signedIn("ann", "admin");

  const page = await textOf(ann, "/dev/gallery/rollback/usual");

  const warning = page.indexOf("This also stops job 1");
  expect(page.slice(0, warning)).toEndWith('<h2 class="lead-title">');
  expect(page.indexOf('id="rollback-confirm"')).toBeGreaterThan(warning);
});

test("old links to a part of the settings lead to the page that has it now", async () => {
  const site = await aSite();
  const bob = await site.signedIn("bob");
  const page = await textOf(bob, "/settings");

  for (const [part, path] of [
    ["second-factor", "security"],
    ["tokens", "programs"],
    ["notices", "notifications"],
  ] as const) {
    expect(page).toMatch(new RegExp(`<a href="settings/${path}">[^<]*(<span id="[^"]*"></span>)*<span id="${part}">`));
    expect(await textOf(bob, `/settings/${path}`)).toContain(`id="${part}"`);
  }
});
