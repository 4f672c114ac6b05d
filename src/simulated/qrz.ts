import { type Clock, MINUTE } from "../kernel/clock.ts";
import { type Answer, createTextAnswer } from "./delivery.ts";
import { findFault, type QrzFault } from "./faults.ts";
import type { ReceivedRequest } from "./request-log.ts";
import { type QrzOptions, readOptions } from "./qrz-options.ts";
import { type QrzReply, type QrzStyle, formatReply, USUAL_STYLE } from "./qrz-reply.ts";
import { SimulatedService } from "./service.ts";
import type { QrzBook, QrzRecord, Store } from "./store.ts";

interface Surroundings {
  store: Store;
  clock: Clock;
  random: () => number;
}

export const QRZ_PATH = "/api";

/** QRZ: pages of one logbook per key, by POST. */
export class SimulatedQrz extends SimulatedService<QrzFault> {
  readonly path = QRZ_PATH;
  readonly style: QrzStyle = { ...USUAL_STYLE };
  /** Requests per minute for each key. */
  perMinute = 60;
  /** The largest page, whatever is requested. */
  most = Number.POSITIVE_INFINITY;
  readonly #recent = new Map<string, number[]>();
  readonly #lastCursor = new Map<string, number>();
  readonly #world: Surroundings;

  constructor(world: Surroundings) {
    super(world);
    this.#world = world;
  }

  accountOf(params: URLSearchParams): string {
    return params.get("KEY") ?? "";
  }

  async answer(request: ReceivedRequest, faults: QrzFault[], gone: AbortSignal): Promise<Answer> {
    if (request.method !== "POST") return createTextAnswer(405, "Method Not Allowed", { allow: "POST" });
    if (!isProperAgent(request.headers["user-agent"])) return createTextAnswer(403, "Forbidden");
    if (this.#isTooFast(request.account)) return createTextAnswer(429, "Too Many Requests", { "retry-after": "60" });

    await this.gate.waitUntilOpen(gone);
    const book = this.#world.store.books.find(({ key }) => key === request.account);
    const change = findFault(faults, "passwordChange");
    if (change !== undefined && book !== undefined) book.key = change.to ?? String(this.#world.random());
    return this.#send(this.#replyTo(request, book, faults), faults);
  }

  #replyTo({ account, params }: ReceivedRequest, book: QrzBook | undefined, faults: QrzFault[]): QrzReply {
    if (book?.key !== account) return createKeyRefusal(account);
    if (!book.subscribed) return NOT_SUBSCRIBED;
    switch (params.get("ACTION")) {
      case "STATUS":
        return createStatus(book, this.style);
      case "FETCH":
        return this.#entriesFor(book, params.get("OPTION") || "ALL", faults);
      default:
        return createFailure("the action is missing or not supported");
    }
  }

  #entriesFor(book: QrzBook, option: string, faults: QrzFault[]): QrzReply {
    const options = readOptions(option, findFault(faults, "clockSkew")?.by);
    if ("refusal" in options) return createFailure(options.refusal);

    const cursor = this.#cursor(book, options, faults);
    const most = Math.min(options.max, this.most);
    const countsAll = options.max === 0 || this.style.countIs === "total";
    const matches: QrzRecord[] = [];
    for (let at = findIndex(book.records, cursor); at < book.records.length; at++) {
      const record = book.records[at]!;
      if (options.matches(record)) matches.push(record);
      if (matches.length === most && !countsAll) break;
    }
    if (matches.length === 0) return this.style.emptyAs === "count" ? NO_MORE : NO_ENTRIES;
    const page = matches.slice(0, most);
    const count = countsAll ? matches.length : page.length;
    const entries: QrzReply["entries"] = [
      ["RESULT", "OK"],
      ["COUNT", String(count + (findFault(faults, "count")?.by ?? 0))],
    ];
    if (options.max === 0) return { entries };
    if (options.type === "LOGIDS")
      return { entries: [...entries, ["LOGIDS", page.map(({ logid }) => logid).join(",")]] };
    return { entries, records: page };
  }

