import type { Fields } from "./adif-record.ts";
import { entityName } from "./entity.ts";
import type { OwnLayer } from "./layers.ts";
import { CARD_CLAIM, type Confirmed } from "./origins/origin.ts";
import { cardConfirmation } from "./origins/owner.ts";
import { SERVICE_ORIGINS } from "./origins/services.ts";
import { confirmationOf, ID_COLUMN, type Confirmation, type Derived, type Qso } from "./qso.ts";
import { byService, SERVICES, type Service } from "./source.ts";

/** The columns that programs see as they are. */
type Plain = Omit<Derived, `award${string}` | `${Service}${Capitalize<string>}` | "cardConfirmed">;

/** A contact as every interface gives it. */
export interface QsoView extends Plain, Record<Service, OriginView> {
  id: number;
  entity: string | null;
  confirmation: Confirmation;
  card: { confirmed: boolean };
  own: OwnView;
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
  ...byService((service) => serviceView(qso, service)),
  extra: extraOf(qso.own),
  createdAt: qso.createdAt,
  updatedAt: qso.updatedAt,
});

const plainOf = (qso: Qso): Plain => ({
  call: qso.call,
  startedAt: qso.startedAt,
  endedAt: qso.endedAt,
  band: qso.band,
  bandRx: qso.bandRx,
  freqHz: qso.freqHz,
  mode: qso.mode,
  submode: qso.submode,
  modeGroup: qso.modeGroup,
  stationCallsign: qso.stationCallsign,
  operator: qso.operator,
  rstSent: qso.rstSent,
  rstRcvd: qso.rstRcvd,
  dxcc: qso.dxcc,
  continent: qso.continent,
  cqZone: qso.cqZone,
  ituZone: qso.ituZone,
  prefix: qso.prefix,
  state: qso.state,
  county: qso.county,
  gridsquare: qso.gridsquare,
  iota: qso.iota,
  name: qso.name,
  qth: qso.qth,
  comment: qso.comment,
  propMode: qso.propMode,
  satName: qso.satName,
  txPower: qso.txPower,
  year: qso.year,
  twoWay: qso.twoWay,
  credits: qso.credits,
});

const ownView = (qso: Qso): OwnView => ({
  ...cardConfirmation(qso),
  externalId: null,
  details: ownFields(qso.own),
  typed: qso.own?.typed ?? {},
});

const serviceView = (qso: Qso, service: Service): OriginView => ({
  ...SERVICE_ORIGINS[service].confirmation(qso),
  externalId: qso[ID_COLUMN[service]],
  details: SERVICE_ORIGINS[service].details(qso),
});

const ownFields = (own: OwnLayer | null): Fields | null =>
  own && { ...own.report?.fields, ...own.file?.fields, ...own.typed };

/** The fields that the columns hold, in ADIF's names. */
const COLUMN_FIELDS: ReadonlySet<string> = new Set([
  ...(
    "CALL QSO_DATE TIME_ON QSO_DATE_OFF TIME_OFF BAND BAND_RX FREQ MODE SUBMODE STATION_CALLSIGN OPERATOR " +
    "RST_SENT RST_RCVD DXCC CONT CQZ ITUZ STATE CNTY GRIDSQUARE IOTA NAME QTH COMMENT PROP_MODE SAT_NAME TX_PWR"
  ).split(" "),
  ...CARD_CLAIM.fields,
  ...SERVICES.flatMap((service) => SERVICE_ORIGINS[service].spokenFor),
]);

const extraOf = (own: OwnLayer | null): Fields =>
  Object.fromEntries(Object.entries(ownFields(own) ?? {}).filter(([name]) => !COLUMN_FIELDS.has(name)));
