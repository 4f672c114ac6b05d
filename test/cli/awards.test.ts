import { expect, test } from "bun:test";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import { addMany, type Snapshot } from "../../src/storage/log/qsos.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { run, type Unit } from "../../src/storage/engine/unit.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { byFirst, bySecond, worked } from "../awards/logs.ts";
import { inTerminal } from "../support/pseudo-terminal.ts";
import { aShellWithUsers, cleanEnvironment, QSOLOG } from "../support/qsolog.ts";
import { NOON } from "../support/world.ts";

const GRIDS = Array.from({ length: 13 }, (_, index) => `QF${index + 10}`);

const germany = { call: "DL1ABC", dxcc: 230, state: "", grid: "" };
const iowa = { call: "K0XYZ", state: "IA", grid: "" };

const aShellWithALog = async (more: readonly Snapshot[] = []) => {
  const qsolog = await aShellWithUsers({ username: "bob" });
  const db = await openDatabase(await qsolog.databaseUrl(), { time: SYSTEM_TIME });
  const log = [
    byFirst(iowa),
    bySecond({ ...germany, band: "40m" }),
    worked({ ...iowa, state: "OH", band: "6m" }),
    ...more,
  ];
  await db.write(() => addMany(1, log));
  await db.close();
  return qsolog;
};

