import { expect, test } from "bun:test";
import { byOwner } from "../../src/logbook/caller.ts";
import { PastLogs } from "../../src/logbook/as-of.ts";
import { Awards } from "../../src/awards/book.ts";
import { formatCards } from "../../src/domain/awards/card-words.ts";
import { cards } from "../../src/logbook/awards.ts";
import { lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser, testWorld } from "../support/world.ts";

test("the cards to submit are those that the sponsor accepts and has not granted yet", async () => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");
  const bob = byOwner({ id, username: "bob" });
  await sync(world, id, "file", [
    said("DL1ABC", "2026-07-01 10:00", { DXCC: "230", QSL_RCVD: "Y" }),
    said("F5XYZ", "2026-07-02 10:00", { DXCC: "227" }),
    said("EA1AAA", "2026-07-03 10:00", { DXCC: "281" }),
    said("I1AAA", "2026-07-04 10:00", { DXCC: "248", QSL_RCVD: "Y", CREDIT_GRANTED: "DXCC:CARD" }),
  ]);
  await sync(world, id, "first", [lotw("F5XYZ", "2026-07-02 10:00", { DXCC: "227" })]);
  await sync(world, id, "second", [qrz(3, "EA1AAA", "2026-07-03 10:00", { DXCC: "281", APP_QRZLOG_STATUS: "C" })]);

  const document = await cards({ ...world, awards: new Awards(world), pasts: new PastLogs(world) }, bob, "dxcc");

  expect(document.cards.map(({ slot, call, by }) => [slot, call, by])).toEqual([
    ["France", "F5XYZ", "first"],
    ["Germany", "DL1ABC", "card"],
  ]);
  expect(formatCards("csv", document).text).toBe(
    "slot,call,date,time,band,mode,stationCallsign,confirmedBy,id\r\n" +
      "France,F5XYZ,2026-07-02,10:00,20m,FT8,YU1TEST,LoTW,2\r\n" +
      "Germany,DL1ABC,2026-07-01,10:00,20m,FT8,YU1TEST,card,1\r\n",
  );
  expect(formatCards("text", document).text).toStartWith("DXCC: 2 to submit\nFrance   F5XYZ");
  expect(() => formatCards("pdf", document)).toThrow();
});
