import type { Fields } from "../../domain/contact/adif-record.ts";
import type { AwardId } from "../../domain/awards/award.ts";
import { resolveBand } from "../../domain/radio/band.ts";
import type { CallFacts } from "../../domain/radio/call-facts.ts";
import { getMinute } from "../../kernel/clock.ts";
import { GRID } from "../../domain/contact/field-texts.ts";
import { parseInstant } from "../../kernel/instant.ts";
import { limitLengths } from "../../domain/contact/lengths.ts";
import { getModeName, isNarrower, type Mode } from "../../domain/radio/mode.ts";
import { parseMode } from "../../domain/radio/on-air.ts";
import { SERVICE_ORIGINS } from "../../domain/origins/services.ts";
import { parseCqZone, parseEntityNumber } from "../../domain/radio/place.ts";
import { isAt, type Qso } from "../../domain/contact/qso.ts";
import { NOT_AT, type ComparedField, type ContactClass, type Difference } from "../../domain/jobs/reconcile.ts";
import { byService, SERVICES, type Service } from "../../domain/jobs/source.ts";
import { readState } from "../../domain/radio/us-states.ts";
import { code, textOrNull, toUpperCased } from "../../kernel/text.ts";

/** A contact compared with what each service says about it. */
export interface Compared {
  classes: ContactClass[];
  differences: Difference[];
  /** Services whose confirmation is known only from an imported file. */
  fileOnly: Service[];
  /** For each service, the other station's callsign if it differs. */
  otherCall: Record<Service, string | null>;
}

type Facts = Pick<CallFacts, "normalise">;

export const compareContact = (qso: Qso, facts: Facts): Compared => {
  const details = byService((service) => getDetails(qso, service));
  const differences = FIELDS.flatMap((compareField) => compareField(qso, details));
  const fileOnly = SERVICES.filter((service) => SERVICE_ORIGINS[service].getConfirmation(qso).via === "file");
  const otherCall = byService((service) => findOtherCall(details[service], qso, facts));
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

const findOtherCall = (details: Fields | null, { call }: Qso, facts: Facts): string | null => {
  const said = code(details?.CALL);
  const known = said && facts.normalise(said);
  return known !== null && known !== call ? known : null;
};

interface Field<Value> {
  field: ComparedField;
  here(qso: Qso): Value | null;
  said(fields: Fields): Value | null;
  agree(here: Value, said: Value): boolean;
  shown(value: Value): string | number;
  counts?: (qso: Qso) => Difference["counts"];
}

type Said = Record<Service, Fields | null>;

/** Lists a field where a service contradicts the log. */
const compare =
  <Value>({ field, here: ours, said: theirs, agree, shown, counts }: Field<Value>) =>
  (qso: Qso, details: Said): Difference[] => {
    const here = ours(qso);
    if (here === null) return [];
    const said = byService((service) => (details[service] === null ? null : theirs(details[service])));
    const isOtherwise = (service: Service) => said[service] !== null && !agree(here, said[service]);
    if (!SERVICES.some(isOtherwise)) return [];
    const each = byService((service) => (said[service] === null ? null : shown(said[service])));
    return [{ field, here: shown(here), ...each, counts: counts?.(qso) ?? null }];
  };

const isEqual = (a: unknown, b: unknown): boolean => a === b;
const toSame = <Value extends string | number>(value: Value): string | number => value;

/** A confirmation of the first service counts for what it says itself; others count for the values of the log. */
const countsFor =
  (awards: readonly AwardId[], own: keyof Qso, first: keyof Qso) =>
  (qso: Qso): Difference["counts"] => ({
    awards,
    by: qso.firstConfirmed ? "first" : "own",
    value: (qso.firstConfirmed ? qso[first] : qso[own]) as string | number | null,
  });

const FIELDS = [
  compare({
    field: "band",
    here: ({ band, propMode }) => (propMode === "SAT" ? null : band),
    said: ({ BAND, FREQ }) => resolveBand(BAND, FREQ).band,
    agree: isEqual,
    shown: toSame,
  }),
  compare({
    field: "mode",
    here: ({ mode, submode, modeGroup }): Mode | null =>
      modeGroup === null ? null : { mode, submode, group: modeGroup, generic: mode === null },
    said: parseMode,
    agree: (a: Mode, b: Mode) => getModeName(a) === getModeName(b) || isNarrower(a, b) || isNarrower(b, a),
    shown: getModeName,
  }),
  compare({
    field: "time",
    here: ({ startedAt }) => startedAt,
    said: ({ QSO_DATE, TIME_ON }) => parseInstant(QSO_DATE, TIME_ON)?.at ?? null,
    agree: (a: number, b: number) => getMinute(a) === getMinute(b),
    shown: toSame,
  }),
  compare({
    field: "grid",
    here: ({ gridsquare }) => gridsquare,
    said: ({ GRIDSQUARE }) => (GRID.test(toUpperCased(GRIDSQUARE)) ? toUpperCased(GRIDSQUARE) : null),
    agree: (a: string, b: string) => a.startsWith(b) || b.startsWith(a),
    counts: countsFor(["vucc"], "awardGrids", "firstGrids"),
    shown: toSame,
  }),
  compare({
    field: "state",
    here: ({ state }) => state,
    said: readState,
    agree: isEqual,
    counts: countsFor(["was", "was-5band", "was-triple"], "awardState", "firstState"),
    shown: toSame,
  }),
  compare({
    field: "zone",
    here: (qso) => qso.cqZone,
    said: ({ CQZ }) => (textOrNull(CQZ) === null ? null : parseCqZone(CQZ)),
    agree: isEqual,
    counts: countsFor(["waz"], "awardZone", "firstZone"),
    shown: toSame,
  }),
  compare({
    field: "entity",
    here: ({ dxcc }) => dxcc,
    said: ({ DXCC }) => parseEntityNumber(DXCC),
    agree: isEqual,
    counts: countsFor(["dxcc", "dxcc-challenge", "dxcc-5band", "dxcc-honor"], "awardEntity", "firstEntity"),
    shown: toSame,
  }),
];
