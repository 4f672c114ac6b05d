import { expect, test } from "bun:test";
import { FairShare } from "../../src/server/http/fair-share.ts";

const BOB = 1;
const EVE = 2;
const MEGABYTE = 1_000_000;

const long = (bytes = 8 * MEGABYTE): Response =>
  new Response("x".repeat(bytes), { headers: { "content-length": String(bytes) } });
const request = (init: RequestInit = {}): Request => new Request("http://localhost/api/qsos", init);
const refusal = (share: FairShare, userId: number) =>
  share.begin(userId).then(
    () => null,
    (error: { code: string; rule: string }) => [error.code, error.rule],
  );

test("requests of one user that come together begin one by one, and another user's in between", async () => {
  const share = new FairShare();
  const began: string[] = [];

  const many = Array.from({ length: 50 }, async (_, n) => {
    await share.begin(EVE);
    began.push(`eve ${n}`);
  });
  await new Promise((resolve) => setImmediate(resolve));
  await share.begin(BOB);

  expect(began.length).toBeLessThan(5);
  await Promise.all(many);
  expect(began).toEqual(Array.from({ length: 50 }, (_, n) => `eve ${n}`));
});

test("a user who does not read answers is refused more, until they are read or their reader is gone", async () => {
  const share = new FairShare();
  const gone = new AbortController();
  const unread = [
    await share.send(EVE, request(), long()),
    await share.send(EVE, request(), long()),
    await share.send(EVE, request(), long()),
  ];
  expect(await refusal(share, EVE)).toBeNull();
  await share.send(EVE, request({ signal: gone.signal }), long());

  expect(await refusal(share, EVE)).toEqual(["rate_limited", "too_many_requests"]);
  expect(await refusal(share, BOB)).toBeNull();
  expect(await unread[0]!.text()).toBe("x".repeat(8 * MEGABYTE));
  expect(await refusal(share, EVE)).toBeNull();

  await share.send(EVE, request(), long());
  expect(await refusal(share, EVE)).not.toBeNull();
  await unread[1]!.body!.cancel();
  expect(await refusal(share, EVE)).toBeNull();

  await share.send(EVE, request(), long());
  expect(await refusal(share, EVE)).not.toBeNull();
  gone.abort();
  expect(await refusal(share, EVE)).toBeNull();
});

test("exports count too, and answers without a body or whose reader has gone do not", async () => {
  const share = new FairShare();
  const texts = () => new Response(new Blob(["x".repeat(10)]).stream());
  for (let n = 0; n < 15; n++) await share.send(EVE, request(), texts());
  await share.send(EVE, request({ method: "HEAD" }), long());
  await share.send(EVE, request({ signal: AbortSignal.abort() }), long());
  await share.send(EVE, request(), new Response(null, { status: 304 }));
  await share.send(EVE, request(), long(1_000));
  expect(await refusal(share, EVE)).toBeNull();

  const last = await share.send(EVE, request(), texts());
  expect(await refusal(share, EVE)).not.toBeNull();
  expect(await last.text()).toBe("x".repeat(10));
  expect(await refusal(share, EVE)).toBeNull();
});

test("an answer that breaks off is no longer counted", async () => {
  const share = new FairShare();
  const broken = () => {
    let pieces = 0;
    return new Response(
      new ReadableStream({
        pull(controller) {
          if (pieces++ === 0) controller.enqueue(new Uint8Array(10));
          else controller.error(new Error("The disk is full."));
        },
      }),
    );
  };
  const answers = await Promise.all(Array.from({ length: 16 }, () => share.send(EVE, request(), broken())));
  expect(await refusal(share, EVE)).not.toBeNull();

  for (const answer of answers) await answer.text().catch(() => {});

  expect(await refusal(share, EVE)).toBeNull();
});
