import type { Entrance } from "../../app.ts";
import type { Address } from "./client-address.ts";
import { dispatchPage } from "../pages/page-dispatch.tsx";
import type { PageRoute } from "../pages/page-route.ts";

/** Something that answers, at a path below the base path. */
export interface Endpoint {
  method: string;
  path: string;
  /** Answers without the base path too: what watches the server need not know it. */
  isEverywhere?: boolean;
  handle(request: Request, params: Record<string, string>, address: Address): Promise<Response> | Response;
}

export const pageEndpoints = <There extends Entrance>(
  app: There,
  pages: readonly PageRoute<There>[],
): readonly Endpoint[] =>
  pages.map((page) => ({
    method: page.spec.method,
    path: page.spec.path,
    handle: (request, params, address) => dispatchPage(app, page, request, params, address),
  }));
