import { FIELDS, listFieldsWith, type FieldsThat, type PlainName } from "./fields.ts";
import type { QsoView } from "./qso-view.ts";

export type Fact = readonly [label: string, value: string | number | null];

/** Fields that an interface shows in its own way: combined, in other words, or not at all. */
export type OwnFacts = Partial<Record<FieldsThat<"label">, (qso: QsoView) => readonly Fact[]>>;

const SHOWN: readonly (FieldsThat<"label"> & PlainName)[] = listFieldsWith("label");

/** The details of a contact for people, in field order. */
export const listFacts = (qso: QsoView, own: OwnFacts): Fact[] =>
  SHOWN.flatMap((name) => own[name]?.(qso) ?? [[FIELDS[name].label, plain(qso[name])]]);

const plain = (value: QsoView[FieldsThat<"label">]): string | number | null => value;
