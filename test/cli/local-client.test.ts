import { expect, test } from "bun:test";
import { localClient } from "../../cli/client/local-client.ts";
import { read } from "../adif/reading.ts";
import { aUser, testWorld } from "../support/world.ts";

const CONTACT = { call: "K1ABC", startedAt: "2026-08-01 10:00", band: "20m", mode: "FT8", stationCallsign: "YU1X" };

test("the client of a database here answers with the interface's documents, of its user alone", async () => {
  const world = await testWorld();
  const [bob, eve] = [await aUser(world, "bob"), await aUser(world, "eve")].map((user) => localClient(world, user));

  const added = await bob!.addQso(CONTACT);
  await bob!.addQso({ ...CONTACT, mode: "CW", stationCallsign: "YU1X/P" });
  const edited = await bob!.editQso(added.id, { name: "Ann" });

  expect(edited).toEqual({ ...added, name: "Ann", own: expect.anything() });
  expect(await bob!.qso(added.id)).toEqual(edited);
  expect(await bob!.qsos({ mode: "FT8" })).toEqual({ qsos: [edited], total: 1, nextCursor: null });
  expect(await bob!.stats()).toMatchObject({ total: 2, callsigns: 1 });
  expect(await bob!.stats("yu1x/p")).toMatchObject({ total: 1, byMode: [{ mode: "CW", total: 1, confirmed: 0 }] });
  const pieces = await Array.fromAsync(bob!.exportAdif({ mode: "CW" }));
  expect(read(pieces.join("")).records).toMatchObject([{ fields: { CALL: "K1ABC", MODE: "CW" } }]);
  expect(await eve!.qsos({})).toEqual({ qsos: [], total: 0, nextCursor: null });
  expect(eve!.deleteQso(added.id)).rejects.toThrow("no such QSO");
  await bob!.deleteQso(added.id);
  expect(await bob!.qsos({})).toMatchObject({ total: 1 });
});
