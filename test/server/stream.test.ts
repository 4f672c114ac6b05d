import { expect, test } from "bun:test";
import { streamOf } from "../../src/server/http/response.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";

/** Texts without end that tell how many of them were made. */
const endless = () => {
  const story = { made: 0, isOver: false };
  async function* texts(): AsyncGenerator<string> {
    try {
      for (;;) yield `${++story.made} `.padEnd(65_536);
    } finally {
      story.isOver = true;
    }
  }
  return { story, texts: texts() };
};

/** Serves such texts to a program that takes so much and then says nothing, or goes. */
const servedTo = async (visit: (body: ReadableStreamDefaultReader<Uint8Array>) => Promise<unknown>) => {
  const { story, texts } = endless();
  const server = Bun.serve({ port: 0, fetch: () => new Response(streamOf(texts)) });
  const going = new AbortController();
  try {
    const { body } = await fetch(server.url, { signal: going.signal });
    const reader = body!.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    await visit(reader);
    // Who lets go of the reader lets go of the body when the memory is tidied up.
    return { story, reader, leave: () => going.abort(), stop: () => server.stop(true) };
  } catch (error) {
    await server.stop(true);
    throw error;
  }
};

test("a slow reader is not sent unlimited data, and nothing more is produced when it leaves", async () => {
  const { story, reader, leave, stop } = await servedTo((body) => body.read());
  const settled = async () => {
    for (let made = -1; made !== story.made;) {
      made = story.made;
      await SYSTEM_TIME.sleep(200);
    }
    return story.made;
  };

  // What the sockets of both ends hold, and no more.
  expect(await settled()).toBeLessThan(1_000);
  expect(story.isOver).toBeFalse();

  leave();
  for (let tries = 0; tries < 50 && !story.isOver; tries++) await SYSTEM_TIME.sleep(100);
  expect(story.isOver).toBeTrue();
  expect(
    await reader.read().then(
      () => "goes on",
      () => "left",
    ),
  ).toBe("left");
  await stop();
});
