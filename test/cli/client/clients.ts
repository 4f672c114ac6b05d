import { localClient } from "../../../cli/client/local-client.ts";
import type { Logbook } from "../../../cli/client/logbook.ts";
import { remoteClient } from "../../../cli/client/remote-client.ts";
import { linkTo } from "../../../cli/client/server-link.ts";
import type { User } from "../../../src/domain/people/user.ts";
import { testApp, type TestApp } from "../../support/app.ts";
import { afterTest } from "../../support/cleanup.ts";
import { lotw, said, sync } from "../../support/sync.ts";

export const KINDS = ["of a database here", "of a server"] as const;
export type Kind = (typeof KINDS)[number];

/** Bob's log with an import and a sync that left a record unmatched, and clients of one kind. */
export const aLog = async (kind: Kind) => {
  const app = await testApp();
  await sync(app, app.bob.id, "file", [said("K1AAA", "2026-07-18 01:43"), said("K1AAA", "2026-07-18 01:53")]);
  await sync(app, app.bob.id, "first", [lotw("K1AAA", "2026-07-18 01:48"), lotw("K2BBB", "2026-07-18 02:00")]);
  const server = kind === "of a server" ? await app.server.listen() : null;
  const clientOf = async (user: User): Promise<Logbook> => {
    const client = server === null ? localClient(app, user) : await onServer(app, server, user);
    afterTest(() => client.stop());
    return client;
  };
  return { app, server, clientOf, client: await clientOf(app.bob), api: await app.as(app.bob) };
};

const onServer = async (app: TestApp, server: string, user: User): Promise<Logbook> => {
  const { token } = await app.signIn(user);
  return remoteClient(linkTo({ server, token, insecure: false }), soon);
};

/** Lets other work run. */
export const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
