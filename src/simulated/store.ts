import { formatAdifDate } from "../kernel/instant.ts";
import type { Fields } from "./lotw-fields.ts";
import { toLotwMode, getModeGroup, toReportedMode } from "./lotw-modes.ts";
import { formatStamp } from "./timestamps.ts";

export interface LotwUser {
  login: string;
  password: string;
  /** Own callsigns whose contacts go to this account. */
  calls: string[];
}

/** A contact at LoTW: the fields that a report can contain, and what queries select by. */
export interface LotwQso {
  fields: Fields;
  /** Comments behind values, if they differ from the usual ones. */
  comments?: Fields;
  lotwMode: string;
  at: number;
  rxqso: number;
  rxqsl: number | null;
}

/** A contact as it is uploaded. */
export interface Upload {
  own: string;
  call: string;
  band: string;
  mode: string;
  submode?: string;
  at: number;
  /** MHz. */
  freq?: number;
  freqRx?: number;
  prop?: string;
  sat?: string;
  rxqso?: number;
  /** `MY_…` fields. */
  my?: Fields;
  qsl?: Confirmation;
}

export interface Confirmation {
  rxqsl: number;
  /** The partner's location and similar: DXCC, STATE, GRIDSQUARE, CQZ … */
  detail?: Fields;
  /** The partner's mode if it differs. */
  theirMode?: string;
}

export interface QrzBook {
  key: string;
  call: string;
  owner?: string;
  subscribed: boolean;
  bookid: number;
  name: string;
  records: QrzRecord[];
}

export interface QrzRecord {
  logid: number;
  modified: number;
  fields: Fields;
  /** Names of the fields that are sent in Latin-1 instead of UTF-8. */
  latin1?: readonly string[];
}

/** The data of both services. Tests and the demo change it while the services run. */
export class Store {
  readonly users: LotwUser[] = [];
  readonly books: QrzBook[] = [];
  readonly #qsos = new Map<string, LotwQso[]>();

  addUser(user: LotwUser): LotwUser {
    this.users.push(user);
    this.#qsos.set(user.login.toLowerCase(), []);
    return user;
  }

  findUser(login: string): LotwUser | undefined {
    return this.users.find((user) => user.login.toLowerCase() === login.toLowerCase());
  }

  qsosOf(login: string): LotwQso[] {
    const qsos = this.#qsos.get(login.toLowerCase());
    if (qsos === undefined) throw new Error(`The store has no user ${login}`);
    return qsos;
  }

  upload(contact: Upload): LotwQso {
    const user = this.users.find(({ calls }) => calls.includes(contact.own));
    if (user === undefined) throw new Error(`The store has no user with the call ${contact.own}`);
    const lotwMode = toLotwMode(contact.mode, contact.submode);
    const rxqso = contact.rxqso ?? contact.at;
    const qso: LotwQso = { fields: ownFields(contact, lotwMode, rxqso), lotwMode, at: contact.at, rxqso, rxqsl: null };
    if (contact.qsl !== undefined) this.confirm(qso, contact.qsl);
    this.qsosOf(user.login).push(qso);
    return qso;
  }

  confirm(qso: LotwQso, { rxqsl, detail, theirMode }: Confirmation): void {
    const twoWay = theirMode === undefined || theirMode === qso.lotwMode;
    qso.rxqsl = rxqsl;
    Object.assign(qso.fields, detail, {
      QSL_RCVD: "Y",
      QSLRDATE: formatAdifDate(rxqsl),
      APP_LOTW_RXQSL: formatStamp(rxqsl),
      APP_LOTW_2XQSL: twoWay ? "Y" : "N",
      ...(twoWay ? {} : { APP_LOTW_QSLMODE: theirMode }),
    });
  }

  addBook(book: Omit<QrzBook, "records"> & { records?: QrzRecord[] }): QrzBook {
    const kept = { ...book, records: (book.records ?? []).sort((a, b) => a.logid - b.logid) };
    this.books.push(kept);
    return kept;
  }

  /** Adds a record to a logbook, with the next logid unless it has one. */
  addRecord(book: QrzBook, record: Omit<QrzRecord, "logid"> & { logid?: number }): QrzRecord {
    const logid = record.logid ?? (book.records.at(-1)?.logid ?? 100_000_000) + 1;
    const kept = {
      ...record,
      logid,
      fields: { APP_QRZLOG_LOGID: String(logid), APP_QRZLOG_STATUS: "N", ...record.fields },
    };
    const isNewest = logid > (book.records.at(-1)?.logid ?? 0);
    book.records.push(kept);
    if (!isNewest) book.records.sort((a, b) => a.logid - b.logid);
    return kept;
  }
}

function ownFields(contact: Upload, lotwMode: string, rxqso: number): Fields {
  const fields: Record<string, string | undefined> = {
    APP_LOTW_OWNCALL: contact.own,
    STATION_CALLSIGN: contact.own,
    ...contact.my,
    CALL: contact.call,
    BAND: contact.band.toUpperCase(),
    FREQ: contact.freq?.toFixed(5),
    FREQ_RX: contact.freqRx?.toFixed(5),
    ...toReportedMode(lotwMode),
    APP_LOTW_MODEGROUP: getModeGroup(lotwMode),
    PROP_MODE: contact.prop,
    SAT_NAME: contact.sat,
    QSO_DATE: formatAdifDate(contact.at),
    APP_LOTW_RXQSO: formatStamp(rxqso),
    TIME_ON: formatStamp(contact.at).slice(11).replaceAll(":", ""),
    APP_LOTW_QSO_TIMESTAMP: formatStamp(contact.at).replace(" ", "T") + "Z",
    QSL_RCVD: "N",
  };
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
