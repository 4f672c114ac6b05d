import type { AdifRecord, Fields } from "../domain/contact/adif-record.ts";
import type { CallFacts } from "../domain/radio/call-facts.ts";
import { DAY, HOUR, MINUTE, SECOND, type Cancel, type Clock, type Time } from "../kernel/clock.ts";
import { formatAdifDate } from "../kernel/instant.ts";
import { NO_LAYERS, type Layers } from "../domain/contact/layers.ts";
import { firstOrigin } from "../domain/origins/first.ts";
import { secondOrigin } from "../domain/origins/second.ts";
import { type AirContact, createContacts } from "./contacts.ts";
import type { Sleep } from "./delivery.ts";
import type { LotwFault, Plan, QrzFault } from "./faults.ts";
import { REPORT_FIELDS } from "./lotw-fields.ts";
import { SimulatedServices } from "./services.ts";
import { formatStamp } from "./timestamps.ts";
import type { LotwQso, QrzBook, QrzRecord } from "./store.ts";

export const OWN_CALL = "YU1DEMO";
const HOME = "KN04FT";

/** The credentials that the services accept. */
export const ACCOUNTS = {
  first: { username: "yu1demo", password: "first-service" },
  second: { apiKey: "D3M0-1234-ABCD-5678" },
} as const;

interface Surroundings {
  clock: Clock;
  sleep: Sleep;
  every: Time["every"];
  locate: CallFacts["locate"];
  seed?: number;
}

/** A contact with its record at each service. */
export interface Entry {
  contact: AirContact;
  lotw: LotwQso;
  qrz: QrzRecord;
}

interface News {
  contacts: number;
  confirmations: number;
  /** Contacts that the operator uploads late. */
  also?: readonly AirContact[];
}

const YEARS = 20 * 365.25 * DAY;
const CONTACTS = 3_200;
const NO_END_OF_CONTACTS = 1e9;

/** Both services with a log of twenty years, to which contacts are added over time. */
export class SimulatedWorld {
  readonly services: SimulatedServices;
  /** Every contact that both services know. */
  readonly entries: Entry[] = [];
  readonly #book: QrzBook;
  readonly #random: () => number;
  readonly #clock: Clock;
  readonly #ahead: Generator<AirContact>;
  readonly #every: Time["every"];
  #endNews: Cancel = () => {};

