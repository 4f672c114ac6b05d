import { pipeline, Readable } from "node:stream";
import { constants, createGzip } from "node:zlib";

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

/** Named, and not with a weight of nothing. */
const TAKES: Record<Encoding, RegExp> = {
  zstd: /(?:^|,)\s*zstd\s*(?!;\s*q=0(?:\.0*)?\s*(?:,|$))(?:[;,]|$)/i,
  gzip: /(?:^|,)\s*gzip\s*(?!;\s*q=0(?:\.0*)?\s*(?:,|$))(?:[;,]|$)/i,
};

const encodingFor = ({ headers }: Request): Encoding | undefined => {
  const accepted = headers.get("accept-encoding");
  return accepted === null ? undefined : ENCODINGS.find((encoding) => TAKES[encoding].test(accepted));
};

/** Another site that may choose what is in a page must not learn from its length what else is. */
const isAskedFromElsewhere = ({ headers }: Request): boolean =>
  !["same-origin", "none", null].includes(headers.get("sec-fetch-site"));

/** Text is sent packed to who can unpack it. */
export const compressed = (request: Request, response: Response): Promise<Response> | Response => {
  const { headers } = response;
  const length = lengthOf(response);
  if (length < SHORTEST || !IS_TEXT.test(headers.get("content-type") ?? "") || headers.has("content-encoding"))
    return response;
  headers.append("vary", "accept-encoding");
  const encoding = encodingFor(request);
  if (!encoding || !response.body || request.method === "HEAD" || isAskedFromElsewhere(request)) return response;
  if (headers.get("x-accel-buffering") === "no") return packedInParts(request, response);
  if (length <= LONGEST_WHOLE) return packedWhole(response, encoding);
  return packed(response, response.body.getReader() as Reader, encoding);
};

/** Nobody knows it of what is still being made. */
const lengthOf = ({ headers }: Response): number => Number(headers.get("content-length") ?? Infinity);

const packedWhole = async (response: Response, encoding: Encoding): Promise<Response> => {
  const { status, headers } = response;
  const bytes = PACK[encoding](new Uint8Array(await response.arrayBuffer()));
  headers.set("content-encoding", encoding);
  headers.set("content-length", String(bytes.length));
  return new Response(bytes, { status, headers });
};

/** Each part can be unpacked as soon as it arrives. */
const packedInParts = (request: Request, { status, headers, body }: Response): Response => {
  if (!TAKES.gzip.test(request.headers.get("accept-encoding") ?? "")) return new Response(body, { status, headers });
  headers.set("content-encoding", "gzip");
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
  const parts = pipeline(Readable.fromWeb(body as never), gzip, () => {});
  return new Response(Readable.toWeb(parts) as unknown as ReadableStream, { status, headers });
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
  headers.delete("content-length");
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
