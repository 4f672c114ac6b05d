import type { Fields } from "../../src/domain/contact/adif-record.ts";
import { derive, RULES_VERSION } from "../../src/domain/contact/derive.ts";
import { NO_LAYERS } from "../../src/domain/contact/layers.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import type { World } from "../../src/world.ts";
import { NOON } from "../support/world.ts";

/** Inserts typed contacts a minute apart and returns their ids. */
export const typeContacts = async (
  { db, callFacts }: Pick<World, "db" | "callFacts">,
  userId: number,
  count: number,
  fields: Fields = {},
): Promise<number[]> => {
  const facts = await callFacts();
  const contacts = Array.from({ length: count }, (_, index) => {
    const time = `${String(Math.floor(index / 60) % 24).padStart(2, "0")}${String(index % 60).padStart(2, "0")}`;
    const said: Fields = { CALL: "K1ABC", QSO_DATE: "20260701", TIME_ON: time, BAND: "20m", MODE: "CW", ...fields };
    const layers = { ...NO_LAYERS, own: { typed: said } };
    return { ...derive(layers, facts)!, ...layers, createdAt: NOON, updatedAt: NOON, rulesVersion: RULES_VERSION };
  });
  return db.write(() => qsos.addMany(userId, contacts));
};
