import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import * as apiTokens from "../../src/storage/people/api-tokens.ts";
import * as sessions from "../../src/storage/people/sessions.ts";
import * as users from "../../src/storage/people/users.ts";
import { many } from "../../src/storage/engine/unit.ts";
import { hashOfToken } from "../../src/auth/api-tokens.ts";
import { allowTerminal } from "../../src/people/terminal-sign-ins.ts";
import { PASSWORD, testApp } from "../support/app.ts";
import { anApp, codeAt } from "../support/factors.ts";
import { served } from "./served.ts";
import { aCommandLine } from "./services.ts";

/** Bob with an authenticator app, on a server and on a machine without a log of its own. */
const aLaptop = async () => {
  const line = await aCommandLine();
  const server = await served(line);
  const { key } = await anApp(line.world, line.bob);
  const config = join(line.world.dataDir, "config");
  const env = { QSOLOG_DATA_DIR: "", XDG_CONFIG_HOME: config, XDG_DATA_HOME: join(line.world.dataDir, "nothing") };
  const words = ["login", server.url, "--user", "bob"];
  return { line, server, env, words, key };
};

describe("signing in to a server with a second factor", () => {
  test("asks for the code after the password, again after a wrong one, and stores a token", async () => {
    const { line, server, env, words, key } = await aLaptop();
    const asked = line.inTerminal(words, env);

    await asked.shows("Password of bob");
    asked.type(`${PASSWORD}\r`);
    await asked.shows("Code from your authenticator app, or a recovery code: ");
    asked.type("000000\r");
    await asked.shows("This code is wrong");
    asked.type(`${codeAt(key, Date.now())}\r`);

    await asked.shows(`Signed in to ${server.url} as bob.`);
    expect(await asked.exited).toBe(0);
    expect(await line.world.db.read(() => apiTokens.listOf(line.bob.id))).toHaveLength(2);
    expect(await line.world.db.read(() => sessions.listOf(line.bob.id))).toEqual([]);
    const stats = await line.qsolog(["stats", "--json", "--server", server.url], { env });
    expect([stats.code, JSON.parse(stats.out).total]).toEqual([0, 0]);
  });

  test("without a terminal, or for users with passkeys only, says what to do instead", async () => {
    const { line, env, words } = await aLaptop();
    const signIn = () => line.qsolog([...words, "--password-stdin"], { env, stdin: PASSWORD });

    const byScript = await signIn();
    await line.world.db.write(function* () {
      yield* many`DELETE FROM recovery_codes`;
      yield* many`DELETE FROM totp_secrets`;
      yield* many`
        INSERT INTO passkeys (user_id, credential_id, sealed, transports, counter, name, created_at)
        VALUES (${line.bob.id}, 'x', ${Uint8Array.of(1)}, '[]', 0, 'phone', 0)`;
    });
    const byPasskey = await signIn();

    expect([byScript.code, byPasskey.code]).toEqual([2, 4]);
    expect(byScript.err).toContain("The account has a second factor. Run this in a terminal, or use --token-stdin");
    expect(byPasskey.err).toContain("Use --browser.");
  });
});

