import type { Fields } from "../domain/contact/adif-record.ts";
import { findBand, type Band } from "../domain/radio/band.ts";
import { formatAdifDate, formatAdifTime, parseInstant } from "../kernel/instant.ts";
import { Broken, normaliseClient, removeEmpty, type ParsedContact, type Reading } from "./parsed-contact.ts";

type Words = Record<string, string>;

/**
 * Parses a packet of N1MM Logger+, DXLog and compatible programs. Packets about radios, spots and scores are ignored.
 */
export const parseN1mm = (packet: Uint8Array): Reading => {
  const { root, words } = parseElements(new TextDecoder().decode(packet));
  if (root === "contactdelete") return parseDeleted(words);
  if (root === "contactinfo" || root === "contactreplace") return parseMade(words, root === "contactreplace");
  return null;
};

const ROOT = /^(?:\s|<\?[^>]*>|<![^>]*>)*<([A-Za-z][\w.-]*)/;
const ELEMENT = /<([A-Za-z][\w.-]*)>([^<]*)<\/([A-Za-z][\w.-]*)>/g;

/** The child elements of the root with their text. These packets are not nested deeper. */
const parseElements = (text: string): { root: string; words: Words } => {
  const root = ROOT.exec(text.replace(/^\uFEFF/, ""))?.[1]?.toLowerCase();
  if (root === undefined) throw new Broken("not XML");
  const words: Words = Object.create(null);
  for (const [, name, value, end] of text.matchAll(ELEMENT)) {
    if (name === end) words[name!.toLowerCase()] = decodeEntities(value!).trim();
  }
  return { root, words };
};

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const MAX_CODE_POINT = 0x10ffff;

const decodeEntities = (text: string): string =>
  text
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()]!;
      const letter = decimal === undefined ? parseInt(hex, 16) : Number(decimal);
      return letter <= MAX_CODE_POINT ? String.fromCodePoint(letter) : whole;
    })
    .toWellFormed();

const getClient = ({ app, logger }: Words): string => normaliseClient(app || logger, "N1MM");

const nameIn = ({ id, guid }: Words): string | undefined => (id || guid)?.toLowerCase() || undefined;

const isNo = (word: string | undefined): boolean => /^(false|0)$/i.test(word ?? "");

/** Another station of the network logged it and sends it itself. */
const isCopy = ({ isoriginal, local }: Words): boolean => isNo(isoriginal) || (isoriginal === undefined && isNo(local));

const parseMade = (words: Words, isReplaced: boolean): ParsedContact[] => {
  if (isCopy(words)) return [];
  if (!words.call) throw new Broken("a contact without a callsign");
  const client = getClient(words);
  const name = nameIn(words);
  const fields = toFields(words);
  const isEdit = name !== undefined && (isReplaced || isNo(words.newqso));
  if (!isEdit) return [{ client, told: { kind: "contact", name, fields: removeEmpty(fields) } }];
  return [{ client, told: { kind: "edit", name, fields }, answers: markOf(client, name) }];
};

/** An edit arrives as a deletion followed by a replacement, so the deletion waits for the replacement. */
const parseDeleted = (words: Words): ParsedContact[] => {
  if (isCopy(words)) return [];
  const client = getClient(words);
  const name = nameIn(words);
  const fields = removeEmpty(toFields(words));
  if (name !== undefined) return [{ client, told: { kind: "delete", name }, awaits: markOf(client, name) }];
  if (!fields.CALL || !fields.QSO_DATE) throw new Broken("a deletion without a contact");
  return [{ client, told: { kind: "delete", fields } }];
};

const markOf = (client: string, name: string): string => `n1mm ${client} ${name}`;

/** The contact as ADIF. Missing values are empty, so that an edit can clear them. */
const toFields = (words: Words): Fields => {
  const said = (name: string) => words[name] ?? "";
  const band = parseBandEdge(words.band);
  const [sent, received] = [parseMegahertz(words.txfreq, band), parseMegahertz(words.rxfreq, band)];
  return {
    CALL: said("call").toUpperCase(),
    ...parseMoment(words.timestamp),
    BAND: band ?? "",
    FREQ: sent || received,
    FREQ_RX: sent !== "" && received !== sent ? received : "",
    MODE: said("mode"),
    STATION_CALLSIGN: said("mycall").toUpperCase(),
    OPERATOR: said("operator").toUpperCase(),
    RST_SENT: said("snt"),
    RST_RCVD: said("rcv"),
    STX: parseNumber(words.sntnr ?? words.nr),
    SRX: parseNumber(words.rcvnr),
    STX_STRING: said("sentexchange"),
    SRX_STRING: parseExchange(words) || said("section"),
    CONTEST_ID: said("contestname"),
    GRIDSQUARE: said("gridsquare"),
    PRECEDENCE: said("prec"),
    CHECK: parseNumber(words.ck),
    ARRL_SECT: /^ARRL/i.test(said("contestname")) ? said("section") : "",
    NAME: said("name"),
    QTH: said("qth"),
    COMMENT: said("comment"),
    PROP_MODE: said("prop_mode"),
    SAT_NAME: said("sat_name"),
  };
};

