import { expect, setDefaultTimeout, test } from "bun:test";
import { DAY } from "../../src/kernel/clock.ts";
import { formatIsoDate } from "../../src/kernel/instant.ts";
import { said, sync } from "../support/sync.ts";
import { testApp } from "../support/app.ts";
import { aWorldWithLargeLogs } from "../support/large-logs.ts";
import { storeLog } from "../support/log-generator.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";

setDefaultTimeout(120_000);

/** A server whose background work waits until the test lets it go on. */
const aServer = async (world: TestWorld) => {
  const app = await testApp({ world });
  const job = await sync(app as never, app.bob.id, "file", [said("K1ABC", "2026-07-01 10:00")]);
  const day = formatIsoDate(app.clock());
  app.clock.advance(2 * DAY);
  const work = { mayGoOn: Promise.resolve() };
  const inWorker = app.db.inWorker.bind(app.db);
  app.db.inWorker = (async (...question: Parameters<typeof inWorker>) => {
    await work.mayGoOn;
    return inWorker(...question);
  }) as typeof inWorker;
  const cookies = (await app.browser(app.bob)).cookies;
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const open = (path: string, form?: Record<string, string>, more: Record<string, string> = {}) =>
    app.server.handle(
      new Request(`http://localhost${path}`, {
        method: form ? "POST" : "GET",
        headers: { host: "localhost", cookie, "sec-fetch-site": "same-origin", ...more },
        body: form && new URLSearchParams(form),
      }),
    );
  return { app, job, day, open, work };
};

const readerOf = (body: ReadableStream<Uint8Array>) => {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  return async (words: string): Promise<string> => {
    for (let text = ""; ;) {
      const { value, done } = await reader.read();
      if (done) return text;
      text += decoder.decode(value, { stream: true });
      if (text.includes(words)) return text;
    }
  };
};

const pagesOf = (jobId: number, day: string): [path: string, content: string, form?: Record<string, string>][] => [
  ["/reconcile", 'id="reconcile-section"'],
  ["/duplicates", "in your log more than once"],
  ["/duplicates?kind=seconds", "will change.", { kind: "seconds", go: "preview" }],
  ["/repair?band=20m", "will change.", { field: "qth", value: "Nis", what: "edit", go: "preview" }],
  [`/jobs/${jobId}/undo`, "1 QSO"],
  [`/log?asOf=${day}`, 'id="results"'],
  [`/log/1?asOf=${day}`, "available since"],
  [`/statistics?asOf=${day}`, "calendar-title"],
  [`/awards?asOf=${day}`, "DXCC"],
];

test("a page that reads a large log first shows its head, then the progress", async () => {
  const { job, day, open, work } = await aServer(await aWorldWithLargeLogs());
  const held = Promise.withResolvers<void>();
  work.mayGoOn = held.promise;
  const ends: [path: string, content: string, end: () => Promise<string>][] = [];
  for (const [path, content, form] of pagesOf(job.id, day)) {
    const { status, body } = await open(path, form);
    const until = readerOf(body!);
    const begin = await until("Reading your log");
    const hasHead = begin.includes("</header>");
    const hasContent = begin.includes(content);
    expect({ path, status, hasHead, hasContent }).toEqual({ path, status: 200, hasHead: true, hasContent: false });
    ends.push([path, content, () => until("</html>")]);
  }
  // A script would take the answer when it is whole: it is sent to the page.
  const { headers } = await open(`/log?asOf=${day}`, undefined, { "hx-request": "true" });
  expect(headers.get("hx-redirect")).toBe(`/log?asOf=${day}`);

  held.resolve();
  for (const [path, content, rest] of ends) {
    const end = await rest();
    expect(end, path).toContain(content);
    expect(end, path).toMatch(/\d0 % .*<\/p>/s);
    expect(end.trimEnd(), path).toEndWith("</html>");
    expect(end, path).not.toContain("<main");
  }
});

test("a page of a small log appears immediately, without progress", async () => {
  const world = await testWorld();
  await storeLog(world.db, (await aUser(world, "bob")).id, { contacts: 40 });
  const { job, day, open } = await aServer(world);
  for (const [path, , form] of pagesOf(job.id, day)) {
    const text = await (await open(path, form)).text();
    expect(text, path).toContain("</html>");
    expect(text, path).not.toContain("Reading your log");
  }
});
