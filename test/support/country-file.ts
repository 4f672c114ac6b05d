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

/** A cty.xml as Club Log sends it to an operator, with a thousand exceptions and these. */
export function aClubLogFile(exceptions: string, invalid = ""): string {
  const usual = Array.from({ length: 1000 }, (_, index) => exception(`W${index % 10}USUAL${index}`, 291)).join("");
  return (
    `<?xml version="1.0" encoding="utf-8"?><clublog date="2026-05-01T06:30:00+00:00">` +
    `<exceptions>${usual}${exceptions}</exceptions><invalid_operations>${invalid}</invalid_operations></clublog>`
  );
}

export function exception(call: string, adif: number, first?: string, last?: string): string {
  const start = first === undefined ? "" : `<start>${first}T00:00:00+00:00</start>`;
  const end = last === undefined ? "" : `<end>${last}T23:59:59+00:00</end>`;
  return `<exception record="7"><call>${call}</call><entity>SOMEWHERE</entity><adif>${adif}</adif>${start}${end}</exception>`;
}
