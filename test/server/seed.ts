import * as leftovers from "../../src/storage/leftovers.ts";
import * as sessions from "../../src/storage/sessions.ts";
import { addTarget } from "../../src/notices/targets.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { createToken } from "../../src/people/tokens.ts";
import { makePasswordLink } from "../../src/people/password-links.ts";
import { OPERATOR } from "../../src/domain/actor.ts";
import type { User } from "../../src/domain/user.ts";
import { CREDENTIALS, testApp, type TestApp } from "../support/app.ts";
import { logOf, lotw, said, sync } from "../support/sync.ts";
import { aUser } from "../support/world.ts";

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
  /** Of a link that sets Bob's password. */
  linkToken: string;
}

export const aServerInUse = async (): Promise<Seed> => {
  const app = await testApp({ env: { QSOLOG_REGISTRATION: "open" } });
  const { ann, bob, eve } = app;
  for (const user of [ann, bob, eve]) await setCredentials(app, user.id, "first", CREDENTIALS.first);
  const at = "2026-07-01 10:00";
  const imported = await sync(app, bob.id, "file", [said("K1ABC", at), said("K2DEF", at)]);
  const failed = await sync(app, bob.id, "first", [lotw("K1ABC", at), lotw("W9NEW", at), lotw("K9BAD", "nonsense")], {
    failure: new Error("connection lost"),
  });
  const [first] = await logOf(app, bob.id);
  const [leftover] = await app.db.read(() => leftovers.list(failed.id, { limit: 1 }));
  const token = await createToken(app, bob.id, { name: "logger", scope: "read" });
  const target = await addTarget(app, bob.id, {
    kind: "webhook",
    url: "https://hooks.example.org/x",
    events: ["sync_failed"],
  });
  await app.signIn(bob);
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
    linkToken: (await makePasswordLink(app, OPERATOR, bob.id)).token,
  };
};
