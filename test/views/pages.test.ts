import { describe, expect, test } from "bun:test";
import { HOUR } from "../../src/kernel/clock.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { ASSETS } from "../../src/server/pages/assets.ts";
import { PAGE_ROUTES } from "../../src/server/pages/page-routes.ts";
import { rollbackMigration } from "../../src/storage/engine/migrate.ts";
import * as leftovers from "../../src/storage/log/leftovers.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { run } from "../../src/storage/engine/unit.ts";
import { addQso, editQso } from "../../src/contacts/edit.ts";
import { contactsOf } from "../contacts/log.ts";
import { CREDENTIALS } from "../support/app.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { storeLog } from "../support/log-generator.ts";
import { PASSWORD } from "../support/qsolog.ts";
import { lotw, qrz, said, sync } from "../support/sync.ts";
import { aSite, ORIGIN, type Person, type Site } from "./site.ts";

const pathOf = (path: string, id = 1) =>
  path
    .replace("/awards/:id", "/awards/dxcc")
    .replaceAll(":id", String(id))
    .replaceAll(":source", "first")
    .replaceAll(":name", "x")
    .replace("/login/terminal", `/login/terminal?terminal=${"0".repeat(64)}&name=shack&scope=read`);

const isForm = ({ spec }: (typeof PAGE_ROUTES)[number]) => spec.method === "POST";
const FORMS = PAGE_ROUTES.filter(isForm);
const PAGES = PAGE_ROUTES.filter((route) => !isForm(route));

const CONTACT = { call: "K9XYZ", startedAt: "2026-07-18 01:43", band: "20m", mode: "FT8" };

/** Bob has a contact and a failed job; returns their ids. */
const withBobsLog = async (site: Site, bob: Person) => {
  const { app } = site;
  const typed = { call: "K9XYZ", startedAt: "2026-07-18 01:43", band: "20m", mode: "FT8" };
  const qso = await addQso(app, bob.user.id, typed, await app.callFacts());
  const job = await app.db.write(function* () {
    const made = yield* syncJobs.create({ userId: bob.user.id, source: "first", trigger: "manual" }, app.clock());
    return (yield* syncJobs.fail(made.id, "network", "LoTW could not be reached.", app.clock()))!;
  });
  return { qso, job };
};

describe("access", () => {
  // Invariant: pages and forms admit the right users
  test("requires signing in, and returns to the requested page", async () => {
    const site = await aSite();
    for (const { spec } of PAGES.filter(({ spec }) => spec.access !== "anyone")) {
      const response = await site.ask(pathOf(spec.path));

      expect([spec.path, response.status]).toEqual([spec.path, 303]);
      expect(response.headers.get("location")).toBe(`/login?next=${encodeURIComponent(pathOf(spec.path))}`);
    }
  });

  test("after the session ended is explained, and returns to the same page", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const at = `${ORIGIN}/jobs?status=failed`;
    const ended = async (asked: Promise<Response>) => {
      const { headers } = await asked;
      return headers.get("hx-redirect") ?? headers.get("location");
    };
    const expired = async () => {
      await site.world.db.write(() => run`UPDATE sessions SET expires_at = 1`);
      return bob;
    };

    expect(await ended((await expired()).get("/log?band=20m"))).toBe("/login?next=%2Flog%3Fband%3D20m&done=ended");
    const { host } = new URL(ORIGIN);
    const asked: Record<string, string>[] = [{ referer: at }, { "hx-request": "true", "hx-current-url": at }];
    for (const [n, headers] of asked.entries()) {
      const back = await site.signedIn(`bob${n}`);
      await expired();
      expect(await ended(back.post("/sync/first", {}, { host, ...headers }))).toBe(
        "/login?next=%2Fjobs%3Fstatus%3Dfailed&done=ended",
      );
    }
    const eve = await site.signedIn("eve");
    await expired();
    const abroad = { host, referer: "https://evil.test/jobs" };
    expect(await ended(eve.post("/sync/first", {}, abroad))).toBe("/login?next=%2F&done=ended");
    expect(await (await eve.get("/login?done=ended")).text()).toContain("Your session has ended.");
  });

  // Defence: pages and forms have the same access rules as the interface
  test("to forms is refused for strangers, other sites, and users without permission", async () => {
    const site = await aSite();
    const ann = await site.signedIn("ann", "admin");
    const bob = await site.signedIn("bob");
    for (const { spec } of FORMS) {
      const path = pathOf(spec.path, ann.user.id);
      const abroad = await bob.post(path, {}, { "sec-fetch-site": "cross-site" });
      expect([path, abroad.status]).toEqual([path, 403]);
      if (spec.access === "anyone") continue;
      const stranger = await site.post(path);
      expect([path, stranger.status, stranger.headers.get("location")]).toEqual([path, 303, "/login?next=%2F"]);
      if (spec.access === "administrator") expect((await bob.post(path)).status).toBe(403);
    }
  });

  test("to the administration, and links to it, are only for administrators", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const ann = await site.signedIn("ann", "admin");

    for (const path of ["/admin", "/admin/users", "/admin/actions"]) {
      expect((await bob.get(path)).status).toBe(403);
      expect((await ann.get(path)).status).toBe(200);
    }
    expect(await (await bob.get("/")).text()).not.toContain('href="admin"');
    expect(await (await ann.get("/")).text()).toContain('href="admin"');
  });

  // Invariant: pages and forms admit the right users
  // Defence: pages and forms have the same access rules as the interface
  test("to Bob's data is refused to Eve on every page and form", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const eve = await site.signedIn("eve");
    const { qso, job } = await withBobsLog(site, bob);
    const ids: Record<string, number> = { log: qso.id, jobs: job.id };
    const ofOthers = PAGE_ROUTES.filter(({ spec }) => /^\/(log|jobs)\/:id/.test(spec.path));
    expect(ofOthers.length).toBeGreaterThan(6);

    for (const { spec } of ofOthers) {
      const path = pathOf(spec.path, ids[spec.path.split("/")[1]!]);
      const response = spec.method === "GET" ? await eve.get(path) : await eve.post(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.text()).not.toContain("K9XYZ");
    }
    expect(await (await eve.get("/log")).text()).not.toContain("K9XYZ");
    expect((await bob.get(`/log/${qso.id}`)).status).toBe(200);
    expect((await bob.get(`/jobs/${job.id}`)).status).toBe(200);
  });

  // Defence: sign-in redirects only to paths of this site
  test("redirects after signing in only to own paths", async () => {
    const site = await aSite();
    await site.signedIn("bob");
    const to = async (next: string) => {
      const path = `/login?next=${encodeURIComponent(next)}`;
      return (await site.browser().post(path, { username: "bob", password: PASSWORD })).headers.get("location");
    };

    expect(await to("/jobs?status=failed")).toBe("/jobs?status=failed");
    for (const elsewhere of ["//evil.test/", "https://evil.test/", "/\\evil.test", "evil", "javascript:x", "/\tx"]) {
      expect([elsewhere, await to(elsewhere)]).toEqual([elsewhere, "/"]);
    }
  });
});

