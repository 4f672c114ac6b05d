/** For responses whose parts must arrive immediately. Proxies that buffer responses respect it. */
export const UNBUFFERED = { "x-accel-buffering": "no" };

/** Texts as a body. Each is produced when the reader has room for it, and none after the reader left. */
export const streamOf = (texts: Iterator<string> | AsyncIterator<string>): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return?.();
    },
  });
};
