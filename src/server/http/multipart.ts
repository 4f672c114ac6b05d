import { AppError } from "../../kernel/errors.ts";

const MAX_HEADER_BYTES = 16_384;
const MAX_BLANKS = 100;
const NEW_LINE = Buffer.from("\r\n");
const END_OF_HEADERS = Buffer.from("\r\n\r\n");

const broken = (): AppError => new AppError("invalid", "The upload is incomplete. Send the form again with a file.");

/** A stream of bytes that keeps only what is needed to find the next mark. */
class Incoming {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #held: Buffer = NEW_LINE;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#pieces = body[Symbol.asyncIterator]();
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#pieces.next();
    if (done) throw broken();
    this.#held = this.#held.length === 0 ? Buffer.from(value) : Buffer.concat([this.#held, value]);
  }

  /** Yields the bytes before a mark, then continues after it. */
  async *until(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      const end = at >= 0 ? at : Math.max(0, this.#held.length - mark.length + 1);
      const before = this.#held.subarray(0, end);
      this.#held = this.#held.subarray(at >= 0 ? at + mark.length : end);
      if (before.length > 0) yield before;
      if (at >= 0) return;
      await this.#more();
    }
  }

  async take(count: number): Promise<string> {
    while (this.#held.length < count) await this.#more();
    const taken = this.#held.subarray(0, count).toString("latin1");
    this.#held = this.#held.subarray(count);
    return taken;
  }

  async textUntil(mark: Buffer): Promise<string> {
    let text = "";
    for await (const piece of this.until(mark)) {
      text += piece.toString("latin1");
      if (text.length > MAX_HEADER_BYTES) throw broken();
    }
    return text;
  }

  close(): Promise<unknown> {
    return Promise.resolve(this.#pieces.return?.());
  }
}

/** The boundary of a form with a file; null for other types. */
export const boundaryOf = (contentType: string | null): string | null => {
  if (!contentType?.toLowerCase().startsWith("multipart/form-data")) return null;
  const [, , plain, quoted] = /;\s*boundary=(([^\s";,]{1,100})|"([^"]{1,100})")/i.exec(contentType) ?? [];
  const boundary = plain ?? quoted;
  if (boundary === undefined) throw broken();
  return boundary;
};

const DISPOSITION = /^content-disposition[ \t]*:((?:[^\r\n]|\r\n[ \t])*)/im;
const TYPE = /^[ \t]*form-data[ \t]*(?=;|$)/i;
/** `name=value`, `name="value"` or `name*=UTF-8''value`, as RFC 7578 and RFC 6266 allow them. */
const PARAMETER = /[ \t]*;[ \t]*(?:([\w!#$&+.^`|~-]+\*?)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))[ \t]*)?/y;

/** The parameters of a part's Content-Disposition, with names in lower case; null unless it is a valid form field. */
const parseDisposition = (headers: string): Map<string, string> | null => {
  const text =
    DISPOSITION.exec(headers)?.[1]
      ?.replaceAll(/\r\n[ \t]/g, " ")
      .trimEnd() ?? "";
  const parameters = new Map<string, string>();
  for (PARAMETER.lastIndex = TYPE.exec(text)?.[0].length ?? 0; PARAMETER.lastIndex < text.length;) {
    const found = PARAMETER.exec(text);
    if (found === null) return null;
    const [, name, quoted, token] = found;
    if (name !== undefined) parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, "$1") ?? token!);
  }
  return parameters;
};

/** The contents of the file with this name in a form. */
export async function* fileIn(body: AsyncIterable<Uint8Array>, boundary: string, name: string): AsyncGenerator<Buffer> {
  const incoming = new Incoming(body);
  const mark = Buffer.from(`\r\n--${boundary}`, "latin1");
  try {
    for (;;) {
      // Parts that nobody asked for are skipped, not kept in memory.
      for await (const _ of incoming.until(mark));
      let after = await incoming.take(2);
      // Blanks can follow a boundary.
      for (let blanks = 0; /^[ \t]/.test(after) && blanks < MAX_BLANKS; blanks++) {
        after = after.slice(1) + (await incoming.take(1));
      }
      if (after === "--") throw new AppError("invalid", "The request contains no file.");
      if (after !== "\r\n") throw broken();
      const disposition = parseDisposition(await incoming.textUntil(END_OF_HEADERS));
      if (disposition?.get("name") !== name || !(disposition.has("filename") || disposition.has("filename*"))) continue;
      yield* incoming.until(mark);
      return;
    }
  } finally {
    await incoming.close();
  }
}
