import { expect, setDefaultTimeout, test } from "bun:test";
import { DAY } from "../../src/kernel/clock.ts";
import { formatIsoDate } from "../../src/kernel/instant.ts";
import { isFull } from "../support/full.ts";
import { aWorldWithLargeLogs } from "../support/large-logs.ts";
import { storeLog } from "../support/log-generator.ts";
import { said, sync } from "../support/sync.ts";
import { aCommandLine } from "./services.ts";

setDefaultTimeout(120_000);

const READING = "Reading your log";
const IS_FULL = isFull(import.meta);

const aLine = async (createWorld?: typeof aWorldWithLargeLogs) => {
  const line = await aCommandLine(createWorld);
  await sync(line.world, line.bob.id, "file", [said("K1ABC", "2026-07-01 10:00")]);
  return line;
};

test("a command that reads a large log shows its progress on a terminal, then only its answer", async () => {
  const line = await aLine(aWorldWithLargeLogs);

  const terminal = line.inTerminal(["duplicates", "list", "--user", "bob"]);
  await terminal.shows(`] ${READING}`);
  expect(await terminal.shows("No duplicates found.")).toEndWith("\r\x1b[K");
  expect(await terminal.exited).toBe(0);

  const day = formatIsoDate(line.world.clock() + DAY);
  const commands = [
    ["reconcile", "show"],
    ["duplicates", "list"],
    ["duplicates", "merge", "--kind", "seconds", "--dry-run"],
    ["rollback", "1", "--undo", "--dry-run"],
    ["repair", "--filter", "band=20m", "--set", "qth=Nis", "--dry-run"],
    ["stats", "--as-of", day],
  ];
  // The last ones take five seconds of processor time each.
  for (const [index, words] of (IS_FULL ? commands : commands.slice(0, 3)).entries()) {
    const own = [...words, "--user", "bob"];
    const { code, err, over } = await line.qsolog(own, { errIsTerminal: true });
    expect([own, code, err, over.at(-1)]).toEqual([own, 0, expect.any(String), ""]);
    expect(over.join(), own.join(" ")).toContain(`] ${READING}`);
    if (!IS_FULL && index > 0) continue;
    expect((await line.qsolog([...own, "--json"], { errIsTerminal: true })).over, own.join(" ")).toEqual([]);
  }
  const piped = await line.asProcess(["reconcile", "show", "--user", "bob"]);
  expect([piped.code, piped.err]).toEqual([0, ""]);
});

test("an export into a file shows its progress on a terminal", async () => {
  const line = await aLine();
  await storeLog(line.world.db, line.bob.id, { contacts: 600 });
  const file = `${line.world.dataDir}/log.adi`;

  const { code, over } = await line.qsolog(["qso", "export", file, "--user", "bob"], { errIsTerminal: true });

  expect([code, over[0], over.at(-1)]).toEqual([0, expect.stringMatching(/log\.adi: \d.* so far$/), ""]);
});
