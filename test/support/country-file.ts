import type { CFIndexes, CFMatch } from "@ham2k/lib-country-files";

/** The included tables in the format that AD1C publishes. */
export async function asCty(): Promise<string> {
  const { BIGCTY } = await import("@ham2k/lib-country-files");
  const words = new Map<string, string[]>();
  const add = (index: Record<string, CFMatch>, mark: string) => {
    for (const [call, { p, c, i }] of Object.entries(index)) {
      if (!words.has(p)) words.set(p, []);
      words.get(p)!.push(`${mark}${call}${c === undefined ? "" : `(${c})`}${i === undefined ? "" : `[${i}]`}`);
    }
  };
  add(BIGCTY.prefix, "");
  add(BIGCTY.exact, "=");
  add(BIGCTY.prefixWAE, "");
  add(BIGCTY.exactWAE, "=");
  return Object.values(BIGCTY.entities)
    .map((entity) => lineOf(entity, words.get(entity.entityPrefix) ?? []))
    .join("\n");
}

function lineOf(entity: CFIndexes["entities"][string], words: string[]): string {
  const { entityPrefix, name, dxccCode, continent, cqZone, ituZone, lat, lon } = entity;
  return [entityPrefix, name, dxccCode, continent, cqZone, ituZone, lat, lon, 0, `${words.join(" ")};`].join(",");
}
