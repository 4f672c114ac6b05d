type Given = Headers | Record<string, string>;

/** A busy runtime collects the garbage of large answers too late: with them, one user could take 450 MB. */
const COLLECT_AFTER_LENGTH = 16_000_000;
let lengthSinceCollection = 0;

const collectGarbageAfter = (text: string): void => {
  lengthSinceCollection += text.length;
  if (lengthSinceCollection < COLLECT_AFTER_LENGTH) return;
  lengthSinceCollection = 0;
  Bun.gc(true);
};

/** A complete response states its length, so that proxies need not compute it. */
export const textResponse = (text: string, type: string, status = 200, given: Given = {}): Response => {
  const ofText = { "content-type": type, "content-length": String(Buffer.byteLength(text)) };
  if (!(given instanceof Headers)) return new Response(text, { status, headers: { ...given, ...ofText } });
  for (const [name, value] of Object.entries(ofText)) given.set(name, value);
  return new Response(text, { status, headers: given });
};

export const jsonResponse = (words: unknown, status?: number, headers?: Given): Response => {
  const text = JSON.stringify(words);
  collectGarbageAfter(text);
  return textResponse(text, "application/json;charset=utf-8", status, headers);
};

/** For responses whose parts must arrive immediately. Proxies that buffer responses respect it. */
export const UNBUFFERED = { "x-accel-buffering": "no" };

/** Texts as a body. Each is produced when the reader has room for it, and none after the reader left. */
export const streamOf = (texts: Iterator<string> | AsyncIterator<string>): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await texts.next();
      if (done) return controller.close();
      controller.enqueue(encoder.encode(value));
      collectGarbageAfter(value);
    },
    async cancel() {
      await texts.return?.();
    },
  });
};
