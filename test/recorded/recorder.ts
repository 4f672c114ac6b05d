import { setSystemTime } from "bun:test";
import type { Answer, Asker } from "../support/app.ts";
import { hashOf, type Answers, type Recording } from "./answers.ts";
import type { CommandOptions, Program } from "./program.ts";

interface Sent {
  /** A username, or `nobody`. */
  by?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** The name of the request in the recording, if its path or body is long or contains a secret. */
  called?: string;
}

/** Exports up to this size are stored unchanged. */
const SHORT_EXPORT = 200_000;
const LINES_A_HASH = 1_000;
/** Only the header of an export differs between programs. */
const MAX_HEADER_LENGTH = 1_000;

/** Sends requests and stores each answer. */
export class Recorder {
  readonly recording: Recording = new Map();
  readonly #program: Program;
  readonly #askers = new Map<string, Promise<Asker>>();
  #answers: Answers = new Map();

  constructor(program: Program) {
    this.#program = program;
  }

  get program(): Program {
    return this.#program;
  }

  async group(name: string, ask: (recorder: Recorder) => Promise<void>): Promise<void> {
    this.#answers = new Map();
    this.#askers.clear();
    this.recording.set(name, this.#answers);
    const before = process.cpuUsage();
    await ask(this);
    const { user, system } = process.cpuUsage(before);
    if (process.env.QSOLOG_RECORD_ANSWERS)
      console.log(`${name}: ${this.#answers.size} answers, ${((user + system) / 1e6).toFixed(1)} s`);
  }

  /** Stores the answer of a request. */
  async send(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const { by = "bob", body, headers, called } = sent;
    const answer = await this.#ask(() => this.#asker(by).then((asker) => asker.send(method, path, { body, headers })));
    const words =
      body === undefined ? "" : ` ${typeof body === "string" ? `(${body.length} characters)` : JSON.stringify(body)}`;
    this.#keep(called ?? `${by === "bob" ? "" : `${by}: `}${method} ${path}${words}`, this.#contentOf(answer));
    return answer;
  }

  get(path: string, sent: Sent = {}): Promise<Answer> {
    return this.send("GET", path, sent);
  }

  async each(paths: readonly string[], sent: Sent = {}): Promise<void> {
    for (const path of paths) await this.get(path, sent);
  }

  post(path: string, body?: unknown, sent: Sent = {}): Promise<Answer> {
    return this.send("POST", path, { ...sent, body });
  }

  /** Stores the answer that starts a job, and the job when it has ended. */
  async job(path: string, body?: unknown, sent: Sent = {}): Promise<number> {
    const answer = await this.post(path, body, sent);
    await this.#program.app.runner.idle();
    const { id } = answer.body.job;
    await this.get(`/api/jobs/${id}`);
    this.#program.app.clock.advance(60_000);
    return id;
  }

  /** Follows the cursors of a list forwards, and backwards if possible, and stores the ids of each page. */
  async pages(path: string, list: string, most = 40): Promise<void> {
    const forwards: unknown[] = [];
    const backwards: unknown[] = [];
    const ids = (answer: Answer) =>
      answer.body[list].map((row: any) => row.id ?? row.contacts?.map(({ id }: any) => id));
    const at = (name: string, cursor: string) =>
      `${path}${path.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(cursor)}`;
    const read = async (to: string) => {
      const answer = await this.#ask(() => this.#asker("bob").then((asker) => asker.get(to)));
      if (answer.status !== 200) throw new Error(`${to} gives ${answer.status}: ${answer.text}`);
      return answer;
    };
    let page = await read(path);
    forwards.push(ids(page));
    for (let read_ = 1; page.body.nextCursor !== null && read_ < most; read_++) {
      page = await read(at("cursor", page.body.nextCursor));
      forwards.push(ids(page));
    }
    while (page.body.previousCursor) {
      page = await read(at("before", page.body.previousCursor));
      backwards.push(ids(page));
    }
    this.#keep(`GET ${path}, page after page`, { total: page.body.total, forwards, backwards });
  }

  /** Sends a request twice, the second time with the ETag of the first answer. */
  async again(path: string): Promise<void> {
    const asker = await this.#asker("bob");
    const first = await this.#ask(() => asker.get(path));
    const etag = first.headers.get("etag");
    const second = await asker.get(path, { "if-none-match": etag ?? "" });
    const cache = first.headers.get("cache-control");
    this.#keep(`GET ${path}, again`, {
      status: first.status,
      isWeak: etag?.startsWith("W/"),
      cache,
      again: second.status,
    });
  }

  /** Stores the output of a command. Its clock shows the program's time. */
  async command(words: readonly string[], options: CommandOptions = {}): Promise<void> {
    setSystemTime(this.#program.app.clock());
    try {
      const { code, out, err } = await this.#program.command(words, options);
      const isJson = words.includes("--json") && code === 0 && out.trim().split("\n").length === 1;
      const said = isJson ? this.#steady(JSON.parse(out)) : linesOf(this.#steadyText(out));
      const asked = `$ qsolog ${words.map((word) => (/^[\w@%+=:,./*-]+$/.test(word) ? word : `'${word}'`)).join(" ")}`;
      const where = options.width === undefined ? "" : `, ${options.width} columns`;
      this.#keep(this.#steadyText(asked + where), { code, out: said, err: linesOf(this.#steadyText(err)) });
    } finally {
      setSystemTime();
    }
  }

  /** Stores the text of a page. */
  async page(path: string, by = "bob"): Promise<void> {
    const browser = await this.#program.app.browser(this.#userOf(by));
    const { status, headers, text } = await browser.get(path, { accept: "text/html" });
    this.#keep(`${by}: page ${path}`, {
      status,
      to: headers.get("location"),
      text: linesOf(this.#steadyText(textOf(text))),
    });
  }

  #keep(asked: string, answer: unknown): void {
    const times = [...this.#answers.keys()].filter((one) => one.replace(/ \(\d+\)$/, "") === asked).length;
    this.#answers.set(times === 0 ? asked : `${asked} (${times + 1})`, JSON.parse(JSON.stringify(answer)));
  }

  #userOf(name: string) {
    const user = this.#program.users[name];
    if (!user) throw new Error(`there is no user ${name}`);
    return user;
  }

  #asker(by: string): Promise<Asker> {
    if (by === "nobody") return Promise.resolve(this.#program.app.visitor);
    const known = this.#askers.get(by) ?? this.#program.app.as(this.#userOf(by));
    this.#askers.set(by, known);
    return known;
  }

  /** A server can ask to retry while it builds a past log; that is not an answer. */
  async #ask(send: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await send();
      if (answer.status !== 503 || !answer.headers.has("retry-after")) return answer;
      await Bun.sleep(50);
    }
  }

  #contentOf({ status, headers, text, body }: Answer) {
    const type = headers.get("content-type");
    const facts = {
      status,
      type,
      to: headers.get("location") ?? undefined,
      file: headers.get("content-disposition") ?? undefined,
    };
    if (body !== null && typeof body === "object") return { ...facts, body: this.#steady(body) };
    if (text.length <= SHORT_EXPORT) return { ...facts, lines: linesOf(this.#steadyText(text)) };
    return {
      ...facts,
      ...digestOf(this.#steadyText(text.slice(0, MAX_HEADER_LENGTH)) + text.slice(MAX_HEADER_LENGTH)),
    };
  }

  #steady(value: unknown, name = ""): unknown {
    if (typeof value === "string") return HIDDEN[name] ?? this.#steadyText(value);
    if (typeof value === "number") return HIDDEN[name] ?? value;
    if (Array.isArray(value)) return value.map((item) => this.#steady(item, name));
    if (typeof value !== "object" || value === null) return value;
    const fields = Object.entries(value).filter(([key]) => !OWN_BUSINESS.includes(key));
    return Object.fromEntries(
      fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, this.#steady(item, key)]),
    );
  }

  #steadyText(text: string): string {
    const { dataDir, config } = this.#program.app;
    return text
      .replaceAll(config.databaseUrl, "<data>/qsolog.db")
      .replaceAll(dataDir, "<data>")
      .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:<port>")
      .replace(/qsl_[\w-]{43}/g, "qsl_<token>")
      .replace(/whsec_[\w-]{43}/g, "whsec_<key>")
      .replace(/(--cursor |cursor=|before=)[\w%.-]+/g, "$1<cursor>")
      .replace(/(PROGRAMVERSION:)\d+>[^\n<]*/g, "$1<version>")
      .replace(/("PROGRAMVERSION"[^>]*>|<PROGRAMVERSION>)[^<]*/g, "$1<version>")
      .replace(/(\/assets\/[\w-]+)\.[\w-]+\./g, "$1.<hash>.")
      .replace(/CREATED-BY: qsolog .*/g, "CREATED-BY: qsolog <version>")
      .replace(/^Version\n.*$/gm, "Version\n<version>")
      .replace(/^\d+(\.\d+)? MB$/gm, "<size>");
  }
}

/** Values that belong to one program or change with its version, by name. */
const HIDDEN: Record<string, string> = {
  nextCursor: "<cursor>",
  previousCursor: "<cursor>",
  version: "<version>",
  databaseBytes: "<bytes>",
  sizeBytes: "<bytes>",
  token: "<token>",
  challenge: "<challenge>",
  tickSeconds: "<seconds>",
};

/** Clients must not rely on these, according to the contract. */
const OWN_BUSINESS = ["cursorBefore", "cursorAfter"];

const linesOf = (text: string): string[] => text.split("\n");

/** Enough to see whether and where a long text differs. */
const digestOf = (text: string) => {
  const lines = linesOf(text);
  const hashes: string[] = [];
  for (let start = 0; start < lines.length; start += LINES_A_HASH) {
    hashes.push(hashOf(lines.slice(start, start + LINES_A_HASH).join("\n")).slice(0, 16));
  }
  return {
    sha256: hashOf(text),
    bytes: Buffer.byteLength(text),
    hashes,
    first: lines.slice(0, 8),
    last: lines.slice(-4),
  };
};

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'", nbsp: " " };

/** The text of a page, one line per element. */
const textOf = (html: string): string =>
  html
    .replace(/<(script|style|svg)\b.*?<\/\1>/gs, "")
    .replace(/<[^>]+>/g, "\n")
    .replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/[ \t]+/g, " ")
    .replace(/\s*\n\s*/g, "\n")
    .trim();
