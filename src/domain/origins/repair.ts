import type { Layers } from "../contact/layers.ts";
import { SERVICES } from "../jobs/source.ts";
import type { Origin } from "./origin.ts";
import { ownerOrigin } from "./owner.ts";

/** The owner of the log, by repairs. They may touch every layer: a merge joins them, and a service can be taken out. */
export const repairOrigin: Origin = {
  ...ownerOrigin,

  /** What a service said since stays as a whole. */
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
