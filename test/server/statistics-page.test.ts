import { expect, test } from "bun:test";
import { AppError } from "../../src/kernel/errors.ts";
import { testApp } from "../support/app.ts";
import { storeLog } from "../support/log-generator.ts";
import { testWorld } from "../support/world.ts";

/** A server that counts figures only when it is told to. */
const aServer = async () => {
  const world = await testWorld();
  const counting = Promise.withResolvers<void>();
  const compute = world.cache.getOrCompute.bind(world.cache);
  world.cache.getOrCompute = async (userId, question, work) => {
    if (question.startsWith("figures")) await counting.promise;
    return compute(userId, question, work);
  };
  const app = await testApp({ world });
  await storeLog(app.db, app.bob.id, { contacts: 40 });
  const cookies = (await app.browser(app.bob)).cookies;
  const open = async (headers: Record<string, string> = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const request = new Request("http://localhost/statistics", { headers: { host: "localhost", cookie, ...headers } });
    return app.server.handle(request);
  };
  return { open, counting };
};

const textsOf = (body: ReadableStream<Uint8Array>) => {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const until = async (words: string): Promise<string> => {
    let text = "";
    while (!text.includes(words)) {
      const { value, done } = await reader.read();
      if (done) return text;
      text += decoder.decode(value, { stream: true });
    }
    return text;
  };
  return until;
};

test.each([{}, { "accept-encoding": "gzip" }])(
  "the statistics page shows its search field before the charts are counted: %j",
  async (headers) => {
    const { open, counting } = await aServer();
    const { status, body, headers: answered } = await open(headers as Record<string, string>);
    const isPacked = answered.get("content-encoding") === "gzip";
    const until = textsOf(isPacked ? body!.pipeThrough(new DecompressionStream("gzip") as never) : body!);

    const begin = await until("</form>");
    expect([status, isPacked]).toEqual([200, "accept-encoding" in headers]);
    expect(begin).toContain('id="select-search"');
    expect(begin).not.toContain("calendar-title");

    counting.resolve();
    const end = await until("</html>");
    expect(end).toContain("calendar-title");
    expect(end.trimEnd()).toEndWith("</html>");
  },
);

test("an error after the head of the page is shown in place of the charts", async () => {
  const { open, counting } = await aServer();
  const until = textsOf((await open()).body!);
  await until("</form>");

  counting.reject(new AppError("rate_limited", "Too many questions are waiting. Try again in a moment."));

  const end = await until("</html>");
  expect(end).toContain('role="alert">Too many questions are waiting.');
  expect(end.trimEnd()).toEndWith("</html>");
});
