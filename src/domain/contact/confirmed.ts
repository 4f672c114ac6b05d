import { WITNESSES, type Witness } from "../awards/award.ts";
import type { PlaceTally } from "../awards/award-tally.ts";
import { getEntity } from "../radio/entity.ts";
import { isField, type FieldName } from "./fields.ts";
import { WITNESS_BITS } from "../origins/bits.ts";
import type { Derived } from "./qso.ts";

const PARTS = ["entity", "state", "zone", "grids"] as const;
type Part = (typeof PARTS)[number];

type AwardPlace = Pick<Derived, "awardEntity" | "awardState" | "awardZone" | "awardGrids">;

const AWARD_FIELDS: Record<Part, keyof AwardPlace> = {
  entity: "awardEntity",
  state: "awardState",
  zone: "awardZone",
  grids: "awardGrids",
};

const capitalise = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

/** The fields of each witness's confirmation. Some witnesses only confirm what the contact counts for anyway. */
const OF_WITNESS = WITNESSES.map((witness) => ({
  witness,
  bit: String(WITNESS_BITS[witness]),
  isConfirmed: `${witness}Confirmed` as const,
  time: findField(`${witness}ConfirmedAt`),
  parts: PARTS.flatMap((part) => {
    const said = findField(witness + capitalise(part));
    return said ? [{ part, award: AWARD_FIELDS[part], said }] : [];
  }),
}));

function findField(name: string): FieldName | null {
  return isField(name) ? name : null;
}

/** The fields that are stored in the columns `confirmed_by`, `confirmed_times` and `confirmed_as`. */
export const FIELDS_OF_CONFIRMATIONS: ReadonlySet<FieldName> = new Set(
  OF_WITNESS.flatMap(({ isConfirmed, time, parts }) => [
    isConfirmed,
    ...(time ? [time] : []),
    ...parts.map(({ said }) => said),
  ]),
);

/** The time of each confirmation as JSON by the witness's bit; null if no time is known. */
export const encodeConfirmedTimes = (qso: Derived): string | null => {
  let times: Record<string, unknown> | null = null;
  for (const { bit, time } of OF_WITNESS) if (time && qso[time] !== null) (times ??= {})[bit] = qso[time];
  return times && JSON.stringify(times);
};

/** Places that a witness confirmed and that differ from what the contact counts for, as JSON by the witness's bit. */
export const encodeConfirmedAs = (qso: Derived): string | null => {
  let all: Record<string, Record<string, unknown>> | null = null;
  for (const { bit, isConfirmed, parts } of OF_WITNESS) {
    if (!qso[isConfirmed]) continue;
    for (const { part, award, said } of parts) {
      if (qso[said] !== qso[award]) ((all ??= {})[bit] ??= {})[part] = qso[said];
    }
  }
  return all && JSON.stringify(all);
};

/** The columns of a row that hold confirmations. */
export interface ConfirmationColumns {
  confirmedBy: number;
  confirmedTimes: string | null;
  confirmedAs: string | null;
}

/** Sets the fields that follow from these columns and from what the contact counts for. */
export const setConfirmations = (qso: Derived, columns: ConfirmationColumns): void => {
  const fields = qso as unknown as Record<string, unknown>;
  const { confirmedBy, confirmedTimes } = columns;
  const times = confirmedTimes === null ? null : (JSON.parse(confirmedTimes) as Record<string, number>);
  for (const { witness, bit, isConfirmed, time, parts } of OF_WITNESS) {
    const hasConfirmed = (confirmedBy & WITNESS_BITS[witness]) !== 0;
    fields[isConfirmed] = hasConfirmed;
    if (time) fields[time] = times?.[bit] ?? null;
    if (parts.length === 0) continue;
    const elsewhere = findOtherPlace(columns, witness);
    for (const { award, said } of parts) {
      fields[said] = hasConfirmed ? (elsewhere && award in elsewhere ? elsewhere : qso)[award] : null;
    }
  }
};

type Elsewhere = { confirmedAs?: string | null };
type ConfirmedPlace = Partial<Record<Witness, Partial<AwardPlace>>>;

/** Many contacts have the same text. */
const CACHE = new Map<string, ConfirmedPlace>();
const MAX_CACHED = 10_000;

const read = (text: string): ConfirmedPlace => {
  let said = CACHE.get(text);
  if (!said) {
    const all = JSON.parse(text) as Record<string, Partial<Record<Part, never>>>;
    said = {};
    for (const { witness, bit } of OF_WITNESS) {
      const parts = all[bit];
      if (!parts) continue;
      said[witness] = Object.fromEntries(
        PARTS.flatMap((part) => (part in parts ? [[AWARD_FIELDS[part], parts[part]]] : [])),
      );
    }
    if (CACHE.size >= MAX_CACHED) CACHE.clear();
    CACHE.set(text, said);
  }
  return said;
};

const findOtherPlace = ({ confirmedAs: text }: Elsewhere, witness: Witness): Partial<AwardPlace> | undefined =>
  text == null ? undefined : read(text)[witness];

/** Whether a witness confirmed another place than the one these contacts count for. */
export const confirmsElsewhere = (tally: Elsewhere, witness: Witness): boolean =>
  findOtherPlace(tally, witness) !== undefined;

/** The contacts with the place that the witness confirmed. */
export const applyConfirmedPlace = <T extends Elsewhere>(tally: T, witness: Witness): T => {
  const said = findOtherPlace(tally, witness);
  return said ? { ...tally, ...said, continent: findContinent(tally as Partial<PlaceTally>, said) } : tally;
};

/** Some entities lie on two continents, so the confirmed entity decides only if it is a different one. */
const findContinent = (
  { dxcc, continent }: Partial<PlaceTally>,
  { awardEntity = null }: Partial<AwardPlace>,
): string | null | undefined =>
  awardEntity === null || awardEntity === dxcc ? continent : (getEntity(awardEntity)?.continent ?? null);

/** The same JSON with other squares. */
export const replaceGrids = (text: string | null, change: (grids: string | null) => string | null): string | null =>
  text && JSON.stringify(JSON.parse(text, (part, value: string | null) => (part === "grids" ? change(value) : value)));
