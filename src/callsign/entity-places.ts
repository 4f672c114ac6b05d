import type { EntityPlace } from "../domain/radio/call-facts.ts";
import { entityName, entityStatus } from "../domain/radio/entity.ts";
import type { CountryFile } from "./country-file.ts";

/** Where each current entity lies; of deleted ones nobody keeps the place. */
export const entityPlaces = ({ byEntity }: Pick<CountryFile, "byEntity">): EntityPlace[] =>
  [...byEntity.values()]
    .filter(({ dxcc }) => entityStatus(dxcc) === "current")
    .map(({ dxcc, lat, lon }) => ({ dxcc, name: entityName(dxcc), lat, lon }))
    .sort((a, b) => a.dxcc - b.dxcc);
