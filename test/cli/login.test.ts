import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as apiTokens from "../../src/storage/people/api-tokens.ts";
import * as sessions from "../../src/storage/people/sessions.ts";
import { PASSWORD } from "../support/app.ts";
import { served } from "./served.ts";
import { aCommandLine } from "./services.ts";

/** Bob's server, and a machine that has no log of its own. */
const aLaptop = async () => {
  const line = await aCommandLine();
  const server = await served(line);
  const config = join(line.world.dataDir, "config");
  const env = { QSOLOG_DATA_DIR: "", XDG_CONFIG_HOME: config, XDG_DATA_HOME: join(line.world.dataDir, "nothing") };
  const laptop = (
    words: readonly string[],
    { env: more = {}, stdin }: { env?: Record<string, string>; stdin?: string } = {},
  ) => line.qsolog(words, { env: { ...env, ...more }, stdin });
  const signIn = (...more: string[]) =>
    laptop(["login", server.url, "--user", "bob", "--password-stdin", ...more], { stdin: `${PASSWORD}\n` });
  const tokens = () => line.world.db.read(() => apiTokens.listOf(line.bob.id));
  return { line, server, env, laptop, signIn, tokens, file: join(config, "qsolog", "logins.json") };
};

const kept = (file: string) => JSON.parse(readFileSync(file, "utf8")).logins;

describe("signing in", () => {
  // Defence: stored logins are readable by their owner only and are revoked by signing out
  test("stores a private token named after the machine, and no session", async () => {
    const { line, server, signIn, tokens, file } = await aLaptop();

    const { code, out, err } = await signIn();

    expect([code, out, err]).toEqual([
      0,
      `Signed in to ${server.url} as bob. The token is stored in <data>/config/qsolog/logins.json.\n`,
      "",
    ]);
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    const [login] = kept(file);
    expect(login).toMatchObject({ server: server.url, username: "bob", token: expect.stringMatching(/^qsl_/) });
    expect(await tokens()).toContainEqual(
      expect.objectContaining({ id: login.tokenId, name: expect.stringMatching(/^qsolog on ./), scope: "write" }),
    );
    expect(await line.world.db.read(() => sessions.listOf(line.bob.id))).toEqual([]);
  });

  test("asks in a terminal without showing the password", async () => {
    const { line, server, env, file } = await aLaptop();
    const asked = line.inTerminal(["login", server.url], env);

    await asked.shows("Username at http://127.0.0.1:");
    asked.type("Bob\r");
    await asked.shows("Password of Bob");
    asked.type(`${PASSWORD}\r`);

    await asked.shows(`: \r\nSigned in to ${server.url} as bob.`);
    expect(await asked.exited).toBe(0);
    expect(kept(file)).toHaveLength(1);
  });

  test("accepts an existing token and creates none", async () => {
    const { server, laptop, tokens, file } = await aLaptop();

    const byStdin = await laptop(["login", server.url, "--token-stdin", "--json"], { stdin: `${server.token}\n` });
    const byEnvironment = await laptop(["login", server.url], { env: { QSOLOG_TOKEN: server.token } });

    expect(JSON.parse(byStdin.out)).toMatchObject({ server: server.url, username: "bob" });
    expect([byStdin.code, byEnvironment.code, (await tokens()).length]).toEqual([0, 0, 1]);
    expect(kept(file)).toMatchObject([{ token: server.token, tokenId: null }]);
  });

  test("again replaces the stored login, whose token is revoked", async () => {
    const { server, signIn, tokens, file } = await aLaptop();
    await signIn();
    const [before] = kept(file);

    await signIn("--scope", "read");

    const [after, ...more] = kept(file);
    expect([more, after.tokenId === before.tokenId]).toEqual([[], false]);
    const found = (await tokens()).map(({ name, scope }) => [name === "test", scope]);
    expect(found.sort()).toEqual([
      [false, "read"],
      [true, "write"],
    ]);
    expect(server.url).toBe(after.server);
  });

  test("stores nothing if it is refused", async () => {
    const { server, laptop, tokens, file } = await aLaptop();
    const wrong = await laptop(["login", server.url, "--user", "bob", "--password-stdin"], { stdin: "wrong" });
    const badToken = await laptop(["login", server.url, "--token-stdin"], { stdin: "qsl_wrong" });
    const without = await laptop(["login", server.url, "--user", "bob"]);
    const nobody = await laptop(["login", "http://127.0.0.1:1", "--user", "bob"], {
      env: { QSOLOG_PASSWORD: PASSWORD },
    });
    const inClear = await laptop(["login", "http://log.example.org", "--user", "bob"], {
      env: { QSOLOG_PASSWORD: PASSWORD },
    });

    expect([wrong.code, wrong.err]).toEqual([4, "qsolog: Wrong username or password.\n"]);
    expect([badToken, without, nobody, inClear].map(({ code }) => code)).toEqual([4, 2, 1, 2]);
    expect(inClear.err).toContain("or --insecure to send it anyway");
    for (const { err } of [wrong, badToken, nobody, inClear]) expect(err).not.toMatch(/qsl_wrong|correct horse/);
    expect([existsSync(file), (await tokens()).length]).toEqual([false, 1]);
  });

  test("revokes the token it created if it cannot be stored", async () => {
    const { signIn, tokens, file } = await aLaptop();
    mkdirSync(dirname(dirname(file)), { recursive: true });
    writeFileSync(dirname(file), "a file where a folder should be");

    const { code, err } = await signIn();

    expect([code, err]).toEqual([1, expect.stringContaining("logins.json cannot be written")]);
    expect(await tokens()).toHaveLength(1);
  });
});

