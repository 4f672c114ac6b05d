import { omitFields, type Fields } from "./adif-record.ts";
import { getEntityName } from "../radio/entity.ts";
import { FIELD_NAMES, getField, PLAIN_NAMES, type PlainName } from "./fields.ts";
import type { OwnLayer } from "./layers.ts";
import type { Confirmed } from "../origins/origin.ts";
import { getCardConfirmation } from "../origins/owner.ts";
import { SERVICE_ORIGINS } from "../origins/services.ts";
import { getConfirmation, ID_COLUMN, isAt, type Confirmation, type Derived, type Qso } from "./qso.ts";
import { byService, SERVICES, type Service } from "../jobs/source.ts";

/** The fields that programs get unchanged. */
type Plain = Pick<Derived, PlainName>;

/** A contact as every interface returns it. A service is null if it never mentioned the contact. */
export interface QsoView extends Plain, Record<Service, OriginView | null> {
  id: number;
  entity: string | null;
  confirmation: Confirmation;
  card: { confirmed: boolean };
  own: OwnView;
  /** The owner's values without a field of their own. */
  extra: Fields;
  createdAt: number;
  updatedAt: number;
}

export interface OriginView extends Confirmed {
  externalId: string | null;
  /** Every field of the origin by ADIF name; null if it said nothing. */
  details: Fields | null;
}

/** For the owner, confirmed means confirmed by a card. */
interface OwnView extends OriginView {
  /** The values that the user typed and can remove. */
  typed: Fields;
}

export const toQsoView = (qso: Qso): QsoView => ({
  id: qso.id,
  ...copyPlain(qso),
  entity: qso.dxcc === null ? null : getEntityName(qso.dxcc),
  confirmation: getConfirmation(qso),
  card: { confirmed: qso.cardConfirmed },
  own: toOwnView(qso),
  ...byService((service) => toServiceView(qso, service)),
  extra: findExtra(qso.own),
  createdAt: qso.createdAt,
  updatedAt: qso.updatedAt,
});

/** Copying a prepared object is faster than adding one property after the other. */
const NOTHING = Object.fromEntries(PLAIN_NAMES.map((name) => [name, null]));

const copyPlain = (qso: Qso): Plain => {
  const plain: Record<string, unknown> = { ...NOTHING };
  for (const name of PLAIN_NAMES) plain[name] = qso[name];
  return plain as Plain;
};

const toOwnView = (qso: Qso): OwnView => ({
  ...getCardConfirmation(qso),
  externalId: null,
  details: collectOwnFields(qso.own),
  typed: qso.own?.typed ?? {},
});

const toServiceView = (qso: Qso, service: Service): OriginView | null =>
  isAt(qso, service)
    ? {
        ...SERVICE_ORIGINS[service].getConfirmation(qso),
        externalId: qso[ID_COLUMN[service]],
        details: SERVICE_ORIGINS[service].details(qso),
      }
    : null;

const collectOwnFields = (own: OwnLayer | null): Fields | null =>
  own && { ...own.report?.fields, ...own.file?.fields, ...own.typed };

/** The ADIF names of our fields, and those in which others speak for a service. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  ...FIELD_NAMES.flatMap((name) => getField(name).adif ?? []),
  ...SERVICES.flatMap((service) => SERVICE_ORIGINS[service].spokenFor),
]);

const findExtra = (own: OwnLayer | null): Fields => omitFields(collectOwnFields(own) ?? {}, OWN_NAMES);
