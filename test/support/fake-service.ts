import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import type { DownloadRequest, Provider } from "../../src/domain/jobs/provider.ts";
import type { Service } from "../../src/domain/jobs/source.ts";
import { providers } from "../../src/providers/registry.ts";
import { aBody } from "./sync.ts";

const PART: Record<Service, string> = { first: "qsl", second: "record" };

/**
 * A service that a test controls: what it sends, when, and how it fails. Credentials are parsed like those of the real
 * one.
 */
export interface FakeService extends Provider {
  /** One answer each. */
  pages: AdifRecord[][];
  /** Thrown after the pages. A function is called for every download. */
  fails: unknown | ((request: DownloadRequest) => unknown);
  /** The error of a credentials test. */
  refuses: unknown;
  /** Every download waits for this promise. */
  until: (request: DownloadRequest, signal: AbortSignal) => Promise<unknown>;
  downloads: DownloadRequest[];
  /** The number of running downloads, and the maximum so far. */
  underWay: number;
  maxRunning: number;
}

export type FakeServices = Record<Service, FakeService>;

export const fakeService = (source: Service): FakeService => {
  const service: FakeService = {
    ...providers[source],
    pages: [],
    fails: null,
    refuses: null,
    until: async () => {},
    downloads: [],
    underWay: 0,
    maxRunning: 0,
    async test() {
      if (service.refuses) throw service.refuses;
      return { callsign: null };
    },
    async *download(_deps, request, signal) {
      service.downloads.push(request);
      service.underWay += 1;
      service.maxRunning = Math.max(service.maxRunning, service.underWay);
      try {
        await Promise.race([service.until(request, signal), aborted(signal)]);
        for (const records of service.pages) yield aBody(PART[source], records);
        const failure = typeof service.fails === "function" ? service.fails(request) : service.fails;
        if (failure) throw failure;
        return "after";
      } finally {
        service.underWay -= 1;
      }
    },
  };
  return service;
};

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
