import { afterTest } from "../support/cleanup.ts";

export interface Received {
  method: string;
  path: string;
  headers: Headers;
  body: any;
  text: string;
}

/** A local HTTP server that receives notifications and responds as the test says. */
export const aListener = (answer: (received: Received) => Response | Promise<Response> = () => new Response("ok")) => {
  const received: Received[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      const body = text.startsWith("{") ? JSON.parse(text) : null;
      const one = { method: request.method, path: pathname + search, headers: request.headers, text, body };
      received.push(one);
      return answer(one);
    },
  });
  afterTest(() => server.stop(true));
  return { received, url: `http://127.0.0.1:${server.port}`, port: server.port! };
};

export const LOCAL = { QSOLOG_NOTICE_NETWORKS: "127.0.0.0/8" };
