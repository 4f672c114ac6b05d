import type { Address } from "./client-address.ts";

/** Something that answers requests at a path below the base path. */
export interface Endpoint {
  method: string;
  path: string;
  /** Also answers without the base path, because monitoring need not know it. */
  isEverywhere?: boolean;
  handle(request: Request, params: Record<string, string>, address: Address): Promise<Response> | Response;
}
