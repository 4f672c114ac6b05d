import type { AdifRecord, Fields } from "./adif-record.ts";
import { entityName } from "./entity.ts";
import { parseDate } from "./instant.ts";
import { isConfirming, type Layers, type OwnLayer } from "./layers.ts";
import { confirmationOf, type Confirmation, type Derived, type Qso } from "./qso.ts";
import { told } from "./words.ts";

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

export interface OriginView {
  confirmed: boolean;
  confirmedAt: number | null;
  /** Who says that it is confirmed: the service itself, or only a file. */
  via: "service" | "file" | null;
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

const ownView = ({ own, cardConfirmed }: Qso): OwnView => {
  const details = ownFields(own);
  return {
    confirmed: cardConfirmed,
    confirmedAt: cardConfirmed ? parseDate(details?.QSLRDATE) : null,
    via: cardConfirmed ? "file" : null,
    externalId: null,
    details,
    typed: own?.typed ?? {},
  };
};

const firstView = (qso: Qso): OriginView => ({
  confirmed: qso.firstConfirmed,
  confirmedAt: qso.firstConfirmedAt,
  via: qso.firstConfirmed ? (firstSaysSo(qso) ? "service" : "file") : null,
  externalId: qso.firstId,
  details: qso.first && { ...qso.first.qso?.fields, ...qso.first.qsl?.fields },
});

const firstSaysSo = ({ first }: Layers): boolean =>
  [first?.qsl, first?.qso].some((record) => isConfirming(record?.fields.QSL_RCVD));

const secondView = (qso: Qso): OriginView => ({
  confirmed: qso.secondConfirmed,
  confirmedAt: qso.secondConfirmedAt,
  via: qso.secondConfirmed ? (told(qso.second?.fields.APP_QRZLOG_STATUS) ? "service" : "file") : null,
  externalId: qso.secondId,
  details: qso.second && qso.second.fields,
});

/** The records of the owner's layer in the order in which they are believed. */
export const ownRecords = (own: OwnLayer | null): AdifRecord[] => {
  const { typed, ...files } = own ?? {};
  const records: (AdifRecord | undefined)[] = Object.values(files);
  return [...(typed ? [{ fields: typed }] : []), ...records.filter((record) => record !== undefined)];
};

const ownFields = (own: OwnLayer | null): Fields | null =>
  own &&
  Object.assign(
    {},
    ...ownRecords(own)
      .reverse()
      .map(({ fields }) => fields),
  );

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
