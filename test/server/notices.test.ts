import { expect, test } from "bun:test";
import { aListener, LOCAL } from "../notices/listener.ts";
import { testApp } from "../support/app.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded", accept: "text/html" };
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

test("a target is added, tested, changed and removed over the API", async () => {
  const app = await testApp({ env: LOCAL });
  const bob = await app.as(app.bob);
  const hook = aListener();

  const added = await bob.post("/api/notices/targets", {
    kind: "webhook",
    url: `${hook.url}/x`,
    events: ["leftovers"],
  });
  const { key, ...target } = added.body;
  const tried = await bob.post(`/api/notices/targets/${target.id}/test`);
  const changed = await bob.put(`/api/notices/targets/${target.id}`, { events: ["new_worked", "sync_failed"] });

  expect([added.status, key]).toEqual([201, expect.stringMatching(/^whsec_/)]);
  expect(hook.received.map(({ body }) => [body.event, body.id, body.job])).toEqual([["test", null, null]]);
  expect(tried.body).toEqual({ ...target, lastSentAt: app.clock() });
  expect(changed.body).toEqual({ ...tried.body, events: ["sync_failed", "new_worked"] });
  expect((await bob.get("/api/notices/targets")).body).toEqual({ targets: [changed.body] });
  expect((await (await app.as(app.eve)).get("/api/notices/targets")).body).toEqual({ targets: [] });
  expect((await bob.delete(`/api/notices/targets/${target.id}`)).status).toBe(204);
  expect((await bob.post(`/api/notices/targets/${target.id}/test`)).status).toBe(404);
});

test("a failed test gives the reason", async () => {
  const app = await testApp();
  const bob = await app.as(app.bob);
  const hook = aListener();
  const { body } = await bob.post("/api/notices/targets", { kind: "webhook", url: hook.url, events: ["leftovers"] });

  const { status, body: refusal } = await bob.post(`/api/notices/targets/${body.id}/test`);

  expect([status, refusal.error.rule]).toEqual([403, "local_address"]);
  expect(hook.received).toEqual([]);
});

test("the same works with the forms of Settings, and the key is shown once", async () => {
  const app = await testApp({ env: LOCAL });
  const bob = await app.browser(app.bob);
  const hook = aListener();

  const added = await bob.post("/settings/notices", form({ kind: "webhook", url: hook.url, new_worked: "on" }), FORM);
  const page = await bob.get("/settings/notifications", { accept: "text/html" });
  const tested = await bob.post("/settings/notices/1/test", "", FORM);
  const none = await bob.post("/settings/notices/1", "", FORM);
  const changed = await bob.post("/settings/notices/1", form({ leftovers: "on" }), FORM);

  expect(added.text).toContain("whsec_");
  expect(page.text).not.toContain("whsec_");
  expect(page.text).toContain(`Webhook at 127.0.0.1:${hook.port}`);
  expect(tested.headers.get("location")).toBe("/settings/notifications?done=notice-tested");
  expect(none.text).toContain("Choose at least one event.");
  expect(changed.headers.get("location")).toBe("/settings/notifications?done=notice");
  expect((await bob.get("/settings/notifications", { accept: "text/html" })).text).toContain(
    "Notifies you about unresolved records.",
  );
  await bob.post("/settings/notices/1/remove", "", FORM);
  expect((await (await app.as(app.bob)).get("/api/notices/targets")).body).toEqual({ targets: [] });
});