describe("every page", () => {
  // Defence: pages allow no inline code, no external content and no framing (CSP)
  test("renders for its owner, loads nothing external, and is small", async () => {
    const site = await aSite({ env: { QSOLOG_REGISTRATION: "open" } });
    const ann = await site.signedIn("ann", "admin");
    const { qso, job } = await withBobsLog(site, ann);
    const assets = Object.values(ASSETS).reduce((sum, { content }) => sum + Bun.gzipSync(content).length, 0);
    for (const { spec } of PAGES.filter(({ spec }) => !/^\/(login|setup|password)\b|\/with$/.test(spec.path))) {
      const path = pathOf(spec.path, spec.path.startsWith("/log") ? qso.id : job.id);
      const response = await ann.get(path);
      const text = await response.text();

      const expected = spec.path === "/jobs/:id/undo" ? 409 : spec.path === "/log/chosen" ? 303 : 200;
      expect([path, response.status]).toEqual([path, expected]);
      if (expected === 303) continue;
      const policy = response.headers.get("content-security-policy")!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("unsafe");
      expect(response.headers.get("x-frame-options")).toBe("DENY");
      expect(response.headers.get("referrer-policy")).toBe("same-origin");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(Bun.gzipSync(text).length + assets).toBeLessThan(60_000);
    }
  });

  test("that does not exist is a page for people and JSON for programs", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");

    const page = await bob.get("/nowhere");
    const document = await site.ask("/nowhere");

    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain("There is nothing at this address.");
    expect(await document.json()).toMatchObject({ error: { code: "not_found" } });
  });

  test("below a base path links and redirects there", async () => {
    const site = await aSite({ env: { QSOLOG_BASE_URL: "https://example.org/radio" } });
    const bob = await site.signedIn("bob");
    expect((await bob.get("/radio/jobs")).status).toBe(303);
    await bob.post("/radio/login", { username: "bob", password: PASSWORD });

    const text = await (await bob.get("/radio/")).text();

    expect(text).toContain('<base href="/radio/"/>');
    expect((await site.ask("/radio/settings")).headers.get("location")).toBe("/radio/login?next=%2Fsettings");
    expect((await site.ask(`/radio${ASSETS.style.path}`)).status).toBe(200);
  });

  test("has assets that browsers cache, compressed if accepted", async () => {
    const site = await aSite();

    const plain = await site.ask(ASSETS.htmx.path);
    const packed = await site.ask(ASSETS.htmx.path, { headers: { "accept-encoding": "br, gzip" } });

    expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(plain.headers.get("content-type")).toStartWith("text/javascript");
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(Bun.gunzipSync(new Uint8Array(await packed.arrayBuffer())).length).toBe((await plain.text()).length);
  });
});

test("an empty account is told where its figures will come from", async () => {
  const bob = await (await aSite()).signedIn("bob");
  for (const path of ["/awards", "/statistics", "/reconcile"]) {
    const text = await (await bob.get(path)).text();
    expect([path, text.includes("Import a file"), text.includes("Connect a service")]).toEqual([path, true, true]);
    expect([path, text.includes('class="stack awards"')]).toEqual([path, false]);
  }
  expect(await (await bob.get("/awards?by=any")).text()).toContain('class="stack awards"');
  expect(await (await bob.get("/jobs")).text()).not.toContain('id="filter-go"');
  expect(await (await bob.get("/jobs?status=failed")).text()).toContain('id="filter-go"');
});

test("seldom typed fields of a contact are folded, unless one of them is refused", async () => {
  const site = await aSite();
  const bob = await site.signedIn("bob");
  await storeLog(site.app.db, bob.user.id, { contacts: 1, seed: 4 });
  const text = await (await bob.get("/log/1")).text();
  const folded = /<details class="wide">([\s\S]*?)<\/details>/.exec(text.slice(text.indexOf('id="edit"')))?.[1] ?? "";

  for (const name of ["submode", "stationCallsign", "state", "dxcc", "iota", "contestId"]) {
    expect(folded).toContain(`name="${name}"`);
  }
  expect(folded).not.toContain('name="call"');
  const refused = await (
    await bob.post("/log", { call: "K1ABC", startedAt: "2026-01-01 12:00", dxcc: "nowhere" })
  ).text();
  expect(refused).toContain('<details class="wide" open');
});

