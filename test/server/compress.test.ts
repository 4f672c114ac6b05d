import { describe, expect, test } from "bun:test";
import { compressed } from "../../src/server/http/compress.ts";
import { storeLog } from "../support/log-generator.ts";
import { aSite } from "../views/site.ts";

const UNPACK: Record<string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array> = {
  gzip: (bytes) => Bun.gunzipSync(bytes),
  zstd: (bytes) => Bun.zstdDecompressSync(bytes),
};

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

const unpacked = async (response: Response): Promise<string> => {
  const encoding = response.headers.get("content-encoding")!;
  return new TextDecoder().decode(UNPACK[encoding]!(await bytesOf(response)));
};

const aLongLog = async (contacts: number) => {
  const site = await aSite();
  const bob = await site.signedIn("bob");
  await storeLog(site.app.db, bob.user.id, { contacts, seed: 5 });
  return bob;
};

describe("text responses", () => {
  test("are compressed in an encoding that the client accepts, with the same content", async () => {
    const bob = await aLongLog(400);
    for (const path of ["/log", "/api/qsos?limit=100", "/api/qsos/export", "/openapi/json"]) {
      const plain = await (await bob.get(path)).text();
      for (const [accepted, encoding] of [
        ["gzip, deflate, br, zstd", "zstd"],
        ["br, GZIP", "gzip"],
        ["zstd;q=0, gzip;q=0.5", "gzip"],
      ] as const) {
        const response = await bob.get(path, { "accept-encoding": accepted });

        expect([path, response.headers.get("content-encoding")]).toEqual([path, encoding]);
        expect(response.headers.get("vary")).toContain("accept-encoding");
        expect(await unpacked(response)).toBe(plain);
      }
      for (const refused of ["br", "gzip;q=0, zstd;q=0.0", ""]) {
        const response = await bob.get(path, { "accept-encoding": refused });
        expect(response.headers.get("content-encoding")).toBeNull();
        expect(await response.text()).toBe(plain);
      }
    }
  });

  test("of a page of the log take 42 KB in total, in three requests before it is shown", async () => {
    const bob = await aLongLog(400);
    const taken = async (path: string) => (await bytesOf(await bob.get(path, { "accept-encoding": "gzip" }))).length;
    const page = await (await bob.get("/log")).text();
    const before = [...page.matchAll(/<(?:link rel="stylesheet" href|script src)="([^"]+)"/g)].map(([, path]) => path!);

    expect(before).toHaveLength(2);
    const sizes = [await taken("/log")];
    for (const path of before) sizes.push(await taken(`/${path}`));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(42 * 1024);
  });

  test("are compressed while they are produced if they are long; errors and short ones are not compressed", async () => {
    const bob = await aLongLog(3_000);
    const packed = { "accept-encoding": "gzip" };

    const plain = await (await bob.get("/api/qsos/export")).text();
    const response = await bob.get("/api/qsos/export", packed);

    expect(plain.length).toBeGreaterThan(500_000);
    expect(await unpacked(response)).toBe(plain);
    expect((await bob.get("/healthz", packed)).headers.get("content-encoding")).toBeNull();
    expect(await (await bob.get("/api/qsos?limit=0", packed)).json()).toMatchObject({ error: { code: "invalid" } });
  });

  // Defence: the length of a response tells another site nothing (BREACH)
  test("are not compressed for requests from another site", async () => {
    const bob = await aLongLog(50);
    for (const site of ["cross-site", "same-site"]) {
      const response = await bob.get("/log?q=guess", { "accept-encoding": "gzip", "sec-fetch-site": site });

      expect([site, response.headers.get("content-encoding")]).toEqual([site, null]);
    }
    const own = await bob.get("/log?q=guess", { "accept-encoding": "gzip", "sec-fetch-site": "same-origin" });
    expect(own.headers.get("content-encoding")).toBe("gzip");
  });

  test("end when the client disconnects", async () => {
    let made = 0;
    const isOver = Promise.withResolvers<void>();
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(crypto.getRandomValues(new Uint8Array(60_000)).fill(++made, 0, 9)),
      cancel: () => isOver.resolve(),
    });
    const request = new Request("http://localhost/", { headers: { "accept-encoding": "gzip" } });
    const answer = new Response(endless, { headers: { "content-type": "text/plain" } });

    const response = await compressed(request, answer);
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();

    await isOver.promise;
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(made).toBeLessThan(40);
  });

  test("with events are not compressed", async () => {
    const request = new Request("http://localhost/", { headers: { "accept-encoding": "gzip" } });
    const events = new Response("data: 1\n\n".repeat(1_000), { headers: { "content-type": "text/event-stream" } });

    expect(await compressed(request, events)).toBe(events);
  });
});
