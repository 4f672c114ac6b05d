import { expect, setDefaultTimeout, test } from "bun:test";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { served } from "../cli/served.ts";
import { aLogbook, aTui } from "./tui.ts";

setDefaultTimeout(120_000);

test("the screens show a log on a server, start syncs there, and leave them running at exit", async () => {
  const line = await aLogbook();
  const { url, env } = await served(line);
  line.first.fail({ kind: "stall", at: 100 });
  const { sees, type, exited, screen } = aTui(line, env);

  await sees(`bob at ${new URL(url).host}`);
  await sees("4 QSOs");
  type("2");
  await sees("DL1ABC");
  type("3");
  await sees("DXCC");
  type("\r");
  await sees("Germany");
  type("s1");
  await sees("It runs on the server.");
  type("1");
  await sees("s sync   r reload");
  type("q");

  expect([await exited, screen().includes("Leave?")]).toEqual([0, false]);
  const [job] = await line.world.db.read(() => syncJobs.list({ userId: line.bob.id, limit: 1 }));
  expect(job).toMatchObject({ source: "first", trigger: "manual", error: null });
});