describe("forms", () => {
  test("an empty log has no comparison of zeros, but says where to begin", async () => {
    const bob = await (await aSite()).signedIn("bob");

    const page = await (await bob.get("/reconcile")).text();

    expect(page).toContain("There is nothing to compare yet.");
    expect(page).toContain('<a class="button" href="log/import">');
    expect(page.split("<main")[1]).not.toContain("<table");
  });

  // Defence: forms never contain a stored secret
  test("a refusal shows the error at its control with the typed values, except passwords", async () => {
    const site = await aSite({ env: { QSOLOG_REGISTRATION: "open" } });

    const response = await site.post("/register", {
      username: "a",
      password: "short one",
      callsign: "yt1new",
      email: "x",
    });
    const text = await response.text();

    expect(response.status).toBe(400);
    expect(text).toContain('id="register-username-wrong"');
    expect(text).toMatch(/name="username" type="text" value="a"[^>]*aria-invalid="true"/);
    expect(text).toContain('value="yt1new"');
    expect(text).toContain("A password must have at least 10 characters.");
    expect(text).not.toContain("short one");
  });

  test("a form answers 303 to a browser and with its page to htmx", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const fields = { callsign: "yu1bob", email: "" };

    const plain = await bob.post("/settings/profile", fields);
    const live = await bob.post("/settings/profile", fields, { "hx-request": "true" });
    const text = await live.text();

    expect([plain.status, plain.headers.get("location")]).toEqual([303, "/settings/profile?done=profile"]);
    expect(live.status).toBe(200);
    expect(text).toContain('id="profile-section"');
    expect(text).toContain("Profile saved.");
    expect(text).not.toContain("<html");
    expect(await (await bob.get("/settings/profile?done=profile")).text()).toContain("Profile saved.");
  });

  test("set-up creates the first administrator with its link, once", async () => {
    const site = await aSite();
    const path = `/setup?token=${site.app.setupToken.text}`;
    const fields = { username: "Ann", password: PASSWORD, callsign: "yu1ann", email: "" };
    expect((await site.ask("/setup?token=wrong")).status).toBe(403);
    expect((await site.ask(path)).status).toBe(200);

    const browser = site.browser();
    const done = await browser.post(path, fields);

    expect([done.status, done.headers.get("location")]).toEqual([303, "/"]);
    expect(await (await browser.get("/")).text()).toContain("YU1ANN");
    expect((await site.ask(path)).status).toBe(404);
    expect((await site.post(path, fields)).status).toBe(404);
  });

  test("the schedule is saved, and an invalid interval is refused with a message", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");

    const saved = await bob.post("/settings/auto-sync", { first: "off", second: "6" });
    const refused = await bob.post("/settings/auto-sync", { first: "off", second: "other", "second-hours": "721" });
    const text = await refused.text();

    expect(saved.headers.get("location")).toBe("/settings?done=schedule");
    expect(refused.status).toBe(400);
    expect(text).toContain('id="schedule-second-hours-wrong"');
    expect(text).toContain('value="721"');
    expect(text.match(/Enter 1 to 720 hours\./g)).toHaveLength(1);
    expect(await (await bob.get("/")).text()).toContain("Paused: not set up.");
  });

  test("a progress message does not change a polling page", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const { db } = site.app;
    site.app.db = { ...db, read: () => Promise.reject(new AppError("unavailable", "The database is busy.")) };

    const poll = await bob.get("/partials/board", { "hx-request": "true" });
    const page = await bob.get("/jobs");

    expect([poll.status, poll.headers.get("hx-reswap")]).toEqual([503, "none"]);
    expect([page.status, page.headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"]);
  });

  test("an unresolved record is dismissed next to it, once, by its owner only", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const eve = await site.signedIn("eve");
    const { job } = await withBobsLog(site, bob);
    const record = { fields: { CALL: "W9ODD", QSO_DATE: "20260718" } };
    const candidates = [-1];
    const leftover = { kind: "unmatched", reason: "Two fit.", part: "qso", externalId: "1", record, candidates };
    await site.app.db.write(() => leftovers.addMany(job, [leftover as leftovers.NewLeftover], site.app.clock()));
    const [kept] = (await site.app.db.read(() => leftovers.list(job.id, { limit: 1 }))).rows;
    const path = `/jobs/${job.id}/dismiss`;
    const fields = { leftover: String(kept!.id) };
    const offered = await (await bob.get(`/jobs/${job.id}?tab=left`)).text();
    expect(offered).toContain('aria-label="Dismiss W9ODD 2026-07-18"');
    expect(offered).toContain('<a href="reconcile?class=leftovers">');

    const stolen = await eve.post(path, fields);
    const dismissed = await bob.post(path, fields);
    const again = await bob.post(path, fields, { "hx-request": "true" });

    expect(stolen.status).toBe(404);
    expect([dismissed.status, dismissed.headers.get("location")]).toEqual([303, `/jobs/${job.id}?done=dismissed`]);
    expect(again.status).toBe(404);
    expect(await again.text()).toContain("bob has no unresolved record with the number");
    const page = await (await bob.get(`/jobs/${job.id}?done=dismissed`)).text();
    expect(page).toContain("Record dismissed");
    expect(page).not.toContain('name="leftover"');
    expect(await site.app.db.read(() => leftovers.listOpen(bob.user.id, "first", 0, 9))).toEqual([]);
  });

  test("an unresolved record is settled next to it: with a QSO of the log or a new one", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const eve = await site.signedIn("eve");
    const { job, qso } = await withBobsLog(site, bob);
    const left = (call: string, externalId: string) =>
      ({
        kind: "unmatched",
        reason: "It may be another.",
        part: "qso",
        externalId,
        record: { fields: { CALL: call, QSO_DATE: "20260718", TIME_ON: "0143", BAND: "20M", MODE: "CW" } },
        candidates: [qso.id],
      }) as leftovers.NewLeftover;
    await site.app.db.write(() => leftovers.addMany(job, [left(qso.call, "1"), left("W9NEW", "2")], site.app.clock()));
    const [same, other] = (await site.app.db.read(() => leftovers.list(job.id, { limit: 2 }))).rows;
    const path = `/jobs/${job.id}/settle`;
    const page = await (await bob.get(`/jobs/${job.id}?tab=left`)).text();
    expect(page).toContain(`value="${same!.id} match-${qso.id}"`);
    expect(page).toContain(`aria-label="Match with ${qso.call} 20`);
    expect(page).toContain(`value="${other!.id} new"`);

    const stolen = await eve.post(path, { settle: `${same!.id} match-${qso.id}` });
    const matched = await bob.post(path, { settle: `${same!.id} match-${qso.id}` });
    await site.app.runner.idle();
    const added = await bob.post(path, { settle: `${other!.id} new` });
    await site.app.runner.idle();
    const again = await bob.post(path, { settle: `${other!.id} new` });
    const nonsense = await bob.post(path, { settle: "all of them" });

    expect([stolen.status, again.status]).toEqual([404, 404]);
    expect([400, 404, 422]).toContain(nonsense.status);
    for (const done of [matched, added]) expect(done.headers.get("location")).toMatch(/^\/jobs\/\d+$/);
    expect(await site.app.db.read(() => leftovers.listOpen(bob.user.id, "first", 0, 9))).toEqual([]);
    expect(await (await bob.get("/log?search=W9NEW")).text()).toContain("1 QSO");
  });

  test("a token is shown once", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");

    const made = await (await bob.post("/settings/tokens", { name: "shack", scope: "read", expires: "" })).text();
    const later = await (await bob.get("/settings/programs")).text();

    const [token] = made.match(/qsl_[\w-]{43}/)!;
    expect(later).toContain("shack");
    expect(later).not.toContain(token);
    const answer = await site.ask("/api/jobs", { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
  });

  // Defence: forms never contain a stored secret
  test("credentials are stored and never returned", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");

    const saved = await bob.post("/settings/credentials/first", {
      username: "yu1bob",
      password: "hush-hush",
      callsign: "",
    });
    const text = await (await bob.get("/settings")).text();

    expect(saved.headers.get("location")).toBe("/settings?done=credentials-first");
    expect(text).not.toContain("hush-hush");
    expect(text).toContain("not tested yet");
  });

  test("deletion requires the name", async () => {
    const site = await aSite();
    const ann = await site.signedIn("ann", "admin");
    const bob = await site.signedIn("bob");
    const path = `/admin/users/${bob.user.id}/delete`;

    const slip = await ann.post(path, { name: "eve" });
    expect(slip.status).toBe(400);
    expect(await slip.text()).toContain("Type bob to confirm.");
    const done = await ann.post(path, { name: "bob" });

    expect(done.headers.get("location")).toBe("/admin/users?done=deleted.bob");
    expect(await (await ann.get("/admin/users?done=deleted.bob")).text()).toContain("bob was deleted.");
    expect((await bob.get("/")).headers.get("location")).toStartWith("/login");
  });

  test("the overview names the users who cannot sync, with a link to each, and the next syncs of all users", async () => {
    const site = await aSite();
    const ann = await site.signedIn("ann", "admin");
    const [bob, eve] = [await site.signedIn("bob"), await site.signedIn("eve")];
    expect(await (await ann.get("/admin")).text()).toContain("No syncs are scheduled.");
    await setCredentials(site.world, bob.user.id, "first", { username: "yu1test", password: "secret words" });
    for (const one of [bob, eve]) await one.post("/settings/auto-sync", { first: "24", second: "off" });

    const page = await (await ann.get("/admin")).text();

    const failing = /<section class="to-do"[^]*?<\/section>/.exec(page)![0];
    expect(failing).toContain("LoTW has a schedule, but no account.");
    expect([...failing.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([`admin/users/${eve.user.id}`]);
    expect(page).toContain(`<a href="admin/actions?action=impersonate">Who acted as whom</a>`);
    const upcoming = /<section class="card" aria-labelledby="upcoming-title"[^]*?<\/section>/.exec(page)![0];
    expect([...upcoming.matchAll(/<a href="admin\/users\/(\d+)"/g)].map(([, id]) => Number(id))).toEqual([bob.user.id]);
    expect(upcoming).toContain("24 hours");
  });

  test("the last administrator stays one, and the page explains it", async () => {
    const site = await aSite();
    const ann = await site.signedIn("ann", "admin");

    const refused = await ann.post(`/admin/users/${ann.user.id}/demote`);

    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("ann is the only administrator. Promote another user first.");
  });

  test("a refused rollback does not affect a running job", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const { app } = site;
    const job = await app.db.write(() =>
      syncJobs.create({ userId: bob.user.id, source: "first", trigger: "manual" }, app.clock()),
    );

    const refused = await bob.post(`/jobs/${job.id}/rollback`);

    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("This job is still running.");
    site.world.clock.advance(2 * HOUR);
    const done = await bob.post(`/jobs/${job.id}/rollback`);
    expect(done.headers.get("location")).toBe(`/jobs/${job.id}?deleted=0&restored=0`);
    const said = async (query: string) =>
      /<p class="done"[^>]*>(.*?)<\/p>/.exec(await (await bob.get(`/jobs/${job.id}${query}`)).text())?.[1];
    expect(await said("?deleted=0&restored=0")).toBe("Rolled back: no QSOs changed.");
    expect(await said("?deleted=3&restored=0&undo=true")).toBe("Undone: 3 QSOs deleted.");
    expect(await said("?deleted=0&restored=1")).toBe("Rolled back: 1 QSO restored.");
  });

  test("every refusal because of a job links to that job", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const { app } = site;
    await setCredentials(app, bob.user.id, "first", CREDENTIALS.first);
    const aJobOf = (source: "first" | "file") =>
      app.db.write(() => syncJobs.create({ userId: bob.user.id, source, trigger: "manual" }, app.clock()));
    const [syncing, importing] = [await aJobOf("first"), await aJobOf("file")];

    const refusedSync = await bob.post("/sync/first");
    const refusedImport = await bob.post("/log/import", { file: "log.adi" });

    for (const [answer, { id }] of [
      [refusedSync, syncing],
      [refusedImport, importing],
    ] as const) {
      expect(answer.status).toBe(409);
      expect(await answer.text()).toContain(`<a href="jobs/${id}">Open job ${id}</a>`);
    }
  });

  test("kept values of a rollback are listed by contact and field, not by ids", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const { world } = site;
    await sync(world, bob.user.id, "file", [said("K1ABC", "2026-08-01 10:00")]);
    const job = await sync(world, bob.user.id, "first", [lotw("K1ABC", "2026-08-01 10:00")], {
      failure: new Error("lost"),
    });
    await sync(world, bob.user.id, "second", [qrz(5, "K1ABC", "2026-08-01 10:00")]);

    const text = (await (await bob.get(`/jobs/${job.id}/rollback`)).text()).replaceAll(/<[^>]+>|\s+/g, " ");
    const stays = text.slice(text.indexOf("Values that stay")).replaceAll(/ +/g, " ");

    expect(stays).toContain("K1ABC 2026-08-01 10:00 UTC · 20m · FT8 record (QRZ) 5 changed later");
    expect(stays).not.toMatch(/QSO \d/);
  });

  test("a refused frequency is reported in the unit that was typed", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");

    const refused = await bob.post("/log", { ...CONTACT, freqHz: "14.9" });

    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("14.9&quot; is not a frequency of an amateur band, such as 14.074 MHz.");
  });

  test("a contact whose jobs are no longer recorded does not name its origin", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const { world } = site;
    await sync(world, bob.user.id, "file", [said("K1ABC", "2026-08-01 10:00")]);
    await sync(world, bob.user.id, "first", [lotw("K1ABC", "2026-08-01 10:00")]);
    await world.db.write(() => run`DELETE FROM qso_changes`);
    const [qso] = await contactsOf(world, bob.user.id);
    const told = async () => (await bob.get(`/log/${qso!.id}/panel`)).text();

    expect(await told()).toContain(
      "This contact comes from a file or a program and LoTW. The jobs that added it are no longer",
    );
    await editQso(site.app, bob.user.id, qso!.id, { name: "Zoë" }, await site.app.callFacts());
    expect(await told()).toContain("and LoTW. You entered some of it.");
  });

  test("a contact is added, edited and deleted; only changed fields count as typed", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const fields = { call: "k9xyz", startedAt: "2026-07-18 01:43", band: "", freqHz: "14.074", mode: "FT8", name: "" };

    const added = await bob.post("/log", fields);
    const [path] = added.headers.get("location")!.split("?") as [string];
    const saved = await bob.post(path, { ...fields, call: "K9XYZ", band: "20m", name: "Zoë" });
    const text = await (await bob.get(path)).text();
    const wrong = await bob.post(path, { call: "not a call" });

    expect(saved.headers.get("location")).toBe(`${path}?done=saved`);
    expect(text).toContain("14.074 MHz");
    expect(text).toContain("Zoë");
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain('id="edit-qso-call-wrong"');
    expect((await bob.post(`${path}/delete`)).headers.get("location")).toBe("/log?done=deleted");
    expect((await bob.get(path)).status).toBe(404);
  });

  test("a form opened before a change overwrites nothing of it and types nothing", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const typed = { call: "K9XYZ", startedAt: "2026-07-18 01:43", band: "20m", mode: "FT8", name: "Tom" };
    const qso = await addQso(site.app, bob.user.id, typed, await site.app.callFacts());
    const path = `/log/${qso.id}`;
    const formOf = async () => {
      const html = await (await bob.get(path)).text();
      const form = html.slice(html.indexOf('id="edit-qso"'));
      const inputs = [...form.matchAll(/<input[^>]* name="([^"]+)"[^>]* value="([^"]*)"/g)];
      return Object.fromEntries(inputs.map(([, name, value]) => [name!, unescaped(value!)]));
    };
    const stale = await formOf();
    await editQso(site.app, bob.user.id, qso.id, { qth: "Toronto", comment: "on holiday" }, await site.app.callFacts());

    const renamed = await bob.post(path, { ...stale, name: "Thomas" });
    const [after] = await contactsOf(site.world, bob.user.id);
    const refused = await bob.post(path, { ...stale, comment: "at home" });

    expect(renamed.status).toBe(303);
    expect(after).toMatchObject({ name: "Thomas", qth: "Toronto", comment: "on holiday" });
    expect(after!.own!.typed).not.toHaveProperty("GRIDSQUARE");
    expect(refused.status).toBe(409);
    const told = unescaped(await refused.text());
    expect(told).toContain('It was empty when you opened this page and is now "on holiday".');
    expect(told).toContain('value="at home"');
    for (const seen of ["nonsense", "7", '{"startedAt":"x"}', '{"startedAt":1e300}']) {
      expect([seen, (await bob.post(path, { ...stale, seen })).status < 500]).toEqual([seen, true]);
    }
  });

  const unescaped = (text: string) =>
    text.replaceAll("&quot;", '"').replaceAll("&#34;", '"').replaceAll("&#x27;", "'").replaceAll("&amp;", "&");

  test("every filter appears in the search with a chip to remove it, or stays a hidden filter", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const said = { call: "K1*", dxcc: "339", notAt: "first", confirmation: "none", state: "TX", contest: "CQ-WW-CW" };

    const text = unescaped(await (await bob.get(`/log?band=20m&${new URLSearchParams(said)}`)).text());

    expect(text).toContain('value="K1* 20m dxcc:japan state:TX contest:CQ-WW-CW not:lotw unconfirmed"');
    expect(text).toContain('aria-label="Without Japan"');
    expect(text.match(/aria-label="Without /g)!.length).toBe(7);
  });

  test("an invalid search shows its error above the results", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");

    const refused = await bob.get("/log?from=yesterday&band=20m&mode=");

    expect(refused.status).toBe(400);
    expect(await refused.text()).toMatch(/id="results".*role="alert">&quot;yesterday&quot; is not a date/);
  });

  test("a page of the log links to the next and previous one, and is sorted by its headings", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    await storeLog(site.app.db, bob.user.id, { contacts: 120, seed: 2 });
    const shown = async (path: string) => {
      const text = unescaped(await (await bob.get(`/${path}`)).text());
      const link = (id: string) => text.match(new RegExp(`id="${id}"[^>]* href="([^"]+)"`))?.[1];
      return { link, text, ids: [...text.matchAll(/<tr id="qso-(\d+)"/g)].map(([, id]) => id) };
    };

    const first = await shown("log?sort=call");
    const second = await shown(first.link("page-next")!);
    const back = await shown(second.link("page-previous")!);

    expect(first.link("page-previous")).toBeUndefined();
    expect([first.ids.length, back.ids]).toEqual([50, first.ids]);
    expect(second.ids.filter((id) => first.ids.includes(id))).toEqual([]);
    expect(first.text).toContain('<th scope="col" aria-sort="ascending">');
    expect(first.link("sort-call")).toBe("log?sort=-call");
  });

  test("a page of the log says which contacts of how many it shows, in both directions", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    await storeLog(site.world.db, bob.user.id, { contacts: 120, seed: 1 });
    const linkIn = (text: string, rel: string) =>
      unescaped(text.match(new RegExp(`rel="${rel}"[^>]* href="([^"]*)"`))![1]!);
    const first = await (await bob.get("/log")).text();
    const second = await (await bob.get(`/${linkIn(first, "next")}`)).text();
    const third = await (await bob.get(`/${linkIn(second, "next")}`)).text();
    const back = await (await bob.get(`/${linkIn(third, "prev")}`)).text();

    expect(first).toContain("1–50 of 120<");
    expect(second).toContain("51–100 of 120<");
    expect(third).toContain("101–120 of 120<");
    expect(back).toContain("51–100 of 120<");
  });

  test("a row of the log has the name, the time without seconds and the three marks in one cell", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const contact = { ...CONTACT, startedAt: "2026-07-18 01:43:21", name: "Zoë", comment: "beverage" };
    await addQso(site.app, bob.user.id, contact, await site.app.callFacts());
    const row = (await (await bob.get("/log")).text()).match(/<tr id="qso-[\s\S]*?<\/tr>/)![0];

    expect(row).toContain(">2026-07-18 01:43<");
    expect(row).toContain(">Zoë<");
    expect(row.match(/class="num mark-cell"/g)).toHaveLength(1);
    expect(row).toContain('aria-label="K9XYZ, 20m FT8, 2026-07-18 01:43"');
    for (const search of ["name:zo", "comment:BEV", "grid:", "mode:ft8"])
      expect(await (await bob.get(`/log?search=${search}`)).text()).toContain(">Zoë<");
    expect(await (await bob.get("/log?search=name:hans")).text()).not.toContain(">Zoë<");
    expect(await (await bob.get("/log?search=nmae:zo")).text()).toContain("Did you mean name:?");
  });

  test("selected contacts are exported, edited or deleted, the last after a preview", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const facts = await site.app.callFacts();
    const qso = await addQso(site.app, bob.user.id, CONTACT, facts);
    const leadsTo = async (act: string) =>
      (await bob.get(`/log/chosen?id=${qso.id}&act=${act}`)).headers.get("location")!;

    expect(await leadsTo("export")).toBe(`/api/qsos/export?id=${qso.id}`);
    expect(await leadsTo("repair")).toBe(`/repair?id=${qso.id}`);
    expect(await (await bob.get(await leadsTo("delete"))).text()).toContain('name="what" value="delete"');
  });

  test("the tools that clean up the log say how many contacts need them", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const facts = await site.app.callFacts();
    for (const second of ["10", "20"])
      await addQso(site.app, bob.user.id, { ...CONTACT, startedAt: `2026-07-18 01:43:${second}` }, facts);
    const tools = await (await bob.get("/log/tools")).text();

    expect(tools).toContain('href="duplicates"><span>Duplicates</span> <small>1</small>');
    expect(tools).toContain("<small>0</small>");
    expect(tools).toContain('hx-get="log/tools/differences"');
    expect(await (await bob.get("/log/tools/differences")).text()).toContain("<small>0</small>");
    expect(await (await bob.get("/log")).text()).toContain('hx-get="log/tools"');
  });

  test("the palette finds verbs, settings, and what an award needs on a band", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const facts = await site.app.callFacts();
    await sync(site.world, bob.user.id, "file", [said("K8CAA", "2026-07-18 01:43")]);
    await addQso(site.app, bob.user.id, { ...CONTACT, call: "K8CAA", band: "40m" }, facts);
    const offersFor = async (who: typeof bob, words: string) => {
      const text = await (await who.get(`/go?words=${encodeURIComponent(words)}`)).text();
      const [, list] = text.split('id="go-found"');
      return [...list!.matchAll(/(?:href|action)="([^"]*)"[^>]*>\s*(?:<span>|<button[^>]*>)([^<]*)/g)].map(
        ([, href, label]) => `${label} ${unescaped(href!)}`,
      );
    };

    expect((await offersFor(bob, "undo"))[0]).toMatch(/^Undo Import \d+ jobs\/\d+\/undo$/);
    expect((await offersFor(bob, "password"))[0]).toBe("Change password settings#password-section");
    expect((await offersFor(bob, "sign out"))[0]).toBe("Sign out logout");
    expect((await offersFor(bob, "need 20"))[0]).toBe("DXCC needed on 20m awards/dxcc?band=20m&show=needed");
    expect((await offersFor(bob, "dxcc needed cw"))[0]).toBe("DXCC needed in cw awards/dxcc?group=cw&show=needed");
    expect((await offersFor(bob, "wpx needed cw"))[0]).toBe("WPX needed in cw awards/wpx?group=cw");
    expect((await offersFor(bob, "20m ft8"))[0]).toStartWith("Search the log for 20m ft8");
    const [all, newest, log] = await offersFor(bob, "k8caa");
    expect(all).toBe("K8CAA log?search=call%3AK8CAA");
    expect(newest).toStartWith("K8CAA log/");
    expect(log).toStartWith("K8CAA log/");
    expect((await offersFor(bob, "impersonate")).some((one) => one.includes("admin/"))).toBe(false);
    const ann = await site.signedIn("ann", "admin");
    expect((await offersFor(ann, "impersonate"))[0]).toBe("Who acted as whom admin/actions?action=impersonate");
  });

  test("an award shows first what waits for a confirmation, and what to do about it", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    await storeLog(site.app.db, bob.user.id, { contacts: 900, seed: 4 });
    const rows = (text: string) => [...text.matchAll(/<tr><th scope="row">/g)].length;
    const open = async (query: string) => (await bob.get(`/awards/dxcc${query}`)).text();

    const waiting = await open("");
    const all = await open("?show=all");
    const found = await open("?show=all&find=japan");
    const onBand = await open("?band=20m&show=needed");
    const map = await open("?view=map");

    const count = (tab: string) => Number(new RegExp(`<span>${tab}</span> <small>(\\d+)<`).exec(waiting)?.[1]);
    expect(rows(waiting)).toBe(count("Waiting"));
    expect(waiting).toMatch(/<td class="c-missing">.*?(Not on LoTW|No LoTW upload by|Only on QRZ|Recent)/);
    expect(waiting).toMatch(/<td class="c-advice">.*?(Upload it|Ask for|Wait)/);
    expect([rows(all), rows(found)]).toEqual([50, 1]);
    expect(count("All")).toBe(count("Waiting") + count("Not worked") + count("Confirmed"));
    for (const text of [waiting, map]) expect(Bun.gzipSync(text).length).toBeLessThan(50_000);
    expect(map).not.toContain('id="slots"');
    // Two clicks: the band, then the list.
    expect(waiting).toContain('href="awards/dxcc?band=20m&show=worked"');
    expect(await open("?band=20m&show=worked")).toContain('href="awards/dxcc?band=20m&show=needed"');
    expect(onBand).toContain("<title>DXCC on 20m: needed · qsolog</title>");
    const [elsewhere, never] = ["Worked on other bands, needed on 20m: ", "Never worked on any band, nearest first: "];
    expect(onBand.indexOf(elsewhere)).toBeGreaterThan(0);
    expect(onBand.indexOf(never)).toBeGreaterThan(onBand.indexOf(elsewhere));
    const distances = [...onBand.slice(onBand.indexOf(never)).matchAll(/<td class="c-distance">.*?([\d,]+) km/g)].map(
      ([, km]) => Number(km!.replace(",", "")),
    );
    expect(distances.length).toBeGreaterThan(20);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
  });

  test("columns are selected and remembered together with the search", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    await addQso(site.app, bob.user.id, { ...CONTACT, comment: "Zoë" }, await site.app.callFacts());
    const usual = await (await bob.get("/log")).text();

    const saved = await bob.post("/log/columns?search=20m", { comment: "on" });
    const chosen = await (await bob.get(saved.headers.get("location")!)).text();

    expect(saved.headers.get("location")).toBe("/log?search=20m");
    expect([usual.includes(">Zoë<"), chosen.includes(">Zoë<")]).toEqual([false, true]);
    expect([usual.includes("entity-cell"), chosen.includes("entity-cell")]).toEqual([true, false]);
  });

  test("an import that prevents another is named with the possible actions, and is stopped on its page", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const order = { userId: bob.user.id, source: "file", trigger: "manual" } as const;
    const { id } = await site.world.db.write(() => syncJobs.create(order, site.app.clock()));
    const send = async () => (await bob.post("/log/import", {}, { "content-type": "text/plain" })).text();

    const fresh = await send();
    const page = await (await bob.get(`/jobs/${id}`)).text();
    site.world.clock.advance(2 * HOUR);
    const stale = await send();
    const stopped = await bob.post(`/jobs/${id}/stop`);

    expect(fresh).toContain(`Job ${id} is still importing a file. Wait until it finishes, or stop it.`);
    expect(fresh).toContain(`href="jobs/${id}"`);
    expect(page).toContain(`action="jobs/${id}/stop"`);
    expect(stale).toContain("It is stuck. Roll it back first.");
    expect(stopped.headers.get("location")).toBe(`/jobs/${id}`);
    const end = await site.world.db.read(() => syncJobs.get(bob.user.id, id));
    expect(end.status).not.toBe("pending");
  });

  test("a contact is logged on one form, then the next one, and can be undone until another is logged", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");

    const added = await bob.post("/log/quick", {
      call: "ja1abc",
      startedAt: "",
      band: "14.074",
      mode: "ft8",
      rstSent: "",
    });
    const next = added.headers.get("location")!;
    const page = await (await bob.get(next)).text();
    const [id] = page.match(/(?<=action="log\/)\d+(?=\/take-back")/)!;
    const hints = await (await bob.get("/log/add/hints?call=ja1abc&band=20&mode=rtty")).text();
    const fresh = await (await bob.get("/log/add/hints?call=ja1xyz&band=21.2&mode=usb&rstSent=")).text();
    const wrong = await bob.post("/log/quick", { call: "ja1abc", band: "blue", mode: "ft8" });
    const taken = await bob.post(`/log/${id}/take-back`);
    await bob.post("/log/quick", { call: "ja1abd", band: "20", mode: "cw" });
    const [other] = await contactsOf(site.world, bob.user.id);
    site.world.clock.advance(20_000);
    await bob.post("/log/quick", { call: "ja1abe", band: "20", mode: "cw" });

    expect(next).toBe(`/log/add?band=14.074&mode=ft8&done=${id}`);
    expect(page).toContain('value="14.074"');
    expect(hints).toContain("Japan");
    expect(hints).toContain("1 earlier contact with JA1ABC");
    expect(hints).toContain("20m Digital, worked, not confirmed, this contact");
    expect(hints).toContain("20m CW, not worked");
    expect(fresh).toContain('data-say="Japan. DXCC Japan: new on 15m. New callsign."');
    expect(hints).toContain("DXCC Japan: worked, not confirmed");
    expect(fresh).toContain("DXCC Japan: new on 15m");
    expect(fresh).toContain("New callsign.");
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain('id="quick-band-wrong"');
    expect(taken.headers.get("location")).toBe("/log/add?done=undone");
    expect(other).toMatchObject({
      call: "JA1ABD",
      band: "20m",
      mode: "CW",
      rstSent: "599",
      startedAt: site.world.clock() - 20_000,
    });
    expect((await bob.post(`/log/${other!.id}/take-back`)).status).toBe(409);
  });

  test("the same contact is logged twice within minutes only after a warning", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const typed = { call: "ja1abc", band: "20", mode: "cw", startedAt: "" };
    await bob.post("/log/quick", typed);
    site.world.clock.advance(61_000);
    const hints = await (await bob.get("/log/add/hints?call=ja1abc&band=20&mode=cw")).text();
    const refused = await bob.post("/log/quick", typed);
    const page = await refused.text();
    const { length: once } = await contactsOf(site.world, bob.user.id);
    const again = await bob.post("/log/quick", { ...typed, again: "ja1abc" });
    const otherBand = await bob.post("/log/quick", { ...typed, band: "40" });
    site.world.clock.advance(11 * 60_000);
    const later = await bob.post("/log/quick", typed);

    const warning = "You logged JA1ABC 1 minute ago on 20m cw. Save again to log it twice.";
    expect(hints).toContain(warning);
    expect([refused.status, once]).toEqual([409, 1]);
    expect(page).toContain(warning);
    expect(page).toContain('name="again" value="ja1abc"');
    expect([again, otherBand, later].map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await contactsOf(site.world, bob.user.id)).toHaveLength(4);
  });

  test("a contact's summary has its facts, the jobs that changed it and others with its call", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const facts = await site.app.callFacts();
    const qso = await addQso(site.app, bob.user.id, CONTACT, facts);
    const other = await addQso(site.app, bob.user.id, { ...CONTACT, band: "40m" }, facts);

    const text = await (await bob.get(`/log/${qso.id}/panel`)).text();

    expect(text).not.toContain("<html");
    expect(text).toContain("K9XYZ");
    expect(text).toContain(`href="log/${other.id}"`);
    expect(text).toContain("by hand or by a program. No job has changed it since.");
  });

  test("the page and the panel of a contact say first why it is not confirmed, and on which bands it was worked", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const facts = await site.app.callFacts();
    const qso = await addQso(site.app, bob.user.id, CONTACT, facts);
    await addQso(site.app, bob.user.id, { ...CONTACT, band: "40m" }, facts);

    const page = await (await bob.get(`/log/${qso.id}`)).text();
    const panel = await (await bob.get(`/log/${qso.id}/panel`)).text();

    for (const text of [page, panel]) {
      const verdict = text.indexOf("Not confirmed. Neither LoTW nor QRZ has reported this contact.");
      expect(verdict).toBeGreaterThan(0);
      expect(verdict).toBeLessThan(text.indexOf('class="contact-facts"'));
      expect(text).toContain(`href="api/qsos/export?id=${qso.id}"`);
      expect(text).toContain("20m FT8, worked, not confirmed, this contact");
      expect(text).toContain("40m FT8, worked, not confirmed<");
      expect(text).toContain("80m FT8, not worked");
    }
    expect(page).toContain("2 contacts with K9XYZ");
  });

  test("a column of values and their sources that would be empty is left out", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    await sync(site.world, bob.user.id, "first", [lotw("K1ABC", "2026-08-01 10:00")]);
    const [qso] = await contactsOf(site.world, bob.user.id);
    const dated = await (await bob.get(`/log/${qso!.id}`)).text();
    await site.world.db.write(() => run`DELETE FROM qso_changes`);
    const undated = await (await bob.get(`/log/${qso!.id}`)).text();

    expect(dated).toContain("Since (UTC)");
    expect(undated).not.toContain("Since (UTC)");
    expect(undated).toContain("Sources of the values");
  });

  test("skip links to the contacts have targets", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    await addQso(site.app, bob.user.id, CONTACT, await site.app.callFacts());
    for (const path of ["/log", "/awards"]) {
      const text = await (await bob.get(path)).text();
      const skips = [...text.matchAll(/class="skip" href="([^"]*)#([^"]*)"/g)];
      expect([path, skips.length > 0]).toEqual([path, true]);
      for (const [, there, id] of skips) {
        expect(new URL(there!, `http://x${path}`).pathname).toBe(path);
        expect(text).toContain(`id="${id}"`);
      }
    }
  });

  test("a number in the table of a chart links to as many contacts, and the numbers add up", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    await storeLog(site.app.db, bob.user.id, { contacts: 400, seed: 9 });
    const toNumber = (text: string) => Number(text.replaceAll(",", ""));
    for (const search of ["", "20m,40m", "2010..2030 cw,ssb", "from:2015-06-01 digital", "unconfirmed -09"]) {
      const text = unescaped(await (await bob.get(`/statistics?search=${encodeURIComponent(search)}`)).text());
      const totalAt = async (href: string) => {
        const page = await (await bob.get(`/${href}`)).text();
        return toNumber(/data-say="([\d,]+) QSOs?"/.exec(page)?.[1] ?? "NaN");
      };
      const tables = [...text.matchAll(/<template id="(\w+)-table".*?>(<table.*?<\/table>)/gs)];
      if (search !== "unconfirmed -09") expect([search, tables.length]).toEqual([search, 11]);
      for (const [, name, table] of tables) {
        const marks = [...table!.matchAll(/<td class="num"><a href="(log[^"]*)"[^>]*>([\d,]+)</g)];
        for (const [, href, count] of marks.filter((_, at) => at % Math.ceil(marks.length / 6) === 0))
          expect([search, name, href, await totalAt(href!)]).toEqual([search, name, href, toNumber(count!)]);
        for (const [row] of table!.matchAll(/<tr><th scope="row">.*?<\/tr>/gs)) {
          if (!table!.startsWith('<table class="counts"')) continue;
          const counts = [...row.matchAll(/<td class="num">(?:<a [^>]*>)?([\d,]+)/g)].map(([, count]) =>
            toNumber(count!),
          );
          expect(counts.slice(0, -1).reduce((sum, count) => sum + count, 0)).toBe(counts.at(-1)!);
        }
      }
      const shares = [...text.matchAll(/<a href="(log[^"]*)" aria-label="[^"]*, ([^"]*): (\d+) %"/g)];
      for (const [, href] of shares.slice(0, 4)) expect(await totalAt(href!)).toBeGreaterThan(-1);
    }
  });

  test("without a script, a link shows the numbers of a chart as a table", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    await storeLog(site.app.db, bob.user.id, { contacts: 200, seed: 9 });
    for (const [path, id] of [
      ["/statistics", "hours"],
      ["/awards/dxcc?view=map", "map"],
    ] as const) {
      const text = unescaped(await (await bob.get(path)).text());
      const [, href] = new RegExp(`id="${id}-as-table" href="([^"#]*)#${id}-table"`).exec(text)!;
      const open = await (await bob.get(`/${href}`)).text();

      expect(text).toContain(`<template id="${id}-table"`);
      expect(open).toMatch(new RegExp(`<div class="scroll" id="${id}-table"[^>]*><table`));
    }
  });

  test("a row of a past log links to the past contact, even if it is deleted now", async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const qso = await addQso(site.app, bob.user.id, { ...CONTACT, name: "Ann" }, await site.app.callFacts());
    const day = new Date(site.world.clock()).toISOString().slice(0, 10);
    site.world.clock.advance(24 * HOUR);
    await bob.post(`/log/${qso.id}/delete`);

    const list = await (await bob.get(`/log?asOf=${day}`)).text();
    for (const path of [`log/${qso.id}?asOf=${day}`, `log/${qso.id}/panel?asOf=${day}`]) {
      expect(list).toContain(`"${path}"`);
      const text = await (await bob.get(`/${path}`)).text();
      expect(text).toContain("Ann");
      expect(text).toContain(`Your log as it was at the end of ${day}`);
      expect(text).not.toContain("edit-qso");
    }
    expect((await bob.get(`/log/${qso.id}`)).status).toBe(404);
    const pages = ["log", "statistics", "awards/dxcc", "awards/dxcc?view=map", "awards/wpx", "awards/wpx?by=any"];
    for (const path of pages) {
      const text = await (await bob.get(`/${path}${path.includes("?") ? "&" : "?"}asOf=${day}`)).text();
      const leading = [...text.matchAll(/href="(log(?:\?|\/\d)[^"]*)"/g)].map(([, href]) => href!);
      expect([path, leading.length > 0]).toEqual([path, true]);
      expect(leading.filter((href) => !href.includes(`asOf=${day}`))).toEqual([]);
    }
  });
});

