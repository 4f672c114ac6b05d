/** By how much the programs that ask want them; the quicker one is taken where both are. */
const ENCODINGS = ["zstd", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];
type Bytes = Uint8Array<ArrayBuffer>;

const PACK: Record<Encoding, (bytes: Bytes) => Bytes> = {
  zstd: (bytes) => new Uint8Array(Bun.zstdCompressSync(bytes, { level: 3 })),
  gzip: (bytes) => Bun.gzipSync(bytes, { level: 6 }),
};

/** Events are told one by one, and nothing may hold them back. */
const IS_TEXT = /^(text\/(?!event-stream)|application\/(json|javascript)|image\/svg\+xml)/;

/** What is shorter fits one packet as it is. */
const SHORTEST = 1_000;
/** What is longer is packed while it is made, so that memory does not grow with it. */
const LONGEST_WHOLE = 256 * 1024;

const encodingFor = ({ headers }: Request): Encoding | undefined => {
  const accepted = headers.get("accept-encoding")?.toLowerCase().split(",");
  const takes = (encoding: string) =>
    accepted!.some((one) => {
      const [name, ...parameters] = one.split(";").map((part) => part.trim());
      return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
  return accepted && ENCODINGS.find(takes);
};

/** Another site that may choose what is in a page must not learn from its length what else is. */
const isAskedFromElsewhere = ({ headers }: Request): boolean =>
  !["same-origin", "none", null].includes(headers.get("sec-fetch-site"));

/** Text is sent packed to who can unpack it. */
export const compressed = (request: Request, response: Response): Promise<Response> | Response => {
  const { headers } = response;
  if (!IS_TEXT.test(headers.get("content-type") ?? "") || headers.has("content-encoding")) return response;
  headers.append("vary", "accept-encoding");
  const encoding = encodingFor(request);
  if (!encoding || !response.body || request.method === "HEAD" || isAskedFromElsewhere(request)) return response;
  return packed(response, response.body.getReader() as Reader, encoding);
};

const packed = async ({ status, headers }: Response, reader: Reader, encoding: Encoding): Promise<Response> => {
  const begun = await beginningOf(reader);
  return new Response(bodyOf(begun, reader, encoding, headers), { status, headers });
};

interface Begun {
  pieces: Bytes[];
  length: number;
  isWhole: boolean;
}

interface Reader {
  read(): Promise<{ value?: Bytes; done: boolean }>;
  cancel(reason: unknown): Promise<void>;
}

const beginningOf = async (reader: Reader): Promise<Begun> => {
  const pieces: Bytes[] = [];
  for (let length = 0; ;) {
    if (length > LONGEST_WHOLE) return { pieces, length, isWhole: false };
    const { value, done } = await reader.read();
    if (done) return { pieces, length, isWhole: true };
    pieces.push(value!);
    length += value!.length;
  }
};

const bodyOf = ({ pieces, length, isWhole }: Begun, reader: Reader, encoding: Encoding, headers: Headers) => {
  if (isWhole && length < SHORTEST) return Buffer.concat(pieces);
  headers.set("content-encoding", encoding);
  if (isWhole) return PACK[encoding](Buffer.concat(pieces));
  return restOf(pieces, reader).pipeThrough(new CompressionStream(encoding));
};

const restOf = (pieces: Bytes[], reader: Reader) =>
  new ReadableStream<Bytes>({
    async pull(controller) {
      const { value, done } = pieces.length > 0 ? { value: pieces.shift(), done: false } : await reader.read();
      if (done) controller.close();
      else controller.enqueue(value!);
    },
    cancel: (reason) => reader.cancel(reason),
  });
