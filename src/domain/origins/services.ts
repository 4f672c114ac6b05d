import type { Layers } from "../contact/layers.ts";
import { SERVICES, type Service } from "../jobs/source.ts";
import { firstOrigin } from "./first.ts";
import type { ServiceOrigin } from "./origin.ts";
import { secondOrigin } from "./second.ts";
import { withTwins } from "./twins.ts";

/** In the order in which they are believed, where neither is more exact. */
export const SERVICE_ORIGINS: Record<Service, ServiceOrigin> = {
  first: withTwins("first", firstOrigin),
  second: withTwins("second", secondOrigin),
};

/** The layers as rules see them: what files brought of services stands where the services would have said it. */
export const withBrought = (layers: Layers): Layers => {
  if (!layers.own?.brought) return layers;
  const { own, ...said } = SERVICES.reduce((known, service) => SERVICE_ORIGINS[service].withBrought(known), layers);
  const { brought: _, ...others } = own!;
  return { ...said, own: Object.keys(others).length > 0 ? others : null };
};

/** What each service calls a contact. */
export type Ids = Record<Service, string | null>;
