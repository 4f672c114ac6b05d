import type { EntityPlace } from "../domain/radio/call-facts.ts";
import { getEntityName, getEntityStatus } from "../domain/radio/entity.ts";
import type { CountryFile } from "./country-file.ts";

/** The position and usual prefix of each current entity. The file has no positions of deleted ones. */
export const listEntityPlaces = ({ byEntity, byName }: Pick<CountryFile, "byEntity" | "byName">): EntityPlace[] => {
  const prefixes = new Map([...byName].map(([prefix, { dxcc }]) => [dxcc, prefix]));
  return [...byEntity.values()]
    .filter(({ dxcc }) => getEntityStatus(dxcc) === "current")
    .map(({ dxcc, lat, lon }) => ({ dxcc, name: getEntityName(dxcc), prefix: prefixes.get(dxcc) ?? "", lat, lon }))
    .sort((a, b) => a.dxcc - b.dxcc);
};
