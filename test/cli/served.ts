import { createApp } from "../../src/app.ts";
import { createToken } from "../../src/people/tokens.ts";
import { createServer } from "../../src/server/server.ts";
import type { TokenScope } from "../../src/storage/people/api-tokens.ts";
import { afterTest } from "../support/cleanup.ts";
import type { CommandLine } from "./services.ts";

/** A real server on the database of a command line, with access to Bob's log. */
export const served = async ({ world, bob }: CommandLine, { scope = "write" as TokenScope, basePath = "" } = {}) => {
  const live = { ...world, clock: Date.now, config: { ...world.config, port: 0 } };
  if (basePath !== "") live.config.baseUrl = `http://127.0.0.1${basePath}`;
  const app = createApp(live);
  const server = createServer(app);
  afterTest(async () => {
    await Promise.all([app.stop(), server.stop()]);
    await app.settle();
  });
  const url = `${await server.listen()}${basePath}`;
  const { token } = await createToken(live, bob.id, { name: "test", scope });
  return { app, url, token, env: { QSOLOG_SERVER: url, QSOLOG_TOKEN: token } };
};
