import type { Fields } from "./adif-record.ts";
import { confirmationsOf, type Confirmed } from "./confirmations.ts";
import { entityName } from "./entity.ts";
import type { OwnLayer } from "./layers.ts";
import { confirmationOf, type Confirmation, type Derived, type Qso } from "./qso.ts";

/** The columns that programs see as they are. */
type Plain = Omit<
  Derived,
  `award${string}` | `first${Capitalize<string>}` | `second${Capitalize<string>}` | "cardConfirmed"
>;

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

/** The fields that the columns hold, in ADIF's names. */
const COLUMN_FIELDS: ReadonlySet<string> = new Set(
  (
    "CALL QSO_DATE TIME_ON QSO_DATE_OFF TIME_OFF BAND BAND_RX FREQ MODE SUBMODE STATION_CALLSIGN OPERATOR " +
    "RST_SENT RST_RCVD DXCC CONT CQZ ITUZ STATE CNTY GRIDSQUARE IOTA NAME QTH COMMENT PROP_MODE SAT_NAME TX_PWR " +
    "QSL_RCVD QSLRDATE LOTW_QSL_RCVD LOTW_QSLRDATE APP_QRZLOG_LOGID APP_QRZLOG_STATUS APP_QRZLOG_QSLDATE"
  ).split(" "),
);

const extraOf = (own: OwnLayer | null): Fields =>
  Object.fromEntries(Object.entries(ownFields(own) ?? {}).filter(([name]) => !COLUMN_FIELDS.has(name)));