describe("impersonation", () => {
  const acting = async () => {
    const site = await aSite();
    const ann = await site.signedIn("ann", "admin");
    const bob = await site.signedIn("bob");
    await ann.post(`/admin/users/${bob.user.id}/impersonate`);
    return { site, ann, bob };
  };

  test("shows a banner with the minutes left on every page", async () => {
    const { site, ann } = await acting();

    for (const path of ["/", "/log", "/jobs", "/settings"]) {
      expect(await (await ann.get(path)).text()).toMatch(/60 minutes left/);
    }
    site.world.clock.advance(HOUR / 2);
    expect(await (await ann.get("/")).text()).toContain("30 minutes left");
    expect((await ann.get("/admin")).status).toBe(403);
    const out = await ann.post("/impersonation/stop");
    expect(out.headers.get("location")).toBe("/admin/users");
    expect(await (await ann.get("/admin")).text()).not.toContain("minutes left");
  });

  test("neither shows nor changes what belongs to the account", async () => {
    const { ann } = await acting();

    const settings = await (await ann.get("/settings/security")).text();
    expect(settings).toContain("You cannot change");
    expect(settings).not.toContain("settings/password");
    for (const path of ["profile", "password", "tokens", "credentials/first", "delete"]) {
      expect((await ann.post(`/settings/${path}`, {})).status).toBe(403);
    }
  });

  test("ends after an hour, without returning to the administrator's page", async () => {
    const { site, ann } = await acting();
    site.world.clock.advance(HOUR + 1);

    const ended = await ann.get("/");

    expect(ended.status).toBe(401);
    expect(await ended.text()).toContain("Return to your own account");
    await ann.post("/impersonation/stop");
    expect((await ann.get("/admin")).status).toBe(200);
  });
});

