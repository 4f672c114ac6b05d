import { describe, expect, test } from "bun:test";
import { HOUR } from "../../src/kernel/clock.ts";
import { HOURLY, type Limited } from "../../src/kernel/hourly-limits.ts";
import { testApp, type Asker, type TestApp } from "../support/app.ts";

const LIMITED: [string, Limited, string, string, object | null][] = [
  ["a preview of a repair", "preview", "POST", "/api/repairs", { filter: {}, set: { comment: "x" }, dryRun: true }],
  ["a preview of a merge", "preview", "POST", "/api/duplicates/merge", { kind: "band", dryRun: true }],
  ["a preview of a rollback", "preview", "GET", "/api/jobs/1/rollback", null],
  ["an export", "export", "GET", "/api/qsos/export", null],
  ["a repair", "job", "POST", "/api/repairs", { filter: {}, set: { comment: "x" } }],
  ["a sync", "job", "POST", "/api/sync/first", {}],
  ["an import", "job", "POST", "/api/qsos/import", {}],
  ["a test message", "notice", "POST", "/api/notices/targets/1/test", {}],
  ["an invitation", "invitation", "POST", "/api/admin/users/invite", { username: "zoe" }],
  ["a password link", "invitation", "POST", "/api/admin/users/2/password-link", {}],
];

const exhaust = (app: TestApp, what: Limited) => {
  for (const { id } of [app.ann, app.bob]) for (let n = 0; n < HOURLY[what].most; n++) app.limits.count(what, id);
};

// Defence: what costs the server or others much has a limit an hour for each user
describe("each business function has a limit", () => {
  test.each(LIMITED)("%s", async (_, what, method, path, body) => {
    const app = await testApp();
    const asker = await app.browser(what === "invitation" ? app.ann : app.bob);
    exhaust(app, what);

    const ask = (who: Asker) => (body ? who.send(method, path, { body }) : who.get(path));

    const refused = await ask(asker);

    expect(refused.body).toMatchObject({ error: { code: "rate_limited", rule: "hourly_limit" } });
    expect(Number(refused.headers.get("retry-after"))).toBe(HOUR / 1_000);
    const other = await ask(await app.browser(app.eve));
    expect(other.body?.error?.rule).not.toBe("hourly_limit");
    app.clock.advance(HOUR);
    expect((await ask(asker)).body?.error?.rule).not.toBe("hourly_limit");
  });
});
