import { NO_LAYERS, type BroughtLayers, type FileRecord, type Layers } from "../contact/layers.ts";
import { layersFrom } from "../contact/records.ts";
import { SERVICES } from "../jobs/source.ts";
import type { Origin } from "./origin.ts";
import { byWeight, ownerOrigin } from "./owner.ts";
import { SERVICE_ORIGINS } from "./services.ts";

/** Files of the log's owner. An export of this program carries every record of a contact. */
export const fileOrigin: Origin = {
  ...ownerOrigin,

  hear: (layers, record) => (record.brought ? bring(layers, record.brought) : ownerOrigin.hear(layers, record)),

  hearAgain: (layers, record) =>
    record.brought ? bring(layers, record.brought) : ownerOrigin.hearAgain!(layers, record),
};

/** Values that the owner typed and records that services gave themselves have priority over carried records. */
const bring = (layers: Layers, records: FileRecord["brought"] & {}): Layers => {
  const theirs = layersFrom(records);
  let left = layers;
  if (theirs.own?.typed) left = { ...left, own: { ...left.own, typed: { ...theirs.own.typed, ...left.own?.typed } } };
  for (const record of [theirs.own?.file, theirs.own?.report].flatMap(byWeight)) left = ownerOrigin.hear(left, record);
  return SERVICES.reduce((known, service) => SERVICE_ORIGINS[service].bring(known, theirs), left);
};

/** The layers of those services that have one. */
export const broughtIn = (layers: Layers): BroughtLayers =>
  Object.fromEntries(SERVICES.flatMap((service) => (layers[service] === null ? [] : [[service, layers[service]]])));

/** If the record that identifies a contact is gone, another one takes its place. */
export const withMains = (brought: BroughtLayers | undefined): BroughtLayers | undefined => {
  if (!brought) return undefined;
  let layers: Layers = { ...NO_LAYERS, ...brought };
  for (const service of SERVICES) {
    const { twins, ...main } = layers[service] ?? {};
    if (twins && Object.keys(main).length === 0) layers = SERVICE_ORIGINS[service].withoutMain(layers);
  }
  return broughtIn(layers);
};
