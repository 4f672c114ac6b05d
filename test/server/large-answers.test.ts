import { describe, expect, test } from "bun:test";
import { writeHeader, writeRecord } from "../../src/adif/writer.ts";
import { testApp, type TestApp } from "../support/app.ts";

const MAX_ANSWER_BYTES = 8_000_000;
const COUNT = 12;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

const record = (n: number, more = {}) =>
  writeRecord({
    fields: {
      CALL: `K1${LETTERS[n % 26]}`,
      QSO_DATE: "20260801",
      TIME_ON: `12${String(n).padStart(2, "0")}00`,
      BAND: "20m",
      MODE: "CW",
      ...Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`APP_X_${at}`, "A".repeat(60_000)])),
      ...more,
    },
  });

/** A log of contacts of almost a megabyte, and as many records that could not be read. */
const aLargeLog = async () => {
  const app = await testApp();
  const bob = await app.as(app.bob);
  const file = [...Array(COUNT).keys()].flatMap((n) => [record(n), record(n, { CALL: "" })]);
  const { body } = await bob.send("POST", "/api/qsos/import", {
    body: writeHeader({ programVersion: "1", createdAt: 0 }) + file.join(""),
    headers: { "content-type": "text/x-adif" },
  });
  await app.underWay.idle();
  return { app, bob: await app.withToken(app.bob, "read"), jobId: body.job.id as number };
};

// Defence: an answer has at most 8 MB, and its cursor still reaches every row
test("answers with large rows stay small, and cursors reach every row once", async () => {
  const { bob, jobId } = await aLargeLog();
  const lists = [
    ["qsos", "/api/qsos?limit=500"],
    ["qsos", "/api/qsos?limit=500&sort=call"],
    ["changes", `/api/jobs/${jobId}/changes?limit=500`],
    ["leftovers", `/api/jobs/${jobId}/leftovers?limit=500`],
  ] as const;
  for (const [rows, path] of lists) {
    const seen: number[] = [];
    for (let cursor = ""; ;) {
      const { text, body, status } = await bob.get(path + cursor);
      expect(status).toBe(200);
      expect(text.length).toBeLessThan(MAX_ANSWER_BYTES);
      seen.push(...body[rows].map(({ id }: { id: number }) => id));
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect([path, seen.length, new Set(seen).size]).toEqual([path, COUNT, COUNT]);
  }

  const first = (await bob.get("/api/qsos?limit=500")).body;
  const second = (await bob.get(`/api/qsos?limit=500&cursor=${first.nextCursor}`)).body;
  expect((await bob.get(`/api/qsos?limit=500&before=${second.previousCursor}`)).body.qsos).toEqual(first.qsos);
  expect((await bob.get("/api/qsos/export")).text.match(/<CALL:3>/g)).toHaveLength(COUNT);
}, 60_000);

describe("columns of an export", () => {
  const get = async (app: TestApp, columns: string[]) =>
    (await app.as(app.bob)).get(`/api/qsos/export?format=csv&columns=${columns.join(",")}`);
  const names = (count: number) => Array.from({ length: count }, (_, n) => `APP_X_${n}`);

  test.each([
    ["one twice", ["call", "call"], "twice"],
    ["one twice, apart", ["call", "name", "call"], "twice"],
    ["201", names(201), "at most 200"],
  ])("%s are refused", async (_, columns, reason) => {
    const { status, body } = await get(await testApp(), columns);
    expect([status, body.error.fields[0].path]).toEqual([400, "columns"]);
    expect(body.error.message).toContain(reason);
  });

  test("200 are written", async () => {
    expect((await get(await testApp(), names(200))).status).toBe(200);
  });
});
