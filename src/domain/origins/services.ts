import type { Service } from "../source.ts";
import { firstOrigin } from "./first.ts";
import type { ServiceOrigin } from "./origin.ts";
import { secondOrigin } from "./second.ts";
import { withTwins } from "./twins.ts";

/** In the order in which they are believed, where neither is more exact. */
export const SERVICE_ORIGINS: Record<Service, ServiceOrigin> = {
  first: withTwins("first", firstOrigin),
  second: withTwins("second", secondOrigin),
};

/** What each service calls a contact. */
export type Ids = Record<Service, string | null>;
