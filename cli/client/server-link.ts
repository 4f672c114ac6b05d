import { version } from "../../package.json";
import { AppError, type ErrorCode } from "../../src/kernel/errors.ts";
import { HTTP_STATUS, nothingHere } from "../../src/server/http/errors.ts";
import { assertPrivate } from "./server-address.ts";

/** A server's address and the token for it. */
export interface ServerAccess {
  server: string;
  /** Null only for signing in. */
  token: string | null;
  /** The user allowed plain HTTP for this address. */
  insecure: boolean;
}

export type Parameters = Readonly<Record<string, string | number | boolean | null | undefined>>;

interface Asked {
  query?: Parameters;
  /** A JSON document, or a file. */
  body?: object;
  /** A field that every answer has. An answer without it comes from another program. */
  has?: string;
  /** How long to wait for an answer; 0 means forever. */
  patienceMs?: number;
}

/** A connection to one server. Every failure becomes an error for people. */
export interface ServerLink {
  readonly server: string;
  ask<T>(method: string, path: string, asked?: Asked): Promise<T>;
  /** A log in chunks, as they arrive. */
  pieces(path: string, query: Parameters): AsyncGenerator<string, void, void>;
  /** Cancels all requests in progress. */
  drop(): void;
}

const ADIF = "text/x-adif";
const PATIENCE_MS = 120_000;
/** A server sends lists of at most 8 MB. */
const MAX_ANSWER_BYTES = 32 * 1024 ** 2;
const TOKEN = /^[\x21-\x7e]+$/;

export const linkTo = ({ server, token, insecure }: ServerAccess): ServerLink => {
  assertPrivate(server, insecure);
  if (token !== null && !TOKEN.test(token)) throw new AppError("invalid", "This is not a valid token.");
  let waiting = new AbortController();

  const send = async (method: string, path: string, { query, body, patienceMs = PATIENCE_MS }: Asked) => {
    const isFile = body instanceof Blob;
    const headers: Record<string, string> = { accept: "application/json", "user-agent": `qsolog/${version}` };
    if (token !== null) headers.authorization = `Bearer ${token}`;
    if (body) headers["content-type"] = isFile ? "application/octet-stream" : "application/json";
    const signal =
      patienceMs === 0 ? waiting.signal : AbortSignal.any([waiting.signal, AbortSignal.timeout(patienceMs)]);
    try {
      return await fetch(server + path + queryText(query), {
        method,
        headers,
        redirect: "manual",
        body: body && (isFile ? body : JSON.stringify(body)),
        signal,
        ...(patienceMs === 0 ? { timeout: false } : {}),
      });
    } catch (error) {
      throw notReached(server, error);
    }
  };

  return {
    server,
    drop() {
      waiting.abort();
      waiting = new AbortController();
    },
    async ask<T>(method: string, path: string, asked: Asked = {}) {
      return (await documentOf(server, path, await send(method, path, asked), asked.has)) as T;
    },

    async *pieces(path, query) {
      const response = await send("GET", path, { query, patienceMs: 0 });
      if (!response.ok || !response.headers.get("content-type")?.startsWith(ADIF)) {
        await documentOf(server, path, response);
        throw noQsolog(server, response);
      }
      const decoder = new TextDecoder();
      try {
        for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
          yield decoder.decode(chunk, { stream: true });
        }
      } catch (error) {
        throw new AppError("unavailable", `The answer from ${server} was cut off: ${reasonOf(error)}.`, {
          cause: error,
        });
      }
    },
  };
};

const queryText = (query: Parameters = {}): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value != null) given.set(name, String(value));
  return given.size === 0 ? "" : `?${given}`;
};

const documentOf = async (server: string, path: string, response: Response, has?: string): Promise<unknown> => {
  const text = await readText(server, response);
  if (response.status === 204) return undefined;
  const document = parsed(text);
  const refusal = (document as { error?: Refusal } | null)?.error;
  if (!response.ok && refusal && typeof refusal.message === "string") throw errorOf(server, path, response, refusal);
  const isMeant = document !== null && (has === undefined || has in document);
  if (!response.ok || !isMeant) throw noQsolog(server, response);
  return document;
};

/** Counts while it reads: a compressed answer can be a thousand times as large as what is sent. */
const readText = async (server: string, { body }: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  try {
    for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) throw tooLarge(server);
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    throw error instanceof AppError ? error : notReached(server, error);
  }
  return text + decoder.decode();
};

const tooLarge = (server: string): AppError =>
  new AppError("upstream", `The answer of ${server} is larger than 32 MB and was not read. Check the address.`);

const parsed = (text: string): object | null => {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === "object" ? document : null;
  } catch {
    return null;
  }
};

interface Refusal {
  code: string;
  message: string;
  rule?: string;
  fields?: { path: string; message: string }[];
  jobId?: number;
}

const errorOf = (server: string, path: string, { status, headers }: Response, refusal: Refusal): AppError => {
  const { message, rule, fields, jobId } = refusal;
  const code = codeOf(refusal.code, status);
  const wait = Number(headers.get("retry-after"));
  const details = { rule, fields, jobId, retryAfterSeconds: wait > 0 ? wait : undefined };
  if (code === "unauthenticated" && rule === "session_ended") {
    return new AppError(code, `${message} Use: qsolog login ${server}`, details);
  }
  if (rule === "session_required") return new AppError(code, `${message} See ${server}/settings.`, details);
  if (code === "not_found" && message === nothingHere().message) {
    const words = `${server} has nothing at ${path}. Check the address, and that the server is as new as this qsolog (${version}).`;
    return new AppError("upstream", words, details);
  }
  return new AppError(code, message, details);
};

/** A newer server may have codes that this program does not know. */
const codeOf = (code: string, status: number): ErrorCode => {
  if (code in HTTP_STATUS) return code as ErrorCode;
  const near = Object.entries(HTTP_STATUS).find(([, known]) => known === status);
  return (near?.[0] as ErrorCode | undefined) ?? (status < 500 ? "invalid" : "internal");
};

/** The answer of a proxy, another program or a wrong path. Its text is not shown. */
const noQsolog = (server: string, { status, headers }: Response): AppError => {
  const to = headers.get("location");
  if (status >= 300 && status < 400 && to !== null) {
    return new AppError(
      "upstream",
      `${server} redirects to another address, and qsolog does not send a token there. Use the final address.`,
    );
  }
  const kind = headers.get("content-type")?.split(";")[0] ?? "an unknown content type";
  const words = `${server} does not answer like a qsolog server (${status}, ${kind}). Check the address and its path.`;
  return new AppError(status === 503 ? "unavailable" : "upstream", words);
};

const notReached = (server: string, error: unknown): AppError =>
  new AppError("unavailable", `Cannot reach the server at ${server}: ${reasonOf(error)}.`, { cause: error });

const REASONS: Record<string, string> = {
  ConnectionRefused: "connection refused",
  ECONNREFUSED: "connection refused",
  FailedToOpenSocket: "the host does not exist or is unreachable",
  ENOTFOUND: "the host does not exist",
  ECONNRESET: "the connection was lost",
  ConnectionClosed: "the connection was lost",
  EPROTO: "it does not use https",
  TimeoutError: "it did not answer in time",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not signed by a known authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not signed by a known authority",
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

const reasonOf = (error: unknown): string => {
  const { code, name, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ""] ?? REASONS[name] ?? message.replace(/(?<![.?!])[.?!]+$/, "");
};
