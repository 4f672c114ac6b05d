import { describe, expect, test } from "bun:test";
import { createServer } from "../../src/server/server.ts";
import { createApp } from "../../src/app.ts";
import { aBrowser, BROWSER, type Browser } from "../support/browser.ts";
import { afterTest } from "../support/cleanup.ts";
import { codeAt } from "../support/factors.ts";
import { PASSWORD } from "../support/qsolog.ts";
import { aUser, testWorld } from "../support/world.ts";
import { MINUTE } from "../../src/kernel/clock.ts";
import { many } from "../../src/storage/engine/unit.ts";

const aPlace = async () => {
  const world = await testWorld({ env: { QSOLOG_PORT: "0" } });
  const app = createApp(world);
  const server = createServer(app);
  const url = (await server.listen()).replace("127.0.0.1", "localhost");
  afterTest(async () => {
    await server.stop();
    await app.stop();
  });
  return { url, app, world, bob: await aUser(world, "bob") };
};

/** A virtual authenticator that always confirms. */
const plugIn = async ({ view }: Browser): Promise<string> => {
  await view.cdp("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  const { authenticatorId } = (await view.cdp("WebAuthn.addVirtualAuthenticator", { options })) as {
    authenticatorId: string;
  };
  return authenticatorId;
};

const givePassword = async ({ open, fill, click, at }: Browser, to: string) => {
  await open("/login");
  await fill("#login-username", "bob");
  await fill("#login-password", PASSWORD);
  await click("#login button");
  await at(to);
};

const signOut = async ({ click, at }: Browser) => {
  await click("#sign-out");
  await at("/login");
};

/** Browser warnings and requests to other hosts are faults. */
const isQuiet = ({ complaints, requests }: Browser) => {
  expect(complaints.filter((one) => !one.includes("401"))).toEqual([]);
  expect(requests.filter((one) => !/^(GET|POST) (\/|about:blank|data:)/.test(one))).toEqual([]);
};

describe.skipIf(BROWSER === null)("in a real browser with an authenticator", () => {
  // Defence: a passkey works only for its own site, once per challenge
  test("a passkey is created, signs in, confirms, and is removed", async () => {
    const { url, world, app } = await aPlace();
    const browser = await aBrowser(url);
    const { open, fill, click, at, shows, requests } = browser;
    await plugIn(browser);
    await givePassword(browser, "/");
    expect(requests.filter((one) => one.includes("passkeys"))).toEqual([]);

    await open("/settings/security");
    await click("#passkey-begin");
    await fill("#passkey-new-name", "the virtual key");
    await click("#passkey-make");
    await shows("These are your recovery codes");
    await shows("the virtual key");
    await signOut(browser);

    await givePassword(browser, "/login/factor");
    await click("#passkey-use");
    await at("/");

    world.clock.advance(11 * MINUTE);
    await open("/settings/security");
    await click("#recovery-make");
    await at("/confirm");
    await click("#passkey-use");
    await at("/settings/security");
    await click("#recovery-make");
    await shows("These are your recovery codes");
    await click("[id^=passkey-][id$=-remove]");
    await shows("Removed.");
    await signOut(browser);
    await givePassword(browser, "/");

    isQuiet(browser);
    const rows = await app.db.read(() => many`SELECT purpose FROM one_time_codes`);
    expect(rows).toEqual([]);
  });

  // Defence: a passkey works only for its own site, once per challenge
  test("a passkey's answer is valid once, for its challenge, site and user", async () => {
    const { url, app, world, bob } = await aPlace();
    const browser = await aBrowser(url);
    const authenticatorId = await plugIn(browser);
    await givePassword(browser, "/");
    await browser.open("/settings/security");
    await browser.click("#passkey-begin");
    await browser.fill("#passkey-new-name", "the virtual key");
    await browser.click("#passkey-make");
    await browser.shows("the virtual key");
    const { host } = new URL(url);
    const client = { address: "192.0.2.9", userAgent: null, host };
    type Question = { challenge: string; factors: string[]; passkey: { challenge: string } | null };
    const ask = async (where = client) => (await app.auth.signIn("bob", PASSWORD, where)) as unknown as Question;
    /** What the authenticator signs for this origin. */
    const signed = async (options: object): Promise<Record<string, any>> => {
      const asked = JSON.stringify(options);
      return JSON.parse(
        (await browser.look<string>(
          `navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(${asked}) })
             .then((one) => JSON.stringify(one.toJSON()))`,
        ))!,
      );
    };
    const outcome = (challenge: string, passkey: Record<string, unknown>, where = client) =>
      app.auth.answer(challenge, { passkey }, where).then(
        ({ user }) => user.username,
        ({ message, rule }) => rule ?? message,
      );
    const REFUSED = "This passkey was not accepted.";

    const first = await ask();
    const answer = await signed(first.passkey!);
    const [other, elsewhere] = [await ask(), { ...client, host: "localhost:1" }];
    expect(await outcome(other.challenge, answer)).toBe(REFUSED);
    expect(await outcome(first.challenge, answer, elsewhere)).toBe(REFUSED);
    const bent = { ...answer, response: { ...answer.response, signature: answer.response.authenticatorData } };
    expect(await outcome(first.challenge, bent)).toBe(REFUSED);
    expect(await outcome(first.challenge, {})).toBe(REFUSED);
    world.clock.advance(60_000);
    expect(await outcome(first.challenge, answer)).toBe("bob");
    expect(await outcome(first.challenge, answer)).toBe("challenge_ended");

    // The same answer for another user who has no such passkey.
    const eve = await aUser(world, "eve");
    const { anApp } = await import("../support/factors.ts");
    await anApp(world, eve);
    const eves = (await app.auth.signIn("eve", PASSWORD, client)) as unknown as Question;
    expect([eves.passkey, eves.factors]).toEqual([null, ["code", "recovery"]]);
    const ofBob = await signed({ ...first.passkey, challenge: eves.challenge });
    expect(await outcome(eves.challenge, ofBob)).toBe(REFUSED);

    // A cloned authenticator, whose counter continues from an older value.
    const question = await ask();
    const newer = await signed(question.passkey!);
    await app.db.write(function* () {
      yield* many`UPDATE passkeys SET counter = 1000000 WHERE user_id = ${bob.id}`;
    });
    expect(await outcome(question.challenge, newer)).toBe(REFUSED);

    // Browsers do not support passkeys at an IP address.
    expect((await ask({ ...client, host: "127.0.0.1:7373" })).passkey).toBeNull();
    await browser.view.cdp("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
  });

  test("without JavaScript everything except passkeys works", async () => {
    const { url, world } = await aPlace();
    const browser = await aBrowser(url, { scripts: false });
    const { open, fill, click, at, shows, text } = browser;
    await givePassword(browser, "/");

    await open("/settings/security");
    await click("#factor-app-begin");
    await shows("Scan this code with your authenticator app");
    const key = await text("#app-key");
    await fill("#app-code-code", codeAt(key, world.clock()));
    await click("#app-code-save");
    await shows("These are your recovery codes");
    const [recovery] = (await text("#recovery-codes")).split(" ");
    await signOut(browser);

    await givePassword(browser, "/login/factor");
    await fill("#code-code", recovery!);
    await click("#code button");
    await at("/");
    await open("/settings/security");
    await shows("9 codes are left");
    isQuiet(browser);
  });
});
