import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "node:tls";
import { createToken } from "../../src/people/tokens.ts";
import * as users from "../../src/storage/people/users.ts";
import { afterTest } from "../support/cleanup.ts";
import { aPlaceGuarded, aVisitor, PROXIES } from "./proxy.ts";

setDefaultTimeout(120_000);

const HAS_OPENSSL = Bun.which("openssl") !== null;
/** The examples say 5 seconds. Without them, Nginx waits for 60 and Caddy forever. */
const MAX_UNFINISHED_MS = 20_000;
const named = (name: string, headers: Record<string, string> = {}) => ({
  headers: { cookie: `guard=${name}`, ...headers },
});

for (const proxy of PROXIES) {
  const missing = proxy.path === null ? `${proxy.name} is not installed` : HAS_OPENSSL ? null : "there is no openssl";
  describe.skipIf(missing !== null)(
    `behind ${proxy.name}${missing ? ` (${missing})` : ""}, which asks who it is, as the example says`,
    () => {
      // Defence: a proxy's user header counts only from a trusted proxy, and only if configured
      test("the named user is signed in, and headers sent by visitors are removed, on pages and API", async () => {
        const { app, origin } = await aPlaceGuarded(proxy);
        const bob = await app.db.read(() => users.getByName("bob"));
        const { token } = await createToken(app, bob.id, { name: "logger", scope: "read" });
        const { ask } = aVisitor(origin);
        const claim = { "remote-user": "bob" };

        const stranger = await ask("/settings", { headers: claim });
        const byInterface = await ask("/api/me", { headers: claim });
        const other = await ask("/login", named("eve", claim));
        const program = await ask("/api/me", { headers: { authorization: `Bearer ${token}`, ...claim } });
        const named1 = await ask("/login?next=/settings", named("bob", { "remote-user": "eve" }));
        const session = /__Host-qsolog_session=[^;]+/.exec(named1.headers.getSetCookie().join("\n"))![0];
        const page = await ask("/settings/security", named("bob", { cookie: `guard=bob; ${session}` }));
        const stolen = await ask("/api/me", { headers: { cookie: session } });

        expect([stranger.status, stranger.headers.get("location")]).toEqual([302, "https://auth.example.org/"]);
        expect([byInterface.status, other.status, program.status]).toEqual([401, 403, 200]);
        expect([named1.status, named1.headers.get("location")]).toEqual([303, "/settings"]);
        expect(await page.text()).toContain("Signed in by the proxy (remote-user)");
        expect(stolen.status).toBe(401);
      });

      test("an unfinished request is dropped", async () => {
        const { origin } = await aPlaceGuarded(proxy);
        const port = Number(new URL(origin).port);
        const dropped = Promise.withResolvers<string>();
        const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
          socket.on("close", () => dropped.resolve("dropped"));
          socket.write("GET / HTTP/1.1\r\nHost: log.example.org\r\n");
        });
        afterTest(() => void socket.destroy());
        socket.on("error", () => {});

        const isOpen = Bun.sleep(MAX_UNFINISHED_MS).then(() => "open");

        expect(await Promise.race([dropped.promise, isOpen])).toBe("dropped");
      });
    },
  );
}
