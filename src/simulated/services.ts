import type { Clock } from "../kernel/clock.ts";
import { deliver, type Sleep, createSubstitute } from "./delivery.ts";
import { SimulatedLotw } from "./lotw.ts";
import { SimulatedQrz } from "./qrz.ts";
import type { SimulatedService } from "./service.ts";
import { Store } from "./store.ts";

interface Surroundings {
  clock: Clock;
  random: () => number;
  sleep: Sleep;
}

const FIRST = "/first";
const SECOND = "/second";

/** Both services in one local server, as strict as the real ones, with data that tests and the demo provide. */
export class SimulatedServices {
  readonly store = new Store();
  readonly first: SimulatedLotw;
  readonly second: SimulatedQrz;
  readonly #sleep: Sleep;
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<Response>>();
  #server: Bun.Server<undefined> | null = null;

  constructor({ clock, random, sleep }: Surroundings) {
    this.#sleep = sleep;
    this.first = new SimulatedLotw({ store: this.store, clock, random, sleep });
    this.second = new SimulatedQrz({ store: this.store, clock, random });
  }

  start(): void {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      // A stalled response stays silent for as long as the client waits.
      idleTimeout: 0,
      fetch: (request) => {
        const response = this.#route(request).finally(() => this.#underWay.delete(response));
        this.#underWay.add(response);
        return response;
      },
    });
  }

  /** Aborts active requests and resolves when none is left. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled(this.#underWay);
    await this.#server?.stop(true);
    this.#server = null;
  }

  get firstUrl(): string {
    return this.#origin() + FIRST;
  }

  get secondUrl(): string {
    return this.#origin() + SECOND;
  }

  #origin(): string {
    if (this.#server === null) throw new Error("The simulated services are not running");
    return `http://127.0.0.1:${this.#server.port}`;
  }

  async #route(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === FIRST + this.first.path) return this.#serve(this.first, request);
    if (pathname === SECOND + this.second.path) return this.#serve(this.second, request);
    return new Response("Not Found", { status: 404 });
  }

  async #serve<Fault extends { kind: string }>(service: SimulatedService<Fault>, request: Request): Promise<Response> {
    const url = new URL(request.url);
    const { raw, params } = await readParams(request, url);
    const received = service.journal.receive({
      method: request.method,
      path: url.pathname,
      raw,
      params,
      headers: Object.fromEntries(request.headers),
      account: service.accountOf(params),
    });

    const gone = AbortSignal.any([request.signal, this.#stopping.signal]);
    const faults = service.faultsFor(received);
    const answer = createSubstitute(faults, toPlainUrl(url)) ?? (await service.answer(received, faults, gone));
    received.status = answer.status;
    const onEnd = (aborted: boolean) => {
      service.ended(received, aborted);
      service.journal.finish(received, aborted);
    };
    return deliver(answer, faults, { gone, sleep: this.#sleep, onEnd });
  }
}

async function readParams(request: Request, url: URL): Promise<{ raw: string; params: URLSearchParams }> {
  if (request.method !== "POST") return { raw: url.search.slice(1), params: url.searchParams };
  const bytes = await request.arrayBuffer();
  const type = request.headers.get("content-type") ?? "";
  const raw = new TextDecoder().decode(bytes);
  if (type.startsWith("application/x-www-form-urlencoded")) return { raw, params: new URLSearchParams(raw) };
  if (!type.startsWith("multipart/form-data")) return { raw, params: new URLSearchParams() };
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData();
  const fields = [...form].map(([name, value]): [string, string] => [name, String(value)]);
  return { raw, params: new URLSearchParams(fields) };
}

/** The same address under another host name. */
function toPlainUrl(url: URL): URL {
  const other = new URL(url);
  other.hostname = "localhost";
  return other;
}
