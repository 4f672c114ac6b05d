import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as identities from "../../src/storage/people/identities.ts";
import * as leftovers from "../../src/storage/log/leftovers.ts";
import * as sessions from "../../src/storage/people/sessions.ts";
import { byOwner } from "../../src/logbook/caller.ts";
import { addTarget } from "../../src/logbook/notices.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { createToken } from "../../src/people/tokens.ts";
import { makePasswordLink } from "../../src/people/password-links.ts";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import type { User } from "../../src/domain/people/user.ts";
import { createChallenge, sealTotp } from "../../src/auth/factors/factors.ts";
import { sealKey } from "../../src/auth/factors/passkeys.ts";
import { hashOfToken } from "../../src/auth/api-tokens.ts";
import { allowTerminal } from "../../src/people/terminal-sign-ins.ts";
import * as passkeys from "../../src/storage/people/passkeys.ts";
import * as totpSecrets from "../../src/storage/people/totp-secrets.ts";
import { anApp, codeAt } from "../support/factors.ts";
import { CREDENTIALS, testApp, type TestApp } from "../support/app.ts";
import { logOf, lotw, said, sync } from "../support/sync.ts";
import { aDirectory } from "../support/directory.ts";
import { aUser, ENGINE, testRandom, testWorld } from "../support/world.ts";
import { secretFile } from "../../src/world.ts";

/** A server in use: Bob has jobs of every kind, a token and a second session; there is a second administrator. */
export interface Seed {
  app: TestApp;
  amy: User;
  /** Failed, with changes and a leftover. */
  failedJob: number;
  importJob: number;
  leftoverId: number;
  qsoId: number;
  tokenId: number;
  /** Nobody answers there. */
  targetId: number;
  sessionId: string;
  /** Bob's account elsewhere. */
  identityId: number;
  /** Of a link that sets Bob's password. */
  linkToken: string;
  /** Of a sign-in of Bob's that waits for the second factor, and a recovery code that answers it. */
  challenge: string;
  recoveryCode: string;
  /** Of the app that each of them is setting up. */
  appCode: string;
  passkeyId: number;
  /** Lets a terminal of Bob's in. */
  terminalCode: string;
}

const APP_KEY = "A4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYH";

/** Everybody has an authenticator app and sets up another. */
const giveApps = async (app: TestApp, everybody: readonly User[]): Promise<string[]> => {
  const codes: string[] = [];
  for (const user of everybody) {
    codes.push(...(await anApp(app, user)).recoveryCodes.slice(0, 1));
    await app.db.write(() => totpSecrets.begin(user.id, sealTotp(app.vault, user.id, APP_KEY), app.clock()));
  }
  return codes;
};

/** The server never saw it used. */
const givePasskey = (app: TestApp, userId: number): Promise<number> => {
  const passkey = { userId, credentialId: "AAAA" };
  const sealed = sealKey(app.vault, passkey, "AAAA");
  return app.db.write(function* () {
    return (yield* passkeys.add({ ...passkey, sealed, transports: [], counter: 0, name: "phone" }, app.clock()))!.id;
  });
};

const ENV = { QSOLOG_PORT: "0", QSOLOG_REGISTRATION: "open" };

/** Such a server, of which the embedded engine is given copies: to copy one takes a fifth of the time to make it. */
export const aServerInUse = async (): Promise<Seed> => {
  if (ENGINE === "postgres") return theFirst();
  const { database, secret, seed } = await (kept ??= theFirst().then(keep));
  const world = await testWorld({ env: ENV, copyOf: database });
  writeFileSync(secretFile(world.config), secret, { mode: 0o600 });
  return { ...seed, app: await testApp({ world: { ...world, random: testRandom(2) } }) };
};

interface Kept {
  database: Uint8Array;
  secret: Uint8Array;
  seed: Seed;
}

let kept: Promise<Kept> | null = null;

const keep = async (seed: Seed): Promise<Kept> => {
  const { app } = seed;
  await app.lastSeen.flush();
  const copy = join(aDirectory(), "copy.db");
  await app.db.copyTo(copy);
  return { database: readFileSync(copy), secret: readFileSync(secretFile(app.config)), seed };
};

const theFirst = async (): Promise<Seed> => {
  const app = await testApp({ env: ENV });
  const { ann, bob, eve } = app;
  for (const user of [ann, bob, eve]) await setCredentials(app, user.id, "first", CREDENTIALS.first);
  const at = "2026-07-01 10:00";
  const imported = await sync(app, bob.id, "file", [said("K1ABC", at), said("K2DEF", at)]);
  const failed = await sync(app, bob.id, "first", [lotw("K1ABC", at), lotw("W9NEW", at), lotw("K9BAD", "nonsense")], {
    failure: new Error("connection lost"),
  });
  const [first] = await logOf(app, bob.id);
  const [leftover] = (await app.db.read(() => leftovers.list(failed.id, { limit: 1 }))).rows;
  const token = await createToken(app, bob.id, { name: "logger", scope: "read" });
  const [recoveryCode] = await giveApps(app, [bob, eve, ann]);
  const passkeyId = await givePasskey(app, bob.id);
  const { challenge } = await createChallenge(app, { user: bob, purpose: "sign_in", sessionId: null });
  const target = await addTarget(app, byOwner(bob), {
    kind: "webhook",
    url: "https://hooks.example.org/x",
    events: ["sync_failed"],
  });
  await app.signIn(bob);
  await app.db.write(() => identities.add(bob.id, { issuer: "https://auth.example.org", subject: "1" }, "bob", 0));
  const [identity] = await app.db.read(() => identities.listOf(bob.id));
  const [session] = await app.db.read(() => sessions.listOf(bob.id));
  return {
    app,
    amy: await aUser(app, "amy", "admin"),
    failedJob: failed.id,
    importJob: imported.id,
    leftoverId: leftover!.id,
    qsoId: first!.id,
    tokenId: token.id,
    targetId: target.id,
    sessionId: session!.id,
    identityId: identity!.id,
    linkToken: (await makePasswordLink(app, OPERATOR, bob.id)).token,
    challenge,
    recoveryCode: recoveryCode!,
    appCode: codeAt(APP_KEY, app.clock()),
    passkeyId,
    terminalCode: await allowTerminal(app, await app.callerOf(bob), {
      terminal: hashOfToken("of the terminal"),
      name: "qsolog on shack",
      scope: "read",
    }),
  };
};
