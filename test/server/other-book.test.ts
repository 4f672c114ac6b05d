import { expect, test } from "bun:test";
import * as serviceCredentials from "../../src/storage/jobs/service-credentials.ts";
import { run } from "../../src/storage/engine/unit.ts";
import { testApp } from "../support/app.ts";

test("the first sync of another callsign's logbook is confirmed over the API and on the page", async () => {
  const app = await testApp();
  await app.credentialsFor(app.bob, "second");
  await app.db.write(function* () {
    yield* run`UPDATE users SET callsign = 'K1BOB' WHERE id = ${app.bob.id}`;
    yield* run`UPDATE service_credentials SET callsign = NULL WHERE user_id = ${app.bob.id}`;
    const known = yield* serviceCredentials.find(app.bob.id, "second");
    yield* serviceCredentials.setBook(known!, "W1AW");
  });
  const [bob, browser] = [await app.as(app.bob), await app.browser(app.bob)];

  const { services } = (await bob.get("/api/services")).body;
  expect(services[1]).toMatchObject({ book: "W1AW", warning: expect.stringContaining("the logbook of W1AW") });
  const page = await browser.get("/");
  expect(page.text).toContain("This account opens the logbook of W1AW, but your callsign is K1BOB.");
  expect(page.text).toContain('name="confirm"');
  const refused = await bob.post("/api/sync/second", {});
  expect([refused.status, refused.body.error.rule]).toEqual([409, "other_callsign"]);

  const taken = await bob.post("/api/sync/second", { confirm: true });

  expect([taken.status, taken.body.job.options]).toEqual([202, undefined]);
  await app.runner.idle();
  expect(app.second.downloads).toHaveLength(1);
});
