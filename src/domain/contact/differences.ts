import { getMinute } from "../../kernel/clock.ts";
import { parseInstant } from "../../kernel/instant.ts";
import { textOrNull, toUpperCased } from "../../kernel/text.ts";
import type { ComparedField, Difference } from "../jobs/reconcile.ts";
import { byService, SERVICES, type Service } from "../jobs/source.ts";
import { resolveBand } from "../radio/band.ts";
import { getModeName, isNarrower, type Mode } from "../radio/mode.ts";
import { parseMode } from "../radio/on-air.ts";
import { parseCqZone, parseEntityNumber } from "../radio/place.ts";
import { readState } from "../radio/us-states.ts";
import type { Fields } from "./adif-record.ts";
import { GRID } from "./field-texts.ts";
import type { Derived } from "./qso.ts";

/** The fields of a contact that are compared. */
type ComparedContact = Pick<
  Derived,
  "band" | "propMode" | "mode" | "submode" | "modeGroup" | "startedAt" | "gridsquare" | "state" | "cqZone" | "dxcc"
>;

/** The fields for which a service contradicts the log. */
export const listDifferences = (qso: ComparedContact, said: SaidByServices): FieldDifference[] =>
  COMPARISONS.flatMap((compareField) => compareField(qso, said));

interface Field<Value> {
  field: ComparedField;
  here(qso: ComparedContact): Value | null;
  said(fields: Fields): Value | null;
  /** Whether both mean the same; by default if they are equal. */
  agree?(here: Value, said: Value): boolean;
  /** The value as it is shown; by default as it is. */
  shown?(value: Value): string | number;
}

/** What each service says about a contact; null if it says nothing. */
type SaidByServices = Record<Service, Fields | null>;

/** A field for which a service has another value. */
type FieldDifference = Omit<Difference, "counts">;

const isEqual = (a: unknown, b: unknown): boolean => a === b;
const toSame = (value: unknown): string | number => value as string | number;

/** Lists a field where a service contradicts the log. */
const compare =
  <Value>({ field, here: ours, said: theirs, agree = isEqual, shown = toSame }: Field<Value>) =>
  (qso: ComparedContact, details: SaidByServices): FieldDifference[] => {
    const here = ours(qso);
    if (here === null) return [];
    const said = byService((service) => (details[service] === null ? null : theirs(details[service])));
    if (SERVICES.every((service) => said[service] === null || agree(here, said[service]))) return [];
    const each = byService((service) => (said[service] === null ? null : shown(said[service])));
    return [{ field, here: shown(here), ...each }];
  };

const COMPARISONS = [
  compare({
    field: "band",
    here: ({ band, propMode }) => (propMode === "SAT" ? null : band),
    said: ({ BAND, FREQ }) => resolveBand(BAND, FREQ).band,
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
  }),
  compare({
    field: "grid",
    here: ({ gridsquare }) => gridsquare,
    said: ({ GRIDSQUARE }) => (GRID.test(toUpperCased(GRIDSQUARE)) ? toUpperCased(GRIDSQUARE) : null),
    agree: (a: string, b: string) => a.startsWith(b) || b.startsWith(a),
  }),
  compare({
    field: "state",
    here: ({ state }) => state,
    said: readState,
  }),
  compare({
    field: "zone",
    here: (qso) => qso.cqZone,
    said: ({ CQZ }) => (textOrNull(CQZ) === null ? null : parseCqZone(CQZ)),
  }),
  compare({
    field: "entity",
    here: ({ dxcc }) => dxcc,
    said: ({ DXCC }) => parseEntityNumber(DXCC),
  }),
];
