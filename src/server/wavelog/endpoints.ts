import type { App } from "../../app.ts";
import type { Address } from "../http/client-address.ts";
import { V1 } from "./v1.ts";
import { V2 } from "./v2.ts";

/** Programs are configured with one or the other. */
const PREFIXES = ["", "/index.php"];

/** The Wavelog interface at all its usual addresses. */
export const wavelogEndpoints = (app: App) =>
  PREFIXES.flatMap((prefix) => [
    ...V1.flatMap(([methods, path, handle]) =>
      methods.map((method) => ({
        method,
        path: prefix + path,
        handle: (request: Request, params: Record<string, string> | undefined, address: Address) =>
          handle({ app, request, address, key: params?.key ?? "" }),
      })),
    ),
    ...V2.map(([method, path, handle]) => ({
      method,
      path: prefix + path,
      handle: (request: Request, params: Record<string, string> | undefined, address: Address) =>
        handle({ app, request, address, id: params?.id ?? "" }),
    })),
  ]);
