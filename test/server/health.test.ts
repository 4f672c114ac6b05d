import { Database as Connection } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { HOUR, MINUTE } from "../../src/kernel/clock.ts";
import { SyncError } from "../../src/domain/jobs/provider.ts";
import { hasDiskSpace } from "../../src/people/disk.ts";
import { testApp, type TestApp } from "../support/app.ts";
import { ENGINE, NOON, testWorld } from "../support/world.ts";

const PROMETHEUS = join(import.meta.dir, "../../deploy/prometheus");

const metricsOf = async ({ visitor }: TestApp): Promise<Record<string, number>> => {
  const { text, headers } = await visitor.get("/metrics");
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4");
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    samples.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
};

test("/healthz answers anyone", async () => {
  const { visitor } = await testApp();

  expect((await visitor.get("/healthz")).body).toEqual({ status: "ok", version });
});

test("/readyz answers while the database accepts writes and the scheduler runs", async () => {
  const app = await testApp();
  await app.scheduler.tick(app.clock());
  const ready = async () => {
    const { status, body } = await app.visitor.get("/readyz");
    return [status, body.ready, body.checks.tick];
  };

  app.clock.advance(3 * MINUTE);
  expect(await ready()).toEqual([200, true, true]);
  app.clock.advance(1);
  expect(await ready()).toEqual([503, false, false]);
  await app.scheduler.tick(app.clock());
  expect(await ready()).toEqual([200, true, true]);
});

test.skipIf(ENGINE !== "sqlite")("it is not ready while another program holds the database", async () => {
  const app = await testApp({ world: await testWorld({ giveUpAfterMs: 50 }) });
  const other = new Connection(app.config.databaseUrl);
  other.run("BEGIN IMMEDIATE");

  const { status, body } = await app.visitor.get("/readyz");

  expect([status, body]).toEqual([503, { ready: false, checks: { database: false, tick: true, disk: true } }]);
  other.close();
});

test("a full disk is not ready, and is logged", async () => {
  const logged: object[] = [];
  const world = await testWorld();
  // This file system has no free space, and none that anybody could fill.
  const config = { ...world.config, dataDir: "/proc", databaseUrl: "postgres://db.example/log" };

  const log = { ...world.log, error: (event: string, fields = {}) => void logged.push({ event, ...fields }) };
  expect(hasDiskSpace({ config, log })).toBe(false);
  expect(logged).toEqual([{ event: "disk.full", directory: "/proc", freeBytes: 0 }]);
  expect(hasDiskSpace(world)).toBe(true);
});

