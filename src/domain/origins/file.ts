import { NO_LAYERS, type BroughtLayers, type FileRecord, type Layers } from "../contact/layers.ts";
import { buildLayers } from "../contact/records.ts";
import { SERVICES } from "../jobs/source.ts";
import type { Origin } from "./origin.ts";
import { sortByWeight, ownerOrigin } from "./owner.ts";
import { SERVICE_ORIGINS } from "./services.ts";

/** Files of the log's owner. An export of this program carries every record of a contact. */
export const fileOrigin: Origin = {
  ...ownerOrigin,

  merge: (layers, record) => (record.brought ? addCarried(layers, record.brought) : ownerOrigin.merge(layers, record)),

  mergeRepeat: (layers, record) =>
    record.brought ? addCarried(layers, record.brought) : ownerOrigin.mergeRepeat!(layers, record),
};

/** Values that the owner typed and records that services gave themselves have priority over carried records. */
const addCarried = (layers: Layers, records: FileRecord["brought"] & {}): Layers => {
  const theirs = buildLayers(records);
  let left = layers;
  if (theirs.own?.typed) left = { ...left, own: { ...left.own, typed: { ...theirs.own.typed, ...left.own?.typed } } };
  for (const record of [theirs.own?.file, theirs.own?.report].flatMap(sortByWeight))
    left = ownerOrigin.merge(left, record);
  return SERVICES.reduce((known, service) => SERVICE_ORIGINS[service].addCarried(known, theirs), left);
};

/** The layers of those services that have one. */
export const pickServiceLayers = (layers: Layers): BroughtLayers =>
  Object.fromEntries(SERVICES.flatMap((service) => (layers[service] === null ? [] : [[service, layers[service]]])));

/** If the record that identifies a contact is gone, another one takes its place. */
export const restoreMains = (brought: BroughtLayers | undefined): BroughtLayers | undefined => {
  if (!brought) return undefined;
  let layers: Layers = { ...NO_LAYERS, ...brought };
  for (const service of SERVICES) {
    const { twins, ...main } = layers[service] ?? {};
    if (twins && Object.keys(main).length === 0) layers = SERVICE_ORIGINS[service].withoutMain(layers);
  }
  return pickServiceLayers(layers);
};
