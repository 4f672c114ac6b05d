import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import * as qsoList from "../../src/storage/log/qso-list.ts";
import * as sessions from "../../src/storage/people/sessions.ts";
import { aBrowser, BROWSER } from "../support/browser.ts";
import { PASSWORD } from "../support/qsolog.ts";
import { aPlaceBehind, aVisitor, placesIn, PREFIX, PROXIES } from "./proxy.ts";

setDefaultTimeout(120_000);

const MEGABYTE = 1_048_576;
const MAX_PAGES = 60;
const HAS_IPV6 = existsSync("/proc/net/if_inet6") && / lo$/m.test(readFileSync("/proc/net/if_inet6", "utf8"));
const HAS_OPENSSL = Bun.which("openssl") !== null;
const RECORD = "<CALL:5>K1AAA <QSO_DATE:8>20240718 <TIME_ON:6>014300 <BAND:3>20m <MODE:2>CW <EOR>\n";

for (const proxy of PROXIES) {
  const missing = proxy.path === null ? `${proxy.name} is not installed` : HAS_OPENSSL ? null : "there is no openssl";
  describe.skipIf(missing !== null)(
    `behind ${proxy.name}${missing ? ` (${missing})` : ""}, as the example says`,
    () => {
      // Defence: behind a proxy, cookies are limited to https and the path
      test("pages, links, forms, files and redirects stay below the path", async () => {
        const { origin, app } = await aPlaceBehind(proxy);
        const { ask, post } = aVisitor(origin);

        const bare = await ask(PREFIX);
        expect([bare.status, new URL(bare.headers.get("location")!, origin).href]).toEqual([
          308,
          `${origin}${PREFIX}/`,
        ]);
        const stranger = await ask(`${PREFIX}/awards`);
        expect(stranger.status).toBe(303);
        const asked = new URL(stranger.headers.get("location")!, origin);
        expect([asked.origin, asked.pathname]).toEqual([origin, `${PREFIX}/login`]);

        const signedIn = await post(
          asked.pathname + asked.search,
          new URLSearchParams({ username: "bob", password: PASSWORD }),
        );
        expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, `${PREFIX}/awards`]);
        const cookie = signedIn.headers.getSetCookie().find((line) => line.startsWith("qsolog_session="))!;
        expect(cookie).toContain(`Path=${PREFIX};`);
        expect(cookie).toContain("; Secure");
        const begun = await post(`${PREFIX}/sync/first`, "");
        expect([begun.status, begun.headers.get("location")!.startsWith(`${PREFIX}/`)]).toEqual([303, true]);
        await app.runner.idle();

        const seen = new Set([`${origin}${PREFIX}/`]);
        for (const at of seen) {
          if (seen.size > MAX_PAGES) break;
          const answer = await ask(at.slice(origin.length));
          expect([at, answer.status]).toEqual([at, 200]);
          if (!answer.headers.get("content-type")?.startsWith("text/html")) continue;
          for (const place of placesIn(await answer.text(), at)) {
            expect(place).toStartWith(`${origin}${PREFIX}/`);
            if (!/\/(logout|sync|settings\/.+|log\/\d+\/.+|log\/import)/.test(place)) seen.add(place);
          }
        }
        expect(seen.size).toBeGreaterThan(30);
        expect(await (await ask("/healthz")).text()).not.toContain("version");
        expect(await (await ask(`${PREFIX}/healthz`)).text()).toContain("version");
        expect((await ask(`${PREFIX}/metrics`)).status).toBe(401);
        for (const path of [PREFIX, `${PREFIX}/login`, `${PREFIX}/metrics`]) {
          expect((await ask(path)).headers.get("strict-transport-security")).toBe("max-age=31536000");
        }
      });

      test("a large log passes through in both directions while it is sent, as a body and as a form", async () => {
        const { origin, app, world, bob } = await aPlaceBehind(proxy);
        const { ask, post } = aVisitor(origin);
        await post(`${PREFIX}/login`, new URLSearchParams({ username: "bob", password: PASSWORD }));
        const log = (megabytes: number, record: string) =>
          `${"A header that goes on. ".repeat((megabytes * MEGABYTE) / 23)}<EOH>\n${record}`;

        const raw = await ask(`${PREFIX}/api/qsos/import`, {
          method: "POST",
          body: log(40, RECORD),
          headers: { origin, "sec-fetch-site": "same-origin", "content-type": "text/plain" },
        });
        expect(raw.status).toBe(201);
        await app.runner.idle();
        const form = new FormData();
        form.set("file", new File([log(8, RECORD.replace("K1AAA", "K2BBB"))], "log.adi"));
        const sent = await post(`${PREFIX}/log/import`, form);
        expect([sent.status, sent.headers.get("location")]).toEqual([
          303,
          expect.stringMatching(/^\/qsolog\/jobs\/\d+/),
        ]);
        await app.runner.idle();

        expect(await world.db.read(() => qsoList.count(bob.id, {}))).toBe(2);
        expect(await (await ask(`${PREFIX}/api/qsos/export`)).text()).toContain("<CALL:5>K2BBB");
      });

      // Defence: a visitor's address is accepted from trusted proxies only
      test.skipIf(!HAS_IPV6)("the visitor's address is what the proxy saw, if the proxy is trusted", async () => {
        for (const { trusted, expected } of [
          { trusted: "127.0.0.1", expected: "::1" },
          { trusted: "", expected: "127.0.0.1" },
          { trusted: "192.0.2.1", expected: "127.0.0.1" },
        ]) {
          const { ports, world, bob } = await aPlaceBehind(proxy, { trusted });
          const { ask } = aVisitor(`https://[::1]:${ports.https}`);

          const answer = await ask(`${PREFIX}/api/auth/login`, {
            method: "POST",
            body: JSON.stringify({ username: "bob", password: PASSWORD }),
            headers: { host: `localhost:${ports.https}`, "x-forwarded-for": "203.0.113.9" },
          });

          expect([trusted, answer.status]).toEqual([trusted, 200]);
          const [session] = await world.db.read(() => sessions.listOf(bob.id));
          expect([trusted, session!.address]).toEqual([trusted, expected]);
        }
      });

      if (proxy.name !== "nginx") return;
      test.skipIf(BROWSER === null)("a browser signs in, watches a sync live, and signs out", async () => {
        const { origin, services, goOn, app } = await aPlaceBehind(proxy);
        services.first.fail({ kind: "drip", bytes: 400, pause: 1 });
        const browser = await aBrowser(origin);
        await browser.view.cdp("Security.setIgnoreCertificateErrors", { ignore: true });
        const { open, fill, click, at, shows, count } = browser;

        await open(`${PREFIX}/login`);
        await fill("#login-username", "bob");
        await fill("#login-password", PASSWORD);
        await click("#login button");
        await at(`${PREFIX}/`);
        await click("#sync-first-now");
        await shows("Syncing…");
        while (count(`GET ${PREFIX}/partials/board`) === 0) await Bun.sleep(50);
        goOn();
        await app.runner.idle();
        await shows("completed");
        await click("#sign-out");
        await at(`${PREFIX}/login`);

        expect(browser.complaints).toEqual([]);
        expect(browser.requests.filter((one) => !/^(GET|POST) (\/qsolog\/|about:blank|data:)/.test(one))).toEqual([]);
      });
    },
  );
}