describe("the metrics", () => {
  test("count requests, jobs, ticks and sizes", async () => {
    const app = await testApp();
    await app.credentialsFor(app.bob, "first", "second");
    const bob = await app.as(app.bob);
    app.second.fails = new SyncError("network", "The line is down.");
    for (const source of ["first", "second"]) await bob.post(`/api/sync/${source}`);
    await app.runner.idle();
    await app.visitor.get("/nope");
    await app.scheduler.tick(app.clock());
    app.clock.advance(2 * HOUR);

    const found = await metricsOf(app);

    expect(found).toMatchObject({
      'qsolog_requests_total{method="POST",status="2xx"}': 2,
      'qsolog_requests_total{method="GET",status="4xx"}': 1,
      qsolog_request_duration_seconds_count: 3,
      'qsolog_request_duration_seconds_bucket{le="+Inf"}': 3,
      'qsolog_jobs{source="first",status="completed"}': 1,
      'qsolog_jobs{source="second",status="failed"}': 1,
      'qsolog_last_success_timestamp_seconds{source="first"}': NOON / 1000,
      qsolog_last_tick_timestamp_seconds: NOON / 1000,
      qsolog_jobs_running: 0,
    });
    expect(found).not.toHaveProperty('qsolog_last_success_timestamp_seconds{source="second"}');
    expect(found.qsolog_longest_stall_seconds).toBeGreaterThanOrEqual(0);
    for (const name of [
      "qsolog_database_size_bytes",
      "process_resident_memory_bytes",
      "process_start_time_seconds",
      'qsolog_disk_free_bytes{use="data"}',
      "qsolog_request_duration_seconds_sum",
    ]) {
      expect(found[name]).toBeGreaterThan(0);
    }
  });

  test("have the duration of jobs for each source", async () => {
    const app = await testApp();
    await app.credentialsFor(app.bob, "first");
    const bob = await app.as(app.bob);
    const { promise, resolve } = Promise.withResolvers<void>();
    const { promise: asked, resolve: note } = Promise.withResolvers<void>();
    app.first.until = async () => {
      note();
      await promise;
    };
    await bob.post("/api/sync/first");
    await asked;
    app.clock.advance(90_000);
    resolve();
    await app.runner.idle();

    expect(await metricsOf(app)).toMatchObject({
      'qsolog_job_duration_seconds_sum{source="first"}': 90,
      'qsolog_job_duration_seconds_count{source="first"}': 1,
    });
  });

  test("are valid: each family has help and type, and no invented method appears", async () => {
    const app = await testApp();
    await app.visitor.send("PROPFIND", "/nope");

    const lines = (await app.visitor.get("/metrics")).text.trimEnd().split("\n");

    const families = new Set(lines.filter((line) => line.startsWith("# TYPE ")).map((line) => line.split(" ")[2]!));
    for (const line of lines.filter((text) => !text.startsWith("#"))) {
      expect(line).toMatch(/^[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? (NaN|[0-9.e+-]+)$/);
      expect(families.has(line.match(/^[a-z_]+/)![0].replace(/_(bucket|sum|count)$/, ""))).toBe(true);
    }
    expect(lines).toContain('qsolog_requests_total{method="other",status="4xx"} 1');
  });

  const promtool = Bun.which("promtool");
  test.skipIf(promtool === null)("and the example and the alerts pass promtool", async () => {
    const app = await testApp();
    await app.credentialsFor(app.bob, "first");
    await (await app.as(app.bob)).post("/api/sync/first");
    await app.runner.idle();
    const check = (words: string[], stdin = "") => {
      const { exitCode, stdout, stderr } = Bun.spawnSync([promtool!, "check", ...words], { stdin: Buffer.from(stdin) });
      return [exitCode, exitCode === 0 ? "" : `${stdout}${stderr}`];
    };
    const metrics = (await app.visitor.get("/metrics")).text;

    expect(check(["metrics"], metrics)).toEqual([0, ""]);
    expect(check(["config", "--syntax-only", join(PROMETHEUS, "prometheus.yml")])).toEqual([0, ""]);
    expect(check(["rules", join(PROMETHEUS, "qsolog.rules.yml")])).toEqual([0, ""]);
  });

  test("of the alerts are all there", async () => {
    const { text } = await (await testApp()).visitor.get("/metrics");

    const used = readFileSync(join(PROMETHEUS, "qsolog.rules.yml"), "utf8").match(/\b(qsolog|process)_[a-z_]+/g)!;
    for (const name of used) expect(text).toContain(`# TYPE ${name.replace(/_(bucket|sum|count)$/, "")} `);
  });

  // Defence: metrics need this machine or an administrator's token
  test.each([
    ["https://log.example.org", "/metrics", 401],
    ["http://192.0.2.1:7373", "/metrics", 401],
    ["http://localhost:7373", "/metrics", 200],
  ])("need a token wherever the public address is not this machine: %s", async (baseUrl, path, status) => {
    const app = await testApp({ env: { QSOLOG_BASE_URL: baseUrl } });

    expect((await app.visitor.get(path)).status).toBe(status);
    expect((await (await app.withToken(app.ann, "read")).get(path)).status).toBe(200);
  });

  // Defence: metrics need this machine or an administrator's token
  test("are for requests from this machine, or with an administrator's token", async () => {
    const app = await testApp();
    const forwarded = { "x-forwarded-for": "192.0.2.1" };
    const at = async (asker: { get: TestApp["visitor"]["get"] }, headers?: Record<string, string>) => {
      const { status, body } = await asker.get("/metrics", headers);
      return [status, body?.error?.rule];
    };

    expect(await at(app.visitor)).toEqual([200, undefined]);
    expect(await at(app.visitor, forwarded)).toEqual([401, undefined]);
    expect(await at(app.visitor, { forwarded: "for=192.0.2.1" })).toEqual([401, undefined]);
    for (const name of ["x-real-ip", "via", "cf-connecting-ip", "true-client-ip", "x-forwarded-host", "X-Client-IP"]) {
      expect([name, ...(await at(app.visitor, { [name]: "192.0.2.1" }))]).toEqual([name, 401, undefined]);
    }
    expect(await at(await app.as(app.bob), forwarded)).toEqual([403, "not_admin_caller"]);
    expect(await at(await app.browser(app.ann), forwarded)).toEqual([401, undefined]);
    expect(await at(await app.withToken(app.ann, "read"), forwarded)).toEqual([200, undefined]);
  });
});
