import { describe, expect, test } from "bun:test";
import { logOf, said, sync } from "../support/sync.ts";
import { served } from "./served.ts";
import { aCommandLine } from "./services.ts";

const aLog = async () => {
  const line = await aCommandLine();
  await sync(line.world, line.bob.id, "file", [
    said("K1AAA", "2026-07-18 01:43", { STATION_CALLSIGN: "YU1OLD" }),
    said("K2BBB", "2026-07-18 02:43", { STATION_CALLSIGN: "YU1OLD" }),
    said("K3CCC", "2026-07-18 03:43", { GRIDSQUARE: "FN42" }),
  ]);
  return line;
};

const SET = ["repair", "--filter", "station=YU1OLD", "--set", "station=yu1new", "--set", "own-grid=kn04"];

describe.each(["here", "on a server"])("qsolog repair %s", (where) => {
  const aShell = async () => {
    const line = await aLog();
    const { env } = where === "here" ? { env: {} } : await served(line);
    return { ...line, ask: (words: string[]) => line.qsolog(words, { env }) };
  };

  test("shows what would change, changes it, and says how to undo it", async () => {
    const { world, bob, ask } = await aShell();
    const before = await logOf(world, bob.id);

    const tried = await ask([...SET, "--dry-run"]);
    expect(tried.out).toStartWith("This would change:\n2 contacts will change.\n");
    expect(tried.out).toContain("K1AAA 2026-07-18 01:43: station callsign YU1OLD → YU1NEW");
    expect(await logOf(world, bob.id)).toEqual(before);
    const done = await ask([...SET, "--yes"]);

    expect(done).toMatchObject({
      code: 0,
      out: "2 records: 0 added, 2 changed, 0 already known, 0 unmatched, 0 rejected; 0 newly confirmed.\nTo undo it: qsolog rollback 2 --undo\n",
    });
    expect((await ask(["qso", "list", "--station", "YU1NEW", "--json"])).out).toContain('"total":2');
    expect((await ask(["jobs", "show", "2", "--diff"])).out).toContain("YU1OLD -> YU1NEW");
    expect(await ask(["rollback", "2", "--undo", "--yes"])).toMatchObject({ code: 0 });
    expect(await logOf(world, bob.id)).toEqual(before);
  });

  test("refuses invalid options before anything changes", async () => {
    const { ask } = await aShell();

    expect(await ask(["repair", "--delete"])).toMatchObject({ code: 2 });
    expect((await ask(["repair", "--filter", "colour=red", "--delete"])).err).toContain(
      'There is no filter "colour". Use one of ',
    );
    expect((await ask(["repair", "--all", "--shift", "5", "--yes"])).err).toContain("is not a time shift");
    expect((await ask(["repair", "--all", "--set", "band=21m", "--yes"])).err).toContain('"21m" is not');
    expect((await ask(["repair", "--all", "--clear", "call", "--yes"])).err).toContain("You cannot clear");
    expect((await ask(["jobs", "list"])).out).not.toContain("Bulk edit");
  });
});
