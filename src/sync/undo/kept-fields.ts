import type { Layers } from "../../domain/contact/layers.ts";
import type { Qso } from "../../domain/contact/qso.ts";
import { toPreviewed, type PreviewedContact } from "../../domain/jobs/rollback-words.ts";
import { SERVICES } from "../../domain/jobs/source.ts";
import type { Snapshot } from "../../storage/log/qsos.ts";
import { isShownField } from "./diff.ts";

/** A value that another source or the user set after the job. The rollback keeps it. */
export interface KeptField extends PreviewedContact {
  field: string;
  value: unknown;
  reason: string;
}

export const listDifferences = (qso: Qso, before: Snapshot, restored: Snapshot): KeptField[] =>
  (Object.keys(restored) as (keyof Snapshot)[])
    .filter((field) => isShownField(field) && restored[field] !== before[field])
    .map((field) => ({
      ...toPreviewed(qso),
      field,
      value: restored[field],
      reason: "changed later by another source or by you",
    }));

/** For a contact that another import brought too. */
export const describeOtherImport = (qso: Qso, jobId: number): KeptField => ({
  ...toPreviewed(qso),
  field: "own",
  value: null,
  reason: `also in job ${jobId}`,
});

/** Lists what others said about a contact that will be removed, so that the preview can show what is lost. */
export const listLostValues = (qso: Qso, added: Layers): KeptField[] => {
  const lost: KeptField[] = [];
  const contact = toPreviewed(qso);
  for (const service of SERVICES) {
    if (qso[service] !== null && added[service] === null) {
      const reason = "deleted with the contact; the next sync restores it";
      lost.push({ ...contact, field: service, value: null, reason });
    }
  }
  if (qso.own?.typed && !Bun.deepEquals(qso.own.typed, added.own?.typed)) {
    lost.push({ ...contact, field: "own", value: null, reason: "entered by hand; deleted with the contact" });
  }
  if (!Bun.deepEquals(listFiles(qso), listFiles(added))) {
    const reason = "from a file imported later; deleted with the contact. To restore it, import that file again";
    lost.push({ ...contact, field: "own", value: null, reason });
  }
  return lost;
};

const listFiles = ({ own }: Pick<Layers, "own">) => [own?.file ?? null, own?.report ?? null, own?.brought ?? null];
