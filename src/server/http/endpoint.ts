import type { Address } from "./client-address.ts";

/** Something that answers, at a path below the base path. */
export interface Endpoint {
  method: string;
  path: string;
  /** Answers without the base path too: what watches the server need not know it. */
  isEverywhere?: boolean;
  handle(request: Request, params: Record<string, string>, address: Address): Promise<Response> | Response;
}
