import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import * as apiTokens from "../../src/storage/api-tokens.ts";
import * as sessions from "../../src/storage/sessions.ts";
import { many } from "../../src/storage/unit.ts";
import { PASSWORD } from "../support/app.ts";
import { anApp, codeAt } from "../support/factors.ts";
import { served } from "./served.ts";
import { aCommandLine } from "./services.ts";

/** Bob, who has an authenticator app, at a server and at a machine that has no log of its own. */
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
  test("asks for the code after the password, once more after a wrong one, and keeps a token", async () => {
    const { line, server, env, words, key } = await aLaptop();
    const asked = line.inTerminal(words, env);

    await asked.shows("Password of bob");
    asked.type(`${PASSWORD}\r`);
    await asked.shows("Code of your authenticator app, or a recovery code: ");
    asked.type("000000\r");
    await asked.shows("The code is wrong");
    asked.type(`${codeAt(key, Date.now())}\r`);

    await asked.shows(`Signed in to ${server.url} as bob.`);
    expect(await asked.exited).toBe(0);
    expect(await line.world.db.read(() => apiTokens.listOf(line.bob.id))).toHaveLength(2);
    expect(await line.world.db.read(() => sessions.listOf(line.bob.id))).toEqual([]);
    const stats = await line.qsolog(["stats", "--json", "--server", server.url], { env });
    expect([stats.code, JSON.parse(stats.out).total]).toEqual([0, 0]);
  });

  test("says without a terminal, and to who has passkeys only, what to do instead", async () => {
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
    expect(byScript.err).toContain("The account has a second factor: run in a terminal, or make an API token at http");
    expect(byPasskey.err).toContain("No terminal can use a passkey");
  });
});

describe("a second factor from the shell", () => {
  test("is set up with a picture and a key, and asked for from then on", async () => {
    const line = await aCommandLine();
    const asked = line.inTerminal(["account", "add-factor", "--user", "bob"]);

    const shown = await asked.shows("Code that the app shows: ");
    const key = /camera: ([A-Z2-7]{32})/.exec(shown)![1]!;
    asked.type(`${codeAt(key, Date.now())}\r`);
    await asked.shows("bob is asked for a code after the password from now on.");
    expect(await asked.exited).toBe(0);

    expect(shown.split("\n").filter((row) => /[█▀▄]{10}/.test(row)).length).toBeGreaterThan(3);
    const listed = await line.qsolog(["account", "factors", "--user", "bob"]);
    expect(listed.out).toContain("authenticator app");
    expect(listed.out).toContain("Recovery codes left: 10");
    const actions = JSON.parse((await line.qsolog(["audit", "--action", "add_factor", "--json"])).out).actions;
    expect(actions).toMatchObject([{ admin: "operator", target: "bob", details: {} }]);
  });

  test("needs a terminal, because its key is for one pair of eyes", async () => {
    const line = await aCommandLine();

    expect(await line.qsolog(["account", "add-factor", "--user", "bob"])).toMatchObject({ code: 2, out: "" });
  });

  test("that is lost is taken away, once, and recorded", async () => {
    const { line } = await aLaptop();

    const done = await line.qsolog(["user", "reset-factor", "bob"]);
    const again = await line.qsolog(["user", "reset-factor", "bob"]);
    const events = await line.qsolog(["account", "events", "--user", "bob"]);

    expect([done.code, again.code]).toEqual([0, 3]);
    expect(done.out).toBe("bob has no second factor any more: the password alone signs in.\n");
    expect(again.err).toContain("bob has no second factor.");
    expect(events.out).toMatch(/The second factor was taken away +operator/);
    expect((await line.qsolog(["account", "factors", "--user", "bob"])).out).toBe("There is no second factor.\n");
  });
});