  constructor({ clock, sleep, every, locate, seed = 1 }: Surroundings) {
    const random = createRandom(seed);
    this.#random = random;
    this.#clock = clock;
    this.#every = every;
    this.services = new SimulatedServices({ clock, random: createRandom(seed + 1), sleep });
    const { store, second } = this.services;
    second.perMinute = 600;
    store.addUser({ ...ACCOUNTS.first, login: ACCOUNTS.first.username, calls: [OWN_CALL, `${OWN_CALL}/P`] });
    const book = { key: ACCOUNTS.second.apiKey, call: OWN_CALL, subscribed: true, bookid: 100_001, name: "Demo" };
    this.#book = store.addBook(book);

    const now = clock();
    const common = { own: OWN_CALL, home: HOME, locate, random };
    const past = { ...common, from: now - YEARS, to: now - 1 * DAY, contacts: CONTACTS };
    for (const contact of createContacts(past)) this.entries.push(this.#enter(contact, now));
    this.#ahead = createContacts({ ...common, from: now, to: now, contacts: NO_END_OF_CONTACTS });
  }

  /** Uploads new contacts and confirms older ones, as of now. */
  addNews({ contacts, confirmations, also = [] }: News): void {
    const now = this.#clock();
    for (const contact of also) this.entries.push(this.#enter(contact, now, false));
    for (let number = 1; number <= contacts; number++) {
      this.entries.push(this.#enter(this.createContact(now - number * MINUTE), now, false));
    }
    for (let number = 0; number < confirmations; number++) {
      const entry = this.entries[Math.floor(this.entries.length * this.#random())]!;
      if (entry.lotw.rxqsl === null) this.services.store.confirm(entry.lotw, confirmationOf(entry.contact, now));
      if (entry.qrz.fields.APP_QRZLOG_STATUS !== "C") confirmRecord(entry.qrz, now);
    }
  }

  /** A contact that no service knows yet. */
  createContact(at: number): AirContact {
    const contact = this.#ahead.next().value as AirContact;
    return { ...contact, at: Math.floor(at / SECOND) * SECOND };
  }

  /** Adds a record to QRZ only, as if it was typed there. */
  addRecord(fields: Fields): void {
    this.services.store.addRecord(this.#book, { modified: this.#clock(), fields });
  }

  /** Starts adding news every minute and making each service fail from time to time. */
  start(): void {
    const { first, second } = this.services;
    first.generationDelay = REPORT_TAKES;
    fallIll<LotwFault>(first, 10, [{ kind: "busy" }, { kind: "truncate", at: 700 }, { kind: "status", status: 503 }]);
    fallIll<QrzFault>(second, 40, [
      { kind: "status", status: 503 },
      { kind: "truncate", at: 300 },
    ]);
    this.#endNews = this.#every(1 * MINUTE, () => this.addNews(NEWS));
  }

  async stop(): Promise<void> {
    this.#endNews();
    await this.services.stop();
  }

  #enter(contact: AirContact, now: number, isOld = true): Entry {
    const { store } = this.services;
    const { own, partner, at, band, freq, mode, submode, satellite } = contact;
    const replies = this.#random();
    const repliedAt = at + HOUR + Math.floor(this.#random() ** 4 * 500) * DAY;
    const isAnswered = isOld && repliedAt < now;
    const lotw = store.upload({
      own,
      call: partner.call,
      band,
      mode,
      submode,
      at,
      freq,
      rxqso: isOld ? at + HOUR : now,
      my: { MY_DXCC: "296", MY_COUNTRY: "SERBIA", MY_GRIDSQUARE: HOME, MY_CQ_ZONE: "15", MY_ITU_ZONE: "28" },
      ...(satellite && { prop: "SAT", sat: satellite }),
    });
    if (isAnswered && replies < 0.46) store.confirm(lotw, confirmationOf(contact, repliedAt));
    const modified = isOld ? at + 2 * HOUR : now;
    const qrz = store.addRecord(this.#book, { modified, fields: recordOf(contact) });
    if (isAnswered && replies > 0.32 && replies < 0.66) confirmRecord(qrz, repliedAt);
    return { contact, lotw, qrz };
  }
}

const NEWS: News = { contacts: 1, confirmations: 3 };

/** Long enough to see a running job. */
const REPORT_TAKES = 600;

/** A sync gives up after one request and two retries. */
const ILL_FOR = 3;

interface Patient<Fault> {
  requests: readonly unknown[];
  fail(plan: Plan<Fault>): unknown;
}

/** Works for some requests, then fails for long enough to make a sync fail, in another way each time. */
const fallIll = <Fault extends { kind: string }>(
  service: Patient<Fault>,
  wellFor: number,
  faults: readonly Fault[],
): void => {
  const asked = service.requests.length;
  const spell = wellFor + ILL_FOR;
  for (const [index, fault] of faults.entries()) {
    const when = ({ number }: { number: number }) => {
      const place = (number - asked - 1) % (spell * faults.length);
      return Math.floor(place / spell) === index && place % spell >= wellFor;
    };
    service.fail({ ...fault, times: Number.POSITIVE_INFINITY, when });
  }
};

/** The layers of a contact after both services were synced. */
export const buildSyncedLayers = ({ lotw, qrz }: Pick<Entry, "lotw" | "qrz">): Layers => {
  const asked = firstOrigin.merge(NO_LAYERS, { fields: pickAlwaysShown(lotw.fields) }, "qso");
  const confirmed = lotw.rxqsl === null ? asked : firstOrigin.merge(asked, { fields: { ...lotw.fields } }, "qsl");
  return secondOrigin.merge(confirmed, { fields: { ...qrz.fields } });
};

/** The contact as a logging program writes it. */
export const toFileRecord = (contact: AirContact): AdifRecord => {
  const { at, mode, submode } = contact;
  const time = formatStamp(at).slice(11).replaceAll(":", "");
  return { fields: { ...recordOf(contact), TIME_ON: time, MODE: mode, ...(submode && { SUBMODE: submode }) } };
};

const ALWAYS = REPORT_FIELDS.filter(({ detail }) => detail === "always" || detail === "withown").map(({ key }) => key);

/** The fields that LoTW sends without detail options. */
const pickAlwaysShown = (fields: Fields): Fields =>
  Object.fromEntries(ALWAYS.flatMap((key) => (fields[key] === undefined ? [] : [[key, fields[key]]])));

const confirmationOf = ({ partner }: AirContact, rxqsl: number) => ({
  rxqsl,
  detail: given({
    DXCC: String(partner.dxcc),
    COUNTRY: partner.country.toUpperCase(),
    PFX: partner.prefix,
    GRIDSQUARE: partner.grid,
    STATE: partner.state,
    IOTA: partner.iota,
    CQZ: String(partner.cqZone).padStart(2, "0"),
    ITUZ: String(partner.ituZone).padStart(2, "0"),
  }),
});

const confirmRecord = (record: QrzRecord, at: number): void => {
  record.modified = at;
  Object.assign(record.fields, { APP_QRZLOG_STATUS: "C", APP_QRZLOG_QSLDATE: formatAdifDate(at) });
};

const recordOf = ({ own, partner, at, band, freq, mode, submode, satellite }: AirContact): Fields => {
  const minute = formatStamp(at).slice(11, 16).replace(":", "");
  const report = mode === "SSB" || mode === "FM" ? "59" : mode === "CW" || mode === "RTTY" ? "599" : "-12";
  return given({
    BAND: band,
    CALL: partner.call,
    CONT: partner.continent,
    COUNTRY: partner.country,
    CQZ: String(partner.cqZone),
    DXCC: String(partner.dxcc),
    FREQ: String(freq),
    GRIDSQUARE: partner.grid,
    IOTA: partner.iota,
    ITUZ: String(partner.ituZone),
    MODE: submode ?? mode,
    NAME: partner.name,
    PROP_MODE: satellite && "SAT",
    QSO_DATE: formatAdifDate(at),
    QTH: partner.qth,
    RST_RCVD: report,
    RST_SENT: report,
    SAT_NAME: satellite,
    STATE: partner.state,
    STATION_CALLSIGN: own,
    TIME_ON: minute,
    TX_PWR: "100",
  });
};

const given = (fields: Record<string, string | null | undefined>): Fields =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] != null));

/** Random numbers from 0 to 1 that depend only on the seed. */
const createRandom = (seed: number): (() => number) => {
  let state = (seed * 7_919) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};
