import { isLoopback } from "../../kernel/addresses.ts";

const MAX_RESPONSE_BYTES = 512 * 1024;

/** The provider is unreachable or broken; the request was not at fault. */
export class ProviderDown extends Error {}

/** Sends a request to the provider, without following redirects and with a limit on the response size. */
export const askProvider = async (url: string, options: RequestInit): Promise<Response> => {
  try {
    const local = isLoopback(new URL(url).hostname) ? { proxy: false } : {};
    const response = await fetch(url, { ...options, redirect: "manual", ...local } as RequestInit);
    const body = await readBounded(response);
    if (response.status >= 500) throw new ProviderDown(`status ${response.status}`);
    const { status, headers } = response;
    return new Response(status === 204 || status === 304 ? null : body, {
      status,
      headers: removeEncodingHeaders(headers),
    });
  } catch (cause) {
    throw cause instanceof ProviderDown ? cause : new ProviderDown("no answer", { cause });
  }
};

const readBounded = async ({ body }: Response): Promise<Blob> => {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  if (body === null) return new Blob();
  for await (const piece of body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += piece.length;
    if (size > MAX_RESPONSE_BYTES) throw new ProviderDown("an answer without end");
    pieces.push(piece);
  }
  return new Blob(pieces);
};

/** Removes headers that describe the compressed body, which is decompressed already. */
const removeEncodingHeaders = (headers: Headers): Headers => {
  const left = new Headers(headers);
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) left.delete(name);
  return left;
};
