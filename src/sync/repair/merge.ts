import { pickServiceLayers } from "../../domain/origins/file.ts";
import type { Fields } from "../../domain/contact/adif-record.ts";
import {
  NO_LAYERS,
  type BroughtLayers,
  type FileRecord,
  type Layers,
  type OwnLayer,
} from "../../domain/contact/layers.ts";
import { sortByWeight, addPart } from "../../domain/origins/owner.ts";
import { SERVICE_ORIGINS } from "../../domain/origins/services.ts";
import { SERVICES } from "../../domain/jobs/source.ts";
import { getLayers } from "../../storage/log/qsos.ts";

/**
 * Merges the layers of two contacts that are the same. If both have a value, the first one wins; all confirmations are
 * kept.
 */
export const mergeLayers = (qso: Layers, other: Layers): Layers =>
  SERVICES.reduce((layers, service) => SERVICE_ORIGINS[service].mergeContact(layers, other), {
    ...getLayers(qso),
    own: mergeOwn(qso.own, other.own),
  });

const mergeOwn = (own: OwnLayer | null, other: OwnLayer | null): OwnLayer | null => {
  const typed: Fields = { ...other?.typed, ...own?.typed };
  const file = mergeRecords(own?.file, other?.file);
  const report = mergeRecords(own?.report, other?.report);
  const brought = mergeCarried(own?.brought, other?.brought);
  const both: OwnLayer = {
    ...(Object.keys(typed).length > 0 && { typed }),
    ...(file && { file }),
    ...(report && { report }),
    ...(brought && { brought }),
  };
  return Object.keys(both).length > 0 ? both : null;
};

const mergeCarried = (
  brought: BroughtLayers | undefined,
  other: BroughtLayers | undefined,
): BroughtLayers | undefined => {
  if (!brought || !other) return brought ?? other;
  const [layers, theirs] = [brought, other].map((one): Layers => ({ ...NO_LAYERS, ...one }));
  return pickServiceLayers(
    SERVICES.reduce((known, service) => SERVICE_ORIGINS[service].mergeContact(known, theirs!), layers!),
  );
};

/** As if the first record had been imported after the second. */
const mergeRecords = (record: FileRecord | undefined, other: FileRecord | undefined): FileRecord | undefined =>
  record
    ? sortByWeight(other)
        .reverse()
        .reduce((known, one) => addPart(known, { record: one, isLinked: true }), record)
    : other;
