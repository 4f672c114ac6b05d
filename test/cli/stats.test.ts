import { describe, expect, test } from "bun:test";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import { computeForUser } from "../../src/storage/log/statistics.ts";
import * as users from "../../src/storage/people/users.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { storeLog } from "../support/log-generator.ts";
import { aShellWithUsers, PASSWORD } from "../support/qsolog.ts";

/** A shell whose data directory has these users with this many contacts each. */
const aShellWith = async (logs: Record<string, number>) => {
  const qsolog = await aShellWithUsers(...Object.keys(logs).map((username) => ({ username, callsign: "yu1test" })));
  const db = await openDatabase(await qsolog.databaseUrl(), { time: SYSTEM_TIME });
  for (const [name, contacts] of Object.entries(logs)) {
    const { id } = await db.read(() => users.getByName(name));
    await storeLog(db, id, { contacts });
  }
  const statisticsOf = async (name: string, station?: string) => {
    const { id } = await db.read(() => users.getByName(name));
    return db.read(() => computeForUser(id, { stations: station === undefined ? null : [station] }));
  };
  return { qsolog, statisticsOf, close: () => db.close() };
};

describe("qsolog stats", () => {
  test("prints the totals and each list, within the width of the terminal", async () => {
    const { qsolog, close } = await aShellWith({ ann: 1_200 });

    const { code, out, err } = await qsolog(["stats"]);

    await close();
    expect([code, err]).toEqual([0, ""]);
    const lines = out.split("\n");
    expect(lines[0]).toBe("YU1TEST (ann)");
    expect(lines[1]).toMatch(/^1,200 QSOs from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d \(UTC\)$/);
    expect(lines[2]).toMatch(/^\d+ callsigns, \d+ entities, \d+ bands, \d+ modes$/);
    expect(lines.filter((line) => /^[A-Z]+ +QSOS/.test(line)).map((line) => line.split(" ")[0])).toEqual([
      "CONFIRMED",
      "BAND",
      "MODE",
      "GROUP",
      "YEAR",
    ]);
    expect(out).toMatch(/^by LoTW +\d+ +\d+ %$/m);
    expect(out).toMatch(/^20m +\d+ +\d+ +\d+ %$/m);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("prints the document of the API with --json, for the whole log or one callsign", async () => {
    const { qsolog, statisticsOf, close } = await aShellWith({ ann: 200, bob: 50 });

    const whole = await qsolog(["stats", "--user", "ANN", "--json"]);
    const away = await qsolog(["stats", "--user", "ann", "--station", "yu1test/p", "--json"]);

    expect(JSON.parse(whole.out)).toEqual(await statisticsOf("ann"));
    expect(JSON.parse(away.out)).toEqual(await statisticsOf("ann", "YU1TEST/P"));
    await close();
  });

  test("has the callsigns with contacts in its title, and names those without", async () => {
    const { qsolog, close } = await aShellWith({ ann: 200 });

    const { out } = await qsolog(["stats", "--station", "yu9none,yu1test/p"]);

    await close();
    expect(out).toStartWith("You made no contacts as YU9NONE.\n\nYU1TEST as YU1TEST/P (ann)\n");
  });

  test("shows the log of the only user, of the one in the environment, or asks for a user", async () => {
    const { qsolog, close } = await aShellWith({ ann: 0 });
    const only = await qsolog(["stats"]);
    await qsolog(["user", "create", "bob", "--password-stdin"], { stdin: PASSWORD });

    const [unsaid, said, unknown] = await Promise.all([
      qsolog(["stats"]),
      qsolog(["stats"], { env: { QSOLOG_USER: "bob" } }),
      qsolog(["stats", "--user", "eve"]),
    ]);

    await close();
    expect(only).toEqual({ code: 0, out: "YU1TEST (ann)\nNo QSOs.\n", err: "" });
    expect([unsaid.code, unsaid.out]).toEqual([2, ""]);
    expect(unsaid.err).toContain("several users");
    expect(said).toEqual({ code: 0, out: "(bob)\nNo QSOs.\n", err: "" });
    expect(unknown).toEqual({ code: 5, out: "", err: "qsolog: There is no user eve.\n" });
  });
});
