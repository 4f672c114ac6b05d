import type { App } from "../../app.ts";
import type { Endpoint } from "../http/route.ts";
import { V1 } from "./v1.ts";
import { V2 } from "./v2.ts";

/** Programs are configured with one or the other. */
const PREFIXES = ["", "/index.php"];

/** The Wavelog interface at all its usual addresses. */
export const wavelogEndpoints = (app: App): Endpoint[] =>
  PREFIXES.flatMap((prefix) =>
    [...V1, ...V2].map(([method, path, answer]) => ({
      method,
      path: prefix + path,
      handle: (request, params = {}, address) => answer({ app, request, params, address }),
    })),
  );