/** The number is 0 if no serial number was exchanged. */
const parseNumber = (word: string | undefined): string =>
  /^\d{1,9}$/.test(word ?? "") ? String(Number(word) || "") : "";

/** Some programs write the first digit of the element's name as a letter. */
const parseExchange = ({ exchange1, exchangel, exch1, exch2, exch3, exch4 }: Words): string =>
  exchange1 || exchangel || [exch1, exch2, exch3, exch4].filter(Boolean).join(" ");

/** The lower edges of bands in megahertz, as rounded by these programs. */
const BANDS: Record<string, Band> = {
  "0.137": "2190m",
  "0.472": "630m",
  "1.8": "160m",
  "3.5": "80m",
  "5": "60m",
  "7": "40m",
  "10": "30m",
  "14": "20m",
  "18": "17m",
  "21": "15m",
  "24": "12m",
  "28": "10m",
  "50": "6m",
  "70": "4m",
  "144": "2m",
  "222": "1.25m",
  "420": "70cm",
  "432": "70cm",
  "902": "33cm",
  "1240": "23cm",
  "1296": "23cm",
  "2300": "13cm",
  "3300": "9cm",
  "5650": "6cm",
  "10000": "3cm",
};

const parseBandEdge = (word: string | undefined): Band | null => {
  const number = (word ?? "").replace(",", ".");
  return /^\d{1,6}(\.\d{1,4})?$/.test(number)
    ? (BANDS[String(Number(number))] ?? findBand(Number(number) * 1e6))
    : null;
};

/** In tens of hertz, in some programs in hertz: the band decides. */
const parseMegahertz = (word: string | undefined, band: Band | null): string => {
  if (!/^\d{1,13}$/.test(word ?? "") || Number(word) === 0) return "";
  const [tens, plain] = [Number(word) * 10, Number(word)];
  const hertz = band !== null && findBand(tens) !== band && findBand(plain) === band ? plain : tens;
  return String(hertz / 1e6);
};

/** `2020-01-17 16:43:38`, in old packets `4/10/2016 4:17:41 PM`, always UTC. */
const parseMoment = (word: string | undefined): Fields => {
  const text = word?.trim() ?? "";
  if (text === "") return { QSO_DATE: "", TIME_ON: "" };
  const instant = parseInstant(...(splitIsoTime(text) ?? splitUsTime(text) ?? []));
  if (instant === null) throw new Broken(`a contact with an invalid time, ${JSON.stringify(text.slice(0, 30))}`);
  return { QSO_DATE: formatAdifDate(instant.at), TIME_ON: formatAdifTime(instant.at, true) };
};

/** A date and a time as `parseInstant` reads them. */
type DateAndTime = [date?: string, time?: string];

const splitIsoTime = (text: string): DateAndTime | null => {
  const [, year, month, day, time] =
    /^(\d{4})-(\d\d?)-(\d\d?)[ T](\d\d?:\d\d:\d\d)(?:\.\d{1,9})?(?:Z| ?UTC)?$/.exec(text) ?? [];
  return year === undefined ? null : [joinDate(year, month!, day!), time];
};

const splitUsTime = (text: string): DateAndTime | null => {
  const [, month, day, year, hour, minutes, half] =
    /^(\d\d?)\/(\d\d?)\/(\d{4}) (\d\d?)(:\d\d:\d\d)(?: ([AP])M)?$/i.exec(text) ?? [];
  if (year === undefined || (half !== undefined && (+hour! < 1 || +hour! > 12))) return null;
  const hours = half === undefined ? +hour! : (+hour! % 12) + (half.toUpperCase() === "P" ? 12 : 0);
  return [joinDate(year, month!, day!), hours + minutes!];
};

const joinDate = (year: string, month: string, day: string): string =>
  year + month.padStart(2, "0") + day.padStart(2, "0");
