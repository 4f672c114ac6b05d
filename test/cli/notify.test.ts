import { expect, test } from "bun:test";
import { aListener } from "../notices/listener.ts";
import { afterTest } from "../support/cleanup.ts";
import { aCommandLine, steady } from "./services.ts";

const ENV = { QSOLOG_NOTICE_NETWORKS: "127.0.0.0/8" };

test("a target is added from standard input, tested, changed, listed and removed", async () => {
  const { qsolog } = await aCommandLine();
  const hook = aListener();

  const added = await qsolog(["notify", "add", "webhook", "--events", "new_worked,leftovers", "--stdin"], {
    stdin: `${hook.url}/secret-path\n`,
    env: ENV,
  });
  const tried = await qsolog(["notify", "test", "1"], { env: ENV });
  const changed = await qsolog(["notify", "change", "1", "--events", "sync_failed"]);
  const listed = await qsolog(["notify"]);

  expect([added.code, added.out]).toEqual([
    0,
    `Webhook at 127.0.0.1:${hook.port} receives something new worked, unresolved records. Try it: qsolog notify test 1\n`,
  ]);
  expect(added.err).toMatch(/this key\. It is shown only once: whsec_[\w-]{43}/);
  expect(tried.out).toBe(`Webhook at 127.0.0.1:${hook.port} accepted the test notice.\n`);
  expect(hook.received.map(({ path }) => path)).toEqual(["/secret-path"]);
  expect(changed.out).toBe(`Webhook at 127.0.0.1:${hook.port} receives a failed or paused sync.\n`);
  expect(steady(listed.out).split("\n")[1]).toMatch(/^1 +Webhook +127\.0\.0\.1:\d+ +sync_failed +YYYY-MM-DD HH:MM +0/);
  for (const { out } of [listed, await qsolog(["notify", "list", "--json"])]) expect(out).not.toContain("secret-path");
  expect((await qsolog(["notify", "remove", "1"])).code).toBe(0);
  expect((await qsolog(["notify", "remove", "1"])).code).toBe(5);
  expect((await qsolog(["notify", "list"])).out).toBe("No targets yet. Add one: qsolog notify add ntfy\n");
});

test("a sync on the command line sends its notifications, and does not wait for a silent target", async () => {
  const line = await aCommandLine();
  const { qsolog } = line;
  const hook = aListener();
  const silent = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Promise<Response>(() => {}) });
  afterTest(() => silent.stop(true));
  for (const url of [hook.url, `http://127.0.0.1:${silent.port}`]) {
    await qsolog(["notify", "add", "webhook", "--events", "sync_failed", "--stdin"], { stdin: `${url}\n`, env: ENV });
  }
  line.first.fail({ kind: "maintenance" });
  const began = performance.now();

  const synced = await qsolog(["sync", "first"], { env: ENV });

  expect(synced.code).toBe(1);
  expect(performance.now() - began).toBeLessThan(30_000);
  expect(hook.received).toHaveLength(1);
  expect(JSON.stringify(hook.received)).toContain("sync_failed");
});

test("invalid, missing and forbidden values are refused", async () => {
  const { qsolog } = await aCommandLine();
  const hook = aListener();

  expect((await qsolog(["notify", "add", "mail", "--stdin"], { stdin: hook.url })).code).toBe(2);
  expect((await qsolog(["notify", "add", "webhook"])).err).toContain("No address given. Use --stdin");
  expect(
    (await qsolog(["notify", "add", "webhook", "--events", "sync_fine", "--stdin"], { stdin: hook.url })).err,
  ).toContain('There is no event "sync_fine"');
  await qsolog(["notify", "add", "webhook", "--stdin"], { stdin: hook.url });
  expect(await qsolog(["notify", "test", "1"])).toMatchObject({
    code: 4,
    err: expect.stringContaining("local network"),
  });
});
