import type { Fields } from "../adif-record.ts";
import type { Layers, OwnLayer } from "../layers.ts";
import { SERVICES } from "../source.ts";
import type { Origin } from "./origin.ts";
import { ownerOrigin, takenOut, withoutRecord } from "./owner.ts";

/** The owner of the log, by repairs. They may touch every layer: a merge joins them, and a service can be taken out. */
export const repairOrigin: Origin = {
  ...ownerOrigin,

  /** What anybody said since stays: of a record of the owner's the other fields, of a service's the whole. */
  takeBack(layers, before, after) {
    const left: Layers = { ...layers, own: ownBefore(layers.own, before.own, after.own) };
    for (const service of SERVICES) {
      const isUntouched = Bun.deepEquals(layers[service], after[service]);
      const isOwn = !Bun.deepEquals(before[service], after[service]);
      if (isOwn && isUntouched) Object.assign(left, { [service]: before[service] });
    }
    return left;
  },
};

const ownBefore = (now: OwnLayer | null, before: OwnLayer | null, after: OwnLayer | null): OwnLayer | null => {
  const typed: Fields = takenOut(now?.typed ?? {}, before?.typed ?? {}, after?.typed ?? {});
  const file = recordBefore("file", now, before, after);
  const report = recordBefore("report", now, before, after);
  const left: OwnLayer = {
    ...(Object.keys(typed).length > 0 && { typed }),
    ...(file && { file }),
    ...(report && { report }),
  };
  return Object.keys(left).length > 0 ? left : null;
};

const recordBefore = (
  slot: "file" | "report",
  now: OwnLayer | null,
  before: OwnLayer | null,
  after: OwnLayer | null,
): OwnLayer["file"] =>
  Bun.deepEquals(before?.[slot], after?.[slot])
    ? now?.[slot]
    : withoutRecord(now?.[slot], before?.[slot], after?.[slot]);
