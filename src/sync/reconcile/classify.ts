import type { Fields } from "../../domain/contact/adif-record.ts";
import type { AwardId } from "../../domain/awards/award.ts";
import { normaliseCall } from "../../callsign/parts.ts";
import { listDifferences } from "../../domain/contact/differences.ts";
import { limitLengths } from "../../domain/contact/lengths.ts";
import { SERVICE_ORIGINS } from "../../domain/origins/services.ts";
import { isAt, type Qso } from "../../domain/contact/qso.ts";
import { NOT_AT, type ComparedField, type ContactClass, type Difference } from "../../domain/jobs/reconcile.ts";
import { byService, SERVICES, type Service } from "../../domain/jobs/source.ts";
import { code } from "../../kernel/text.ts";

/** A contact compared with what each service says about it. */
export interface Compared {
  classes: ContactClass[];
  differences: Difference[];
  /** Services whose confirmation is known only from an imported file. */
  fileOnly: Service[];
  /** For each service, the other station's callsign if it differs. */
  otherCall: Record<Service, string | null>;
}

export const compareContact = (qso: Qso): Compared => {
  const details = byService((service) => getDetails(qso, service));
  const differences = listDifferences(qso, details).map((difference) => ({
    ...difference,
    counts: COUNTS[difference.field]?.(qso) ?? null,
  }));
  const fileOnly = SERVICES.filter((service) => SERVICE_ORIGINS[service].getConfirmation(qso).via === "file");
  const otherCall = byService((service) => findOtherCall(details[service], qso));
  const missing = SERVICES.filter((service) => !isAt(qso, service));
  const isOtherwise = SERVICES.some((service) => otherCall[service] !== null);
  const classes: ContactClass[] = [
    ...missing.map((service) => NOT_AT[service]),
    ...(differences.length > 0 ? ["differs" as const] : []),
    ...(fileOnly.length > 0 ? ["fileOnly" as const] : []),
    ...(isOtherwise ? ["otherCall" as const] : []),
  ];
  return { classes: classes.length > 0 ? classes : ["everywhere"], differences, fileOnly, otherCall };
};

const getDetails = (qso: Qso, service: Service): Fields | null => {
  const details = SERVICE_ORIGINS[service].details(qso);
  return details && limitLengths(details);
};

const findOtherCall = (details: Fields | null, { call }: Qso): string | null => {
  const said = code(details?.CALL);
  const known = said && normaliseCall(said);
  return known !== null && known !== call ? known : null;
};

/** A confirmation of the first service counts for what it says itself; others count for the values of the log. */
const countsFor =
  (awards: readonly AwardId[], own: keyof Qso, first: keyof Qso) =>
  (qso: Qso): Difference["counts"] => ({
    awards,
    by: qso.firstConfirmed ? "first" : "own",
    value: (qso.firstConfirmed ? qso[first] : qso[own]) as string | number | null,
  });

const COUNTS: Partial<Record<ComparedField, (qso: Qso) => Difference["counts"]>> = {
  grid: countsFor(["vucc"], "awardGrids", "firstGrids"),
  state: countsFor(["was", "was-5band", "was-triple"], "awardState", "firstState"),
  zone: countsFor(["waz"], "awardZone", "firstZone"),
  entity: countsFor(["dxcc", "dxcc-challenge", "dxcc-5band", "dxcc-honor"], "awardEntity", "firstEntity"),
};
