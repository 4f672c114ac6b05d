import { formatAdifDate, formatAdifTime } from "../kernel/instant.ts";
import type { Fields } from "../domain/contact/adif-record.ts";
import { parseAdif, normalisePower } from "./adif.ts";
import { Broken, normaliseClient, removeEmpty, type ParsedContact, type Reading } from "./parsed-contact.ts";

const MAGIC = 0xadbccbda;
const SCHEMAS = [2, 3];
const QSO_LOGGED = 5;
const LOGGED_ADIF = 12;
const UTC = 1;
const NULL_TEXT = 0xffffffff;
/** The Julian day of 1970-01-01. */
const EPOCH_DAY = 2_440_588;
const DAY_MS = 86_400_000;
/** The Julian day of 9999-12-31. */
const MAX_JULIAN_DAY = 5_373_484;

/**
 * Parses a packet of WSJT-X, JTDX and compatible programs. Packets other than logged contacts, such as decodes, are
 * ignored.
 */
export const parseWsjtx = (packet: Uint8Array): Reading => {
  const body = new Body(packet);
  if (body.number32() !== MAGIC) throw new Broken("not a WSJT-X packet");
  if (!SCHEMAS.includes(body.number32())) throw new Broken("an unknown kind of packet");
  const type = body.number32();
  const client = normaliseClient(body.text(), "WSJT-X");
  if (type === LOGGED_ADIF) return parseLoggedAdif(body, client);
  return type === QSO_LOGGED ? [parseQsoLogged(body, client)] : null;
};

const parseLoggedAdif = (body: Body, client: string): ParsedContact[] =>
  parseAdif(body.bytes()).map(({ told }) => ({ client, told, sameAs: markOf(client, told.fields ?? {}) }));

/** Most programs also send the contact as ADIF, with more details, usually a moment later. */
const parseQsoLogged = (body: Body, client: string): ParsedContact => {
  const endedAt = body.moment();
  // In the order of the packet.
  const fields = removeEmpty({
    CALL: body.text(),
    GRIDSQUARE: body.text(),
    FREQ: formatMegahertz(body.number64()),
    MODE: body.text(),
    RST_SENT: body.text(),
    RST_RCVD: body.text(),
    TX_PWR: body.text(),
    COMMENT: body.text(),
    NAME: body.text(),
    ...formatTimes("", body.moment()),
    ...formatTimes("_OFF", endedAt),
    // The following fields were added in later versions and can be missing.
    OPERATOR: body.textIfAny(),
    STATION_CALLSIGN: body.textIfAny(),
    MY_GRIDSQUARE: body.textIfAny(),
    STX_STRING: body.textIfAny(),
    SRX_STRING: body.textIfAny(),
    PROP_MODE: body.textIfAny(),
  });
  if (fields.CALL === undefined) throw new Broken("a contact without a callsign");
  const mark = markOf(client, fields);
  return { client, told: { kind: "contact", fields: normalisePower(fields) }, awaits: mark, sameAs: mark };
};

const formatMegahertz = (hertz: number): string => (hertz > 0 ? String(hertz / 1e6) : "");

const formatTimes = (suffix: "" | "_OFF", at: number): Fields => ({
  [suffix === "" ? "QSO_DATE" : "QSO_DATE_OFF"]: formatAdifDate(at),
  [suffix === "" ? "TIME_ON" : "TIME_OFF"]: formatAdifTime(at, true),
});

/** Without times: the two forms of a contact can differ in them. */
const markOf = (client: string, { CALL = "" }: Fields): string => `wsjtx ${client} ${CALL.trim().toUpperCase()}`;

/** Reads the fields of a packet in order and throws at its end. */
class Body {
  readonly #packet: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(packet: Uint8Array) {
    this.#packet = packet;
    this.#view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
  }

  number32(): number {
    return this.#view.getUint32(this.#step(4));
  }

  /** Exact for every real frequency. */
  number64(): number {
    return Number(this.#view.getBigUint64(this.#step(8)));
  }

  bytes(): Uint8Array {
    const length = this.number32();
    if (length === NULL_TEXT) return new Uint8Array();
    const start = this.#step(length);
    return this.#packet.subarray(start, start + length);
  }

  text(): string {
    return new TextDecoder().decode(this.bytes());
  }

  textIfAny(): string {
    return this.#at < this.#packet.length ? this.text() : "";
  }

  /** A Julian day, milliseconds and a time spec. Only UTC is unambiguous. */
  moment(): number {
    const day = Number(this.#view.getBigInt64(this.#step(8)));
    const ms = this.number32();
    const kind = this.#view.getUint8(this.#step(1));
    if (kind !== UTC) throw new Broken("a contact with a time that is not UTC");
    if (day < EPOCH_DAY || day > MAX_JULIAN_DAY || ms >= DAY_MS) throw new Broken("a contact with an invalid time");
    return (day - EPOCH_DAY) * DAY_MS + ms;
  }

  #step(length: number): number {
    const start = this.#at;
    if (length > this.#packet.length - start) throw new Broken("an incomplete packet");
    this.#at = start + length;
    return start;
  }
}