test("with several station locations, awards names the one in use and the others, and another can be chosen", async () => {
  const home = { MY_DXCC: "291" };
  const qsolog = await aShellWithALog([
    worked({ ...germany, call: "F5ABC", dxcc: 227, fields: home }),
    worked({ ...germany, call: "F6ABC", dxcc: 227, fields: home }),
    byFirst({ ...germany, call: "JA1ABC", dxcc: 339, fields: { MY_DXCC: "110" } }),
  ]);
  const first = async (...words: string[]) => (await qsolog(["awards", ...words])).out.split("\n")[0];

  const usual = "Made from United States: 5 QSOs. Also from Hawaii 1 (--location 110).";
  expect(await first()).toBe(usual);
  expect(await first("dxcc")).toBe(usual);
  expect(await first("dxcc", "--location", "110")).toBe(
    "Made from Hawaii: 1 QSO. Also from United States 5 (--location 291).",
  );
  expect((await qsolog(["awards", "dxcc", "--location", "110"])).out).toContain("DXCC: 1 entity worked, 1 confirmed");
  expect(await qsolog(["awards", "--location", "230"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("Choose one of: 291 (United States, 5), 110 (Hawaii, 1)"),
  });
});

test("awards shows an overview, one award as a matrix and for a band, and what it needs", async () => {
  const qsolog = await aShellWithALog();
  const lines = async (...words: string[]) => {
    const { code, out, err } = await qsolog(["awards", ...words]);
    expect([code, err]).toEqual([0, ""]);
    return out.split("\n").map((line) => line.replaceAll(/ {2,}/g, "  "));
  };

  const overview = await lines();
  expect(overview[0]).toBe("AWARD  COUNTS  WORKED  CONF  LOTW  QRZ  CARD  GOAL  NEXT");
  expect(overview[1]).toBe("DXCC  entities  2  1  1  1  0  100  100");
  expect(overview.at(-2)).toStartWith("One award: qsolog awards ID, with dxcc, dxcc-challenge, ");

  const matrix = await lines("DXCC");
  expect(matrix[0]).toBe("DXCC: 2 entities worked, 1 confirmed (ARRL accepts LoTW and card), 0 credited.");
  expect(matrix).toContain("  MIX  40  20  6");
  expect(matrix).toContain("Germany  W  W  ·  ·");
  expect(matrix).toContain("United States  C  ·  C  W");
  expect(matrix).toContain("confirmed  1  0  1  0");

  expect(await lines("dxcc", "--band", "40m", "--by", "any")).toContain("C  230  Germany  40m  QRZ  2");

  const needed = await lines("was", "needed", "--group", "cw", "--by", "LoTW");
  expect(needed).toContain("OH  Ohio  cw  3");
  expect(needed).toContain("Never worked: 48");
});

test("awards --json prints the document of the API", async () => {
  const qsolog = await aShellWithALog();
  const json = async (...words: string[]) => JSON.parse((await qsolog(["awards", ...words, "--json"])).out);

  expect((await json()).awards[0]).toMatchObject({
    id: "dxcc",
    worked: 2,
    confirmedBy: { first: 1, second: 1, any: 2 },
  });
  expect((await json("dxcc", "--band", "20m")).slots).toEqual([
    {
      key: 291,
      label: "United States",
      band: "20m",
      group: null,
      worked: true,
      confirmed: true,
      confirmedBy: { first: true, second: false, card: false, any: true },
      credited: false,
      qsoId: 1,
    },
  ]);
  expect((await json("dxcc", "needed")).notConfirmed).toMatchObject([
    { key: 230, confirmedElsewhere: ["second"], qsoId: 2 },
  ]);
});

test("invalid options are refused with a message and a code", async () => {
  const qsolog = await aShellWithALog();
  const refused = async (...words: string[]) => (await qsolog(words)).code;

  expect(await refused("awards", "waja")).toBe(5);
  expect(await refused("awards", "dxcc", "wanted")).toBe(2);
  expect(await refused("awards", "dxcc", "--band", "21m")).toBe(2);
  expect(await refused("awards", "--band", "20m")).toBe(2);
  expect(await refused("awards", "--user", "eve")).toBe(5);
  expect(await refused("news", "--since", "soon")).toBe(2);
});

test("the matrix always has letters, and colours if the terminal supports them", async () => {
  const qsolog = await aShellWithALog();
  const command = [...QSOLOG, "awards", "dxcc"];
  const show = async (env: Record<string, string>) => {
    const screen = inTerminal(command, cleanEnvironment({ ...(await qsolog.place()), ...env }));
    await screen.exited;
    return screen.text();
  };

  expect(await show({})).toMatch(/Germany +\x1b\[33mW\x1b\[0m +\x1b\[33mW\x1b\[0m +\x1b\[2m·\x1b\[0m/);
  expect(await show({ NO_COLOR: "1" })).toMatch(/Germany +W +W +· +·/);
});

test("news of a job are listed by name, or counted if there are too many", async () => {
  const qsolog = await aShellWithALog();
  const db = await openDatabase(await qsolog.databaseUrl(), { time: SYSTEM_TIME });
  const nowhere = { entities: [], bands: [], states: [], zones: [], grids: [] };
  const gains = { worked: { ...nowhere, entities: [150], zones: [30], grids: GRIDS }, confirmed: nowhere };
  await db.write(function* (): Unit<void> {
    const { id } = yield* syncJobs.create({ userId: 1, source: "file", trigger: "cli" }, NOON);
    yield* run`INSERT INTO workers (id, host, pid, started_at, beat_at) VALUES ('w', 'here', 1, ${NOON}, ${NOON})`;
    yield* syncJobs.claim(id, "w", null, NOON);
    yield* syncJobs.complete(id, null, gains, NOON);
  });
  await db.close();

  const { out } = await qsolog(["news", "--since", "2026-01-01"]);
  const { jobs } = JSON.parse((await qsolog(["news", "--since", "2026-01-01", "--json"])).out);

  expect(out).toContain("  newly worked: 13 grid squares (their names: --json)\n  newly worked entity: Australia\n");
  expect(out).toContain("newly worked zone: 30");
  expect(jobs).toMatchObject([
    { source: "file", worked: { entities: [{ key: 150, label: "Australia" }], zones: [30], grids: GRIDS } },
  ]);
  expect((await qsolog(["news", "--since", "2099-01-01"])).out).toStartWith("Nothing new since 2099-01-01");
});
