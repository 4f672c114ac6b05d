import type { Duplex } from "node:stream";

/** Streams are loaded with the first long answer, because a start has no use for them. */
const nodeStream = () => process.getBuiltinModule("node:stream");
const nodeZlib = () => process.getBuiltinModule("node:zlib");

/** Without events, because each must arrive when it is sent. */
const IS_TEXT = /^(text\/(?!event-stream)|application\/(json|javascript)|image\/svg\+xml)/;

/** A shorter answer fits into one packet uncompressed. */
const MIN_BYTES = 1_000;
/** A longer answer is compressed in a thread, so that other requests do not wait. */
const MAX_SYNC_BYTES = 256_000;

interface Encoding {
  name: string;
  compress(bytes: ArrayBuffer): Uint8Array | Buffer;
  /** For a response that must not be buffered, each part can be decompressed when it arrives. */
  stream(isUnbuffered: boolean): Duplex;
}

const ZSTD: Encoding = {
  name: "zstd",
  compress: (bytes) => Bun.zstdCompressSync(bytes),
  stream: () => nodeZlib().createZstdCompress(),
};
const GZIP: Encoding = {
  name: "gzip",
  compress: (bytes) => Bun.gzipSync(bytes),
  stream: (isUnbuffered) => {
    const { createGzip, constants } = nodeZlib();
    return createGzip(isUnbuffered ? { flush: constants.Z_SYNC_FLUSH } : {});
  },
};

/** Whether a header names an encoding. A weight of 0 refuses it. */
const accepts = (header: string, name: string): boolean =>
  header.split(",").some((part) => {
    const [coding = "", ...parameters] = part.split(";");
    return coding.trim().toLowerCase() === name && !/^\s*q=0(\.0*)?\s*$/i.test(parameters.join(";"));
  });

/** Another site that can choose what is in a page must not learn the rest from its length (BREACH). */
const isCrossSite = ({ headers }: Request): boolean =>
  !["same-origin", "none", null].includes(headers.get("sec-fetch-site"));

/** Compresses text for clients that accept it. */
export const compressed = async (request: Request, response: Response): Promise<Response> => {
  const { status, headers, body } = response;
  const length = Number(headers.get("content-length") ?? Infinity);
  if (length < MIN_BYTES || !IS_TEXT.test(headers.get("content-type") ?? "")) return response;
  headers.append("vary", "accept-encoding");
  const isUnbuffered = headers.get("x-accel-buffering") === "no";
  const accepted = request.headers.get("accept-encoding") ?? "";
  const encoding = (isUnbuffered ? [GZIP] : [ZSTD, GZIP]).find(({ name }) => accepts(accepted, name));
  if (!encoding || !body || request.method === "HEAD" || isCrossSite(request)) return response;
  headers.set("content-encoding", encoding.name);
  if (length > MAX_SYNC_BYTES || isUnbuffered) {
    headers.delete("content-length");
    const { pipeline, Readable } = nodeStream();
    const parts = pipeline(Readable.fromWeb(body as never), encoding.stream(isUnbuffered), () => {});
    return new Response(Readable.toWeb(parts) as unknown as ReadableStream, { status, headers });
  }
  const bytes = new Uint8Array(encoding.compress(await response.arrayBuffer()));
  headers.set("content-length", String(bytes.length));
  return new Response(bytes, { status, headers });
};
