import type { App } from "../../app.ts";
import type { Address } from "../http/client-address.ts";
import { V1 } from "./v1.ts";
import { V2 } from "./v2.ts";

/** Programs were told one address or the other. */
const PREFIXES = ["", "/index.php"];

/** What programs of radio amateurs know as Wavelog or Cloudlog, at every address they may have been told. */
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
