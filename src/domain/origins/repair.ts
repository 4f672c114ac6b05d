import type { Layers } from "../contact/layers.ts";
import { SERVICES } from "../jobs/source.ts";
import type { Origin } from "./origin.ts";
import { ownerOrigin } from "./owner.ts";

/** Bulk edits by the log's owner. They can change every layer: a merge combines them, and a service can be removed. */
export const repairOrigin: Origin = {
  ...ownerOrigin,

  /** Anything that a service said since then is kept. */
  takeBack(layers, before, after) {
    const left: Layers = { ...layers };
    for (const service of SERVICES) {
      const isUntouched = Bun.deepEquals(layers[service], after[service]);
      const isOwn = !Bun.deepEquals(before[service], after[service]);
      if (isOwn && isUntouched) Object.assign(left, { [service]: before[service] });
    }
    return left;
  },
};
