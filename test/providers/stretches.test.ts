import { expect, test } from "bun:test";
import { readReport } from "../../src/providers/first-report.ts";
import { readReply } from "../../src/providers/second-reply.ts";
import { BLOCK, spooled, type Spool } from "../../src/providers/spool.ts";
import { aDirectory } from "../support/directory.ts";
import { testRandom } from "../support/world.ts";

const RECORDS = 20_000;
const BEGAN = "ARRL Logbook of the World Status Report\nQSOs since: 1945-11-15 00:00:00 (user supplied)\n";

/** Each look at the clock finds that five milliseconds have passed. */
const aSlowClock = () => {
  const time = { now: 0, turns: 0 };
  return {
    ticks: () => (time.now += 5),
    turn: async () => void (time.turns += 1),
    get turns() {
      return time.turns;
    },
  };
};

/** All of an answer may be there before it is read. */
const turnsOver = async (
  text: string,
  read: (time: ReturnType<typeof aSlowClock>, bytes: AsyncIterable<Uint8Array>, spool: Spool) => Promise<unknown>,
): Promise<number> => {
  const time = aSlowClock();
  const bytes = (async function* () {
    for (let at = 0; at < text.length; at += BLOCK) yield Buffer.from(text.slice(at, at + BLOCK));
  })();
  const { spool } = await spooled({ spoolDir: aDirectory(), random: testRandom() }, (filling) =>
    read(time, bytes, filling),
  );
  spool.remove();
  return time.turns;
};

test("others have their turns while a report of LoTW that came at once is read", async () => {
  const record = "<CALL:5>K1ABC<QSO_DATE:8>20260718<TIME_ON:4>2014<EOR>\n";
  const header = `${BEGAN}<PROGRAMID:4>LoTW<APP_LOTW_LASTQSORX:19>2026-07-18 00:00:00<APP_LOTW_NUMREC:5>${RECORDS}<EOH>\n`;
  const expected = { since: "1945-11-15", newestField: "APP_LOTW_LASTQSORX" as const, askedAt: Date.UTC(2026, 7, 1) };

  const turns = await turnsOver(`${header}${record.repeat(RECORDS)}<APP_LOTW_EOF>`, (time, bytes, spool) =>
    readReport(time, bytes, spool, expected),
  );

  expect(turns).toBeGreaterThan(100);
});

test("others have their turns while a reply of QRZ that came at once is read", async () => {
  const record = "&lt;CALL:5&gt;K1ABC&lt;QSO_DATE:8&gt;20260718&lt;TIME_ON:4&gt;2014&lt;EOR&gt;\n";

  const turns = await turnsOver(`RESULT=OK&COUNT=${RECORDS}&ADIF=${record.repeat(RECORDS)}`, (time, bytes, spool) =>
    readReply(time, bytes, spool, 0),
  );

  expect(turns).toBeGreaterThan(100);
});
