import type { Fields } from "../../domain/adif-record.ts";
import type { FileRecord, Layers, OwnLayer } from "../../domain/layers.ts";
import { ownerOrigin } from "../../domain/origins/owner.ts";
import { CONFIRMED_COLUMN, type Qso } from "../../domain/qso.ts";
import { SERVICES, type Service } from "../../domain/source.ts";

/**
 * The words of two contacts that are one. The first is believed where both say something; what only the second says
 * comes to it, and every confirmation.
 */
export const mergedLayers = (qso: Qso, other: Qso): Layers => {
  const layers: Layers = { own: ownOf(qso.own, other.own), first: qso.first, second: qso.second };
  for (const service of SERVICES) {
    if (isBetter(qso, other, service)) Object.assign(layers, { [service]: other[service] });
  }
  return layers;
};

/** A service speaks of a contact with one voice. Of two records of one service the confirming one counts. */
const isBetter = (qso: Qso, other: Qso, service: Service): boolean => {
  if (other[service] === null) return false;
  const confirmed = CONFIRMED_COLUMN[service];
  return qso[service] === null || (other[confirmed] && !qso[confirmed]);
};

const ownOf = (own: OwnLayer | null, other: OwnLayer | null): OwnLayer | null => {
  const typed: Fields = { ...other?.typed, ...own?.typed };
  const file = recordOf(own?.file, other?.file, "file");
  const report = recordOf(own?.report, other?.report, "report");
  const both: OwnLayer = {
    ...(Object.keys(typed).length > 0 && { typed }),
    ...(file && { file }),
    ...(report && { report }),
  };
  return Object.keys(both).length > 0 ? both : null;
};

/** As if the first had been imported after the second. */
const recordOf = (
  record: FileRecord | undefined,
  other: FileRecord | undefined,
  slot: "file" | "report",
): FileRecord | undefined => {
  if (!record || !other) return record ?? other;
  const heard = ownerOrigin.hear({ own: { [slot]: other }, first: null, second: null }, record);
  return heard.own?.[slot];
};