describe("a stored login", () => {
  test("is used by --server, and by every command on a machine without a log", async () => {
    const { line, server, laptop, signIn } = await aLaptop();
    expect((await laptop(["stats"])).code).toBe(5);
    await signIn();

    expect((await laptop(["stats"])).out).toStartWith("(bob)");
    expect(await laptop(["qso", "add", "K1ABC", "--band", "20m", "--mode", "CW"])).toMatchObject({
      code: 0,
      err: `server: ${server.url}\n`,
    });
    expect((await laptop(["stats", "--server", server.url])).code).toBe(0);
    expect((await line.qsolog(["qso", "list", "--json"])).out).toContain("K1ABC");
    expect(existsSync(join(line.world.dataDir, "nothing"))).toBe(false);
  });

  test("has lower priority than a local log or a given location", async () => {
    const { line, laptop, signIn } = await aLaptop();
    await signIn();
    await line.world.db.close();

    expect((await laptop(["stats"], { env: { QSOLOG_DATA_DIR: join(line.world.dataDir, "none") } })).code).toBe(5);
    expect((await laptop(["stats", "--data-dir", join(line.world.dataDir, "none")])).code).toBe(5);
    const home = join(line.world.dataDir, "home");
    await Bun.write(join(home, "qsolog", "qsolog.db"), "");
    expect((await laptop(["stats"], { env: { XDG_DATA_HOME: home } })).err).toContain("There are no users yet");
  });

  test("is chosen by server if there are several", async () => {
    const { server, laptop, signIn, file } = await aLaptop();
    await signIn();
    const other = {
      server: "https://log.example.org",
      username: "zoe",
      token: "qsl_x",
      tokenId: null,
      insecure: false,
    };
    writeFileSync(file, JSON.stringify({ logins: [...kept(file), other] }), { mode: 0o600 });

    expect(await laptop(["stats"])).toMatchObject({
      code: 2,
      err:
        "qsolog: This machine has no log, and you are signed in to several servers. " +
        `Choose one with --server: ${server.url}, https://log.example.org.\n`,
    });
    expect((await laptop(["stats", "--server", `${server.url}/`])).code).toBe(0);
  });

  test("that others can read, or that is damaged, is refused with what to do", async () => {
    const { laptop, signIn, file } = await aLaptop();
    await signIn();
    chmodSync(file, 0o644);
    const open = await laptop(["stats"]);
    chmodSync(file, 0o600);
    writeFileSync(file, '{"logins":[{"server":1}]}');
    const damaged = await laptop(["stats"]);

    expect([open.code, open.err]).toEqual([2, expect.stringContaining("Run: chmod 600 <data>/config/qsolog/")]);
    expect([damaged.code, damaged.err]).toEqual([
      2,
      expect.stringContaining("is damaged. Remove it and sign in again"),
    ]);
  });
});

describe("signing out", () => {
  // Defence: stored logins are readable by their owner only and are revoked by signing out
  test.each(["write", "read"])("revokes a token of scope %s and forgets it, once", async (scope) => {
    const { server, laptop, signIn, tokens, file } = await aLaptop();
    await signIn("--scope", scope);

    expect(await laptop(["logout"])).toMatchObject({ code: 0, out: `Signed out of ${server.url}.\n`, err: "" });

    expect([existsSync(file), (await tokens()).length]).toEqual([false, 1]);
    expect(await laptop(["logout"])).toMatchObject({ code: 5, err: "qsolog: You are not signed in to any server.\n" });
    expect((await laptop(["stats"])).code).toBe(5);
  });

  test("of an unreachable server forgets the token, and says that it is still valid there", async () => {
    const { server, laptop, signIn, file } = await aLaptop();
    await signIn();
    const [login] = kept(file);
    writeFileSync(file, JSON.stringify({ logins: [{ ...login, server: "http://127.0.0.1:1" }] }), { mode: 0o600 });

    const { code, err, out } = await laptop(["logout", "http://127.0.0.1:1", "--json"]);

    expect([code, JSON.parse(out).revoked, existsSync(file)]).toEqual([1, false, false]);
    expect(err).toContain("could not revoke it: Cannot reach the server at http://127.0.0.1:1");
    expect(err).not.toContain(login.token);
    expect(server.url).not.toBe("http://127.0.0.1:1");
  });

  test("does not revoke a token that was created elsewhere", async () => {
    const { server, laptop, tokens, file } = await aLaptop();
    await laptop(["login", server.url, "--token-stdin"], { stdin: server.token });

    const { code, err } = await laptop(["logout", server.url]);

    expect([code, err]).toEqual([0, expect.stringContaining("could not revoke it: It was created elsewhere.")]);
    expect([existsSync(file), (await tokens()).length]).toEqual([false, 1]);
  });
});
