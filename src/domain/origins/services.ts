import type { Layers } from "../contact/layers.ts";
import { SERVICES, type Service } from "../jobs/source.ts";
import { firstOrigin } from "./first.ts";
import type { ServiceOrigin } from "./origin.ts";
import { secondOrigin } from "./second.ts";
import { addTwinSupport } from "./twins.ts";

/** In order of priority if neither is more exact. */
export const SERVICE_ORIGINS: Record<Service, ServiceOrigin> = {
  first: addTwinSupport("first", firstOrigin),
  second: addTwinSupport("second", secondOrigin),
};

/** The layers as rules see them: carried records of services appear as if the services had said them. */
export const addCarriedLayers = (layers: Layers): Layers => {
  if (!layers.own?.brought) return layers;
  const { own, ...said } = SERVICES.reduce((known, service) => SERVICE_ORIGINS[service].withBrought(known), layers);
  const { brought: _, ...others } = own!;
  return { ...said, own: Object.keys(others).length > 0 ? others : null };
};

/** Each service's id of a contact. */
export type Ids = Record<Service, string | null>;
