import { WITNESSES, type Witness } from "../awards/award.ts";
import type { Layers, OwnLayer, RecordOrigin } from "../contact/layers.ts";
import { isAt, type Derived } from "../contact/qso.ts";
import { byService, SERVICE_BITS, SERVICES } from "../jobs/source.ts";
import type { ConfirmedColumn } from "./origin.ts";

/**
 * The bit of each origin in the columns `recorded_by` and `confirmed_by`. A bit never changes and is never reused; a
 * new origin gets the next one.
 */
export const ORIGIN_BITS = { own: 1, file: 2, feed: 4, ...SERVICE_BITS } as const satisfies Record<
  RecordOrigin,
  number
>;

/** The rows of the table `origins`. */
export const ORIGIN_ROWS = (Object.keys(ORIGIN_BITS) as RecordOrigin[]).map((name) => {
  const bit: number = ORIGIN_BITS[name];
  return { id: Math.log2(bit) + 1, bit, name };
});

export const ORIGIN_IDS = Object.fromEntries(ORIGIN_ROWS.map(({ id, name }) => [name, id])) as Record<
  RecordOrigin,
  number
>;

export const ORIGIN_NAMES = new Map(ORIGIN_ROWS.map(({ id, name }) => [id, name]));

/** The bits in `confirmed_by`. The owner's bit stands for the partner's paper card. */
export const WITNESS_BITS: Record<Witness, number> = {
  ...byService((service) => ORIGIN_BITS[service]),
  card: ORIGIN_BITS.own,
};

/** The fields that say who confirmed a contact, each with its bit. */
const CONFIRMED_FIELDS = WITNESSES.map((witness) => ({
  name: `${witness}Confirmed` as const,
  bit: WITNESS_BITS[witness],
}));

/** The witnesses that confirmed a contact, as a bit mask. */
export const computeConfirmedBy = (qso: Pick<Derived, ConfirmedColumn>): number => {
  let mask = 0;
  for (const { name, bit } of CONFIRMED_FIELDS) if (qso[name]) mask |= bit;
  return mask;
};

/**
 * The origins that have a record of a contact, as a bit mask. A service also counts if only a file carries its record.
 * Records of programs are stored with those of files and count as theirs.
 */
export const computeRecordedBy = (qso: Derived & Layers): number => {
  let mask = computeRecordedByOwner(qso.own);
  for (const service of SERVICES) if (isAt(qso, service)) mask |= ORIGIN_BITS[service];
  return mask;
};

/** The part of the mask that the owner's layer determines. */
const computeRecordedByOwner = (own: OwnLayer | null): number =>
  (own?.typed ? ORIGIN_BITS.own : 0) | (own?.file || own?.report || own?.brought ? ORIGIN_BITS.file : 0);