test("without the table of schedules pages work, and say so where a schedule is requested", async () => {
  const site = await aSite();
  const ann = await site.signedIn("ann", "admin");
  await rollbackMigration(site.app.db, "0005_auto_sync");

  for (const path of ["/", "/settings", "/admin", "/admin/users"]) {
    expect([path, (await ann.get(path)).status]).toEqual([path, 200]);
  }
  const refused = await ann.post("/settings/auto-sync", { first: "6" });
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain("Scheduled syncs are not available on this server");
});

// Invariant: the dashboard polls only while a job runs
test("the board polls only while a job is running", async () => {
  const site = await aSite();
  const bob = await site.signedIn("bob");
  const { app } = site;
  const triggerOf = async () => /hx-trigger="([^"]*)"/.exec(await (await bob.get("/partials/board")).text())![1];

  expect(await triggerOf()).not.toContain("every");
  const job = await app.db.write(() =>
    syncJobs.create({ userId: bob.user.id, source: "first", trigger: "manual" }, app.clock()),
  );
  expect(await triggerOf()).toContain("every 2s");
  await app.db.write(() => syncJobs.fail(job.id, "network", "gone", app.clock()));
  expect(await triggerOf()).not.toContain("every");
});

test("the dashboard says what needs a decision, and nothing if there is nothing to decide", async () => {
  const site = await aSite();
  const bob = await site.signedIn("bob");
  const todo = async () => /<section class="to-do".*?<\/section>/.exec(await (await bob.get("/")).text())?.[0] ?? "";

  expect(await todo()).toBe("");
  await withBobsLog(site, bob);

  expect(await todo()).toContain("LoTW sync failed.");
  expect(await todo()).toContain("LoTW could not be reached.");
  expect(await todo()).toContain('action="sync/first"');
  expect(await todo()).not.toContain("Roll back");
});