describe("signing in with a page of the server", () => {
  /** What the signed-in user does in the browser, possibly with a passkey. */
  const allowed = async ({ line, server }: Awaited<ReturnType<typeof aLaptop>>, address: string): Promise<string> => {
    const known = await server.app.db.read(() => users.getKnown(line.bob.id));
    const { token } = await server.app.auth.startSession(known, { address: "192.0.2.7", userAgent: null });
    const headers = { cookie: `qsolog_session=${token}`, "sec-fetch-site": "same-origin" };
    const asked = await (await fetch(address, { headers })).text();
    expect([asked.includes("qsolog on "), asked.includes("read and write"), asked.includes("<b>bob</b>")]).toEqual([
      true,
      true,
      true,
    ]);
    const shown = await (await fetch(address, { method: "POST", headers })).text();
    return /id="terminal-code"[^>]*>([a-z0-9-]+)</.exec(shown)![1]!;
  };

  // Defence: browser sign-in authorises only the terminal that asked, once
  test("stores a token of its own, and only the page's code was typed", async () => {
    const laptop = await aLaptop();
    const { line, server, env } = laptop;
    const asked = line.inTerminal(["login", server.url, "--browser"], env);
    const shown = await asked.shows("Code shown on the page: ");
    const address = /http\S+\/login\/terminal\?\S+/.exec(shown.replaceAll(/[\r\n]/g, " "))![0];

    asked.type(`${await allowed(laptop, address)}\r`);

    await asked.shows(`Signed in to ${server.url} as bob.`);
    expect(await asked.exited).toBe(0);
    const stats = await line.qsolog(["stats", "--json", "--server", server.url], { env });
    expect([stats.code, JSON.parse(stats.out).total]).toEqual([0, 0]);
    expect((await line.qsolog(["logout"], { env })).code).toBe(0);
    expect(await line.world.db.read(() => apiTokens.listOf(line.bob.id))).toHaveLength(1);
  });

  // Defence: browser sign-in authorises only the terminal that asked, once
  test("has a code for one terminal, which works once within five minutes while the session lasts", async () => {
    const app = await testApp();
    const order = { terminal: hashOfToken("mine"), name: "qsolog on shack", scope: "read" as const };
    const code = await allowTerminal(app, await app.callerOf(app.bob), order);
    const use = async (text: string, verifier: string) =>
      (await app.visitor.post("/api/auth/terminal", { code: text, verifier })).status;

    expect(await use(code, "another's")).toBe(401);
    expect(await use("abcd-efgh-ijkm-npqr", "mine")).toBe(401);
    expect([await use(code, "mine"), await use(code, "mine")]).toEqual([201, 401]);
    const late = await allowTerminal(app, await app.callerOf(app.bob), order);
    app.clock.advance(5 * 60_000);
    expect(await use(late, "mine")).toBe(401);
    const ended = await allowTerminal(app, await app.callerOf(app.bob), order);
    await (await app.as(app.bob)).delete("/api/me/sign-ins");
    expect(await use(ended, "mine")).toBe(401);
    expect(JSON.stringify(await app.db.read(() => many`SELECT * FROM one_time_codes`))).not.toContain(ended);
  });

  test("requires a recent confirmation, and no token can do it", async () => {
    const app = await testApp();
    const bob = await app.browser(app.bob);
    const at = `/login/terminal?terminal=${hashOfToken("mine")}&name=shack&scope=read`;
    app.clock.advance(10 * 60_000);

    const sent = await bob.post(at, "", { "content-type": "application/x-www-form-urlencoded" });

    expect(sent.headers.get("location")).toBe(`/confirm?next=${encodeURIComponent(at)}`);
    expect((await (await app.withToken(app.bob, "write")).get(at)).status).toBe(403);
    expect((await app.visitor.get(at)).headers.get("location")).toBe(`/login?next=${encodeURIComponent(at)}`);
  });
});

describe("a second factor from the shell", () => {
  test("is set up with a QR code and a key, and required from then on", async () => {
    const line = await aCommandLine();
    const asked = line.inTerminal(["account", "add-factor", "--user", "bob"]);

    const shown = await asked.shows("Code shown by the app: ");
    const key = /by hand: ([A-Z2-7]{32})/.exec(shown)![1]!;
    asked.type(`${codeAt(key, Date.now())}\r`);
    await asked.shows("bob now needs a code after the password.");
    expect(await asked.exited).toBe(0);

    expect(shown.split("\n").filter((row) => /[█▀▄]{10}/.test(row)).length).toBeGreaterThan(3);
    const listed = await line.qsolog(["account", "factors", "--user", "bob"]);
    expect(listed.out).toContain("authenticator app");
    expect(listed.out).toContain("Recovery codes left: 10");
    const actions = JSON.parse((await line.qsolog(["audit", "--action", "add_factor", "--json"])).out).actions;
    expect(actions).toMatchObject([{ admin: "operator", target: "bob", details: {} }]);
  });

  test("needs a terminal, because its key is private", async () => {
    const line = await aCommandLine();

    expect(await line.qsolog(["account", "add-factor", "--user", "bob"])).toMatchObject({ code: 2, out: "" });
  });

  test("that is lost is removed, once, and recorded", async () => {
    const { line } = await aLaptop();

    const done = await line.qsolog(["user", "reset-factor", "bob"]);
    const again = await line.qsolog(["user", "reset-factor", "bob"]);
    const events = await line.qsolog(["account", "events", "--user", "bob"]);

    expect([done.code, again.code]).toEqual([0, 3]);
    expect(done.out).toBe("Removed the second factor of bob. The password alone signs in now.\n");
    expect(again.err).toContain("bob has no second factor.");
    expect(events.out).toMatch(/Second factor reset +operator/);
    expect((await line.qsolog(["account", "factors", "--user", "bob"])).out).toBe("There is no second factor.\n");
  });
});
