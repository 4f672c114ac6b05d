import type { Fields } from "./adif-record.ts";
import { confirmationsOf, type Confirmed } from "./confirmations.ts";
import { entityName } from "./entity.ts";
import { FIELD_NAMES, fieldOf, PLAIN_NAMES, type PlainName } from "./fields.ts";
import type { OwnLayer } from "./layers.ts";
import { confirmationOf, type Confirmation, type Derived, type Qso } from "./qso.ts";

/** The fields that programs see as they are. */
type Plain = Pick<Derived, PlainName>;

/** A contact as every interface gives it. */
export interface QsoView extends Plain {
  id: number;
  entity: string | null;
  confirmation: Confirmation;
  card: { confirmed: boolean };
  own: OwnView;
  first: OriginView;
  second: OriginView;
  /** What the owner said that has no place of its own. */
  extra: Fields;
  createdAt: number;
  updatedAt: number;
}

export interface OriginView extends Confirmed {
  externalId: string | null;
  /** Every field it gave, in ADIF's names; null where it said nothing. */
  details: Fields | null;
}

/** Of the owner's layer, confirmed means by a card. */
export interface OwnView extends OriginView {
  /** The part that a person typed, and can take back. */
  typed: Fields;
}

export const qsoView = (qso: Qso): QsoView => ({
  id: qso.id,
  ...plainOf(qso),
  entity: qso.dxcc === null ? null : entityName(qso.dxcc),
  confirmation: confirmationOf(qso),
  card: { confirmed: qso.cardConfirmed },
  own: ownView(qso),
  first: firstView(qso),
  second: secondView(qso),
  extra: extraOf(qso.own),
  createdAt: qso.createdAt,
  updatedAt: qso.updatedAt,
});

/** A copy has all its places from the start: to add one after the other takes longer. */
const NOTHING = Object.fromEntries(PLAIN_NAMES.map((name) => [name, null]));

const plainOf = (qso: Qso): Plain => {
  const plain: Record<string, unknown> = { ...NOTHING };
  for (const name of PLAIN_NAMES) plain[name] = qso[name];
  return plain as Plain;
};

const ownView = (qso: Qso): OwnView => ({
  ...confirmationsOf(qso).card,
  externalId: null,
  details: ownFields(qso.own),
  typed: qso.own?.typed ?? {},
});

const firstView = (qso: Qso): OriginView => ({
  ...confirmationsOf(qso).first,
  externalId: qso.firstId,
  details: qso.first && { ...qso.first.qso?.fields, ...qso.first.qsl?.fields },
});

const secondView = (qso: Qso): OriginView => ({
  ...confirmationsOf(qso).second,
  externalId: qso.secondId,
  details: qso.second && qso.second.fields,
});

const ownFields = (own: OwnLayer | null): Fields | null =>
  own && { ...own.report?.fields, ...own.file?.fields, ...own.typed };

/** The names that fields have in ADIF. */
const OWN_NAMES: ReadonlySet<string> = new Set(FIELD_NAMES.flatMap((name) => fieldOf(name).adif ?? []));

const extraOf = (own: OwnLayer | null): Fields =>
  Object.fromEntries(Object.entries(ownFields(own) ?? {}).filter(([name]) => !OWN_NAMES.has(name)));
