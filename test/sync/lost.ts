import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import type { CallFacts } from "../../src/domain/radio/call-facts.ts";
import type { Source } from "../../src/domain/jobs/source.ts";
import * as leftovers from "../../src/storage/log/leftovers.ts";
import * as tombstones from "../../src/storage/log/tombstones.ts";
import { readIncoming } from "../../src/sync/match/incoming.ts";
import { TOLERANCE } from "../../src/sync/match/match.ts";
import { logOf } from "../support/sync.ts";
import type { TestWorld } from "../support/world.ts";

/** Records that are in no contact, not stored as leftovers, and not deleted by the user. */
export const lostOf = async (
  world: TestWorld,
  userId: number,
  source: Source,
  told: readonly AdifRecord[],
  facts: CallFacts,
): Promise<AdifRecord[]> => {
  const log = await logOf(world, userId);
  const open = await world.db.read(() => leftovers.listOpen(userId, source, 0, 1_000));
  const buried = await world.db.read(() =>
    tombstones.findMeant(userId, { calls: ["K1ABC", "DL1ABC/P"], from: 0, to: Date.now() * 2 }),
  );
  return told.filter((record) => {
    const part = source === "first" ? "qsl" : "record";
    const incoming = readIncoming(record, source, part, facts);
    if (!("key" in incoming)) throw new Error(incoming.reason);
    const { key, ids } = incoming;
    const { first: firstId, second: secondId } = ids;
    const isHeard = log.some((qso) => {
      if (source === "first") return qso.firstId === firstId;
      if (source === "second") return qso.secondId === secondId;
      const { CALL, QSO_DATE, TIME_ON, MODE } = qso.own?.file?.fields ?? {};
      const { fields } = record;
      return CALL === fields.CALL && QSO_DATE === fields.QSO_DATE && TIME_ON === fields.TIME_ON && MODE === fields.MODE;
    });
    const waits = open.some((leftover) => Bun.deepEquals(leftover.record, record));
    const isBuried =
      source !== "file" &&
      buried.some(
        (grave) =>
          (firstId !== null && grave.firstId === firstId) ||
          (secondId !== null && grave.secondId === secondId) ||
          (grave.call === key.call && Math.abs(grave.startedAt - key.at) <= TOLERANCE),
      );
    return !isHeard && !waits && !isBuried;
  });
};