  #cursor({ key }: QrzBook, { afterLogid }: QrzOptions, faults: QrzFault[]): number {
    if (findFault(faults, "ignoreCursor") !== undefined) return 0;
    if (findFault(faults, "duplicatePage") !== undefined) return this.#lastCursor.get(key) ?? 0;
    this.#lastCursor.set(key, afterLogid);
    return afterLogid;
  }

  #send(reply: QrzReply, faults: QrzFault[]): Answer {
    const style: QrzStyle = { ...this.style };
    if (findFault(faults, "crlf") !== undefined) style.lineEnd = "\r\n";
    if (findFault(faults, "latin1") !== undefined) style.encoding = "latin1";
    return {
      status: 200,
      headers: { "content-type": "text/html" },
      body: formatReply(reply, style, this.#world.random),
    };
  }

  #isTooFast(key: string): boolean {
    const now = this.#world.clock();
    const recent = (this.#recent.get(key) ?? []).filter((at) => at > now - 1 * MINUTE);
    recent.push(now);
    this.#recent.set(key, recent);
    return recent.length > this.perMinute;
  }
}

/** The index of the first record from a logid on. A book is sorted by logid. */
function findIndex(records: readonly QrzRecord[], logid: number): number {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (records[middle]!.logid < logid) low = middle + 1;
    else high = middle;
  }
  return low;
}

const NOT_SUBSCRIBED: QrzReply = {
  entries: [
    ["STATUS", "AUTH"],
    ["REASON", "user does not have a valid QRZ subscription to use this function\n"],
    ["EXTENDED", ""],
  ],
};

const NO_MORE: QrzReply = {
  entries: [
    ["COUNT", "0"],
    ["RESULT", "FAIL"],
  ],
};

const NO_ENTRIES: QrzReply = {
  entries: [
    ["RESULT", "FAIL"],
    ["REASON", "no log entries found"],
  ],
};

/** QRZ repeats the key without its dashes. */
function createKeyRefusal(key: string): QrzReply {
  return {
    entries: [
      ["STATUS", "AUTH"],
      ["RESULT", "AUTH"],
      ["REASON", `invalid api key ${key.replaceAll("-", "")}\n`],
      ["EXTENDED", ""],
    ],
  };
}

function createFailure(reason: string): QrzReply {
  return {
    entries: [
      ["STATUS", "FAIL"],
      ["RESULT", "FAIL"],
      ["REASON", reason],
      ["EXTENDED", ""],
    ],
  };
}

function createStatus(book: QrzBook, style: QrzStyle): QrzReply {
  const dates = book.records.map(({ fields }) => fields.QSO_DATE).sort();
  const entities = new Set(book.records.map(({ fields }) => fields.DXCC).filter(Boolean));
  const facts: QrzReply["entries"] = [
    ["COUNT", String(book.records.length)],
    ["CONFIRMED", String(book.records.filter(({ fields }) => fields.APP_QRZLOG_STATUS === "C").length)],
    ["DXCC_COUNT", String(entities.size)],
    ["OWNER", book.owner ?? book.call],
    ["CALLSIGN", book.call],
    ["BOOKID", String(book.bookid)],
    ["BOOK_NAME", book.name],
    ["START_DATE", dashed(dates.at(0))],
    ["END_DATE", dashed(dates.at(-1))],
  ];
  const nested: QrzReply["entries"] = [["DATA", facts.map(([key, value]) => `${key}=${value}`).join("&")]];
  return { entries: [["RESULT", "OK"], ["ACTION", "STATUS"], ...(style.statusAs === "flat" ? facts : nested)] };
}

function dashed(date = ""): string {
  return date.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");
}

/** `App/version` or `App/version (CALL)`, at most 128 characters, and not the default name of a library. */
function isProperAgent(agent = ""): boolean {
  return agent.length <= 128 && /^[\w.-]+\/[\w.+-]+( \([^()]+\))?$/.test(agent) && !GENERIC.test(agent);
}

const GENERIC =
  /^(bun|node|node-fetch|undici|axios|got|deno|python-requests|python-urllib|curl|wget|go-http-client|okhttp|java)\//i;
