import { expect, test } from "bun:test";
import { deriveOutdated } from "../../src/contacts/derive-again.ts";
import { addQso, editQso } from "../../src/contacts/edit.ts";
import { exportRecord } from "../../src/domain/contact/export-record.ts";
import { parseListing } from "../../src/domain/contact/qso-filter.ts";
import { toQsoView } from "../../src/domain/contact/qso-view.ts";
import * as qsoList from "../../src/storage/log/qso-list.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import { run } from "../../src/storage/engine/unit.ts";
import { aUser, testWorld } from "../support/world.ts";
import { facts } from "./log.ts";

const CONTACT = { call: "K1ABC", startedAt: "2026-08-01 10:00", band: "20m", mode: "CW" };

test("a contest can be typed, shown, filtered, exported and cleared", async () => {
  const world = await testWorld();
  const { id: bob } = await aUser(world, "bob");
  const qso = await addQso(world, bob, { ...CONTACT, contestId: "cq-ww-cw" }, facts);
  await addQso(world, bob, { ...CONTACT, call: "K2ABC" }, facts);
  const listed = async (contest: string) => {
    const { qsos: found } = await world.db.read(() => qsoList.list(bob, parseListing({ contest })));
    return found.map(({ call }) => call);
  };

  expect(toQsoView(await world.db.read(() => qsos.get(bob, qso.id)))).toMatchObject({
    contestId: "CQ-WW-CW",
    extra: {},
  });
  expect(await listed("iaru-hf,cq-ww-cw")).toEqual(["K1ABC"]);
  expect(await listed("iaru-hf")).toEqual([]);
  expect(exportRecord(qso).fields.CONTEST_ID).toBe("CQ-WW-CW");
  expect((await editQso(world, bob, qso.id, { contestId: null }, facts)).contestId).toBeNull();
});

test("a contest stored by an older program moves into its column while the server runs", async () => {
  const world = await testWorld();
  const { id: bob } = await aUser(world, "bob");
  const { id } = await addQso(world, bob, { ...CONTACT, contestId: "IARU-HF" }, facts);
  await world.db.write(() => run`UPDATE qsos SET contest_id = NULL, rules_version = 1`);

  await deriveOutdated(world, new AbortController().signal);

  expect((await world.db.read(() => qsos.get(bob, id))).contestId).toBe("IARU-HF");
});
