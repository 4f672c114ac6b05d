import { describe, expect, test } from "bun:test";
import { createChallenge } from "../../src/auth/factors/factors.ts";
import { changePassword, deleteOwnAccount } from "../../src/people/account.ts";
import { allowTerminal, signInTerminal } from "../../src/people/terminal-sign-ins.ts";
import { createOwnToken } from "../../src/people/tokens.ts";
import { resetPassword } from "../../src/people/users.ts";
import { hashOfToken } from "../../src/auth/api-tokens.ts";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import { AppError } from "../../src/kernel/errors.ts";
import * as users from "../../src/storage/people/users.ts";
import { PASSWORD, testApp, type TestApp } from "../support/app.ts";

const CLIENT = { address: "192.0.2.7", userAgent: null };
const NEW = "a third long password";

const codeOf = (done: Promise<unknown>): Promise<string> =>
  done.then(
    () => "let in",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

const known = (app: TestApp) => app.db.read(() => users.getKnown(app.bob.id));

/** What Bob's request does after it was authenticated. */
const WAYS: [string, (app: TestApp) => Promise<() => Promise<unknown>>][] = [
  [
    "a sign-in",
    async (app) => {
      const bob = await known(app);
      return () => app.auth.startSession(bob, CLIENT);
    },
  ],
  [
    "a sign-in by somebody who vouches",
    async (app) => {
      const bob = await known(app);
      return () => app.auth.startVouched(bob, CLIENT, { voucher: "provider", name: "Club", provedAt: 0 });
    },
  ],
  [
    "a sign-in that waits for the second factor",
    async (app) => {
      const bob = await known(app);
      const order = { user: app.bob, purpose: "sign_in" as const, sessionId: null };
      return () => createChallenge(app, order, () => users.assertStillKnown(bob));
    },
  ],
  [
    "a token",
    async (app) => {
      const caller = await app.callerOf(app.bob);
      return () => createOwnToken(app, caller, { name: "late", scope: "write" }, CLIENT);
    },
  ],
  [
    "a terminal that is let in",
    async (app) => {
      const caller = await app.callerOf(app.bob);
      const order = { terminal: hashOfToken("mine"), name: "late", scope: "write" as const };
      return () => allowTerminal(app, caller, order);
    },
  ],
  [
    "a terminal that comes in",
    async (app) => {
      const order = { terminal: hashOfToken("mine"), name: "late", scope: "write" as const };
      const code = await allowTerminal(app, await app.callerOf(app.bob), order);
      return () => signInTerminal(app, { code, verifier: "mine" }, CLIENT);
    },
  ],
];

// Defence: permissions are checked again in the transaction that writes
describe("after a password change, with the old password, nothing comes of", () => {
  test.each(WAYS)("%s that was already running", async (_, begun) => {
    const [app, undisturbed] = [await testApp(), await testApp()];
    expect(await codeOf((await begun(undisturbed))())).toBe("let in");
    const goOn = await begun(app);

    await resetPassword(app, OPERATOR, app.bob.id, NEW);

    expect(await codeOf(goOn())).toBe("unauthenticated");
  });

  test("another change or a deletion", async () => {
    const app = await testApp();
    const caller = await app.callerOf(app.bob);
    let reset: Promise<unknown> | null = null;
    /** Changes the user immediately after the old password was checked. */
    const auth = Object.assign(Object.create(app.auth) as typeof app.auth, {
      async assertPassword(...words: Parameters<typeof app.auth.assertPassword>) {
        await app.auth.assertPassword(...words);
        reset = resetPassword(app, OPERATOR, app.bob.id, NEW);
        await reset;
      },
    });

    const change = changePassword({ ...app, auth }, caller, { current: PASSWORD, next: "the attacker's own" }, CLIENT);

    expect(await codeOf(change)).toBe("unauthenticated");
    expect(await codeOf(app.auth.signIn("bob", NEW, CLIENT))).toBe("let in");
    const again = await app.callerOf(app.bob);
    const end = deleteOwnAccount(
      {
        ...app,
        auth: Object.assign(auth, { assertPassword: () => resetPassword(app, OPERATOR, app.bob.id, PASSWORD) }),
      },
      again,
      NEW,
      CLIENT,
    );
    expect(await codeOf(end)).toBe("unauthenticated");
  });

  test("sign-ins sent at the same time with the old password all fail", async () => {
    const app = await testApp();
    const tokens: string[] = [];
    const login = async () => {
      const { status, body } = await app.visitor.post("/api/auth/login", { username: "bob", password: PASSWORD });
      if (status === 200) tokens.push(body.token);
    };
    const before = [login(), login(), login()];
    const reset = resetPassword(app, OPERATOR, app.bob.id, NEW);
    await Promise.all([...before, login(), login(), reset, login()]);

    for (const token of tokens) expect((await app.withBearer(token).get("/api/me")).status).toBe(401);
  });
});
