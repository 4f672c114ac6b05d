/** Of an answer whose parts must reach the browser as they are made; proxies that hold answers back know it too. */
export const UNBUFFERED = { "x-accel-buffering": "no" };

/** Texts as a body, each made when whoever reads it has room for it. One that goes away ends the making. */
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
