import type { CFEntity, CFIndexes, CFMatch } from "@ham2k/lib-country-files";
import { AppError } from "../kernel/errors.ts";
import { parseDate } from "../kernel/instant.ts";
import { lazy } from "../kernel/lazy.ts";
import { CONTINENTS, type Continent } from "../domain/radio/entities.ts";
import { getEntity } from "../domain/radio/entity.ts";
import { loadDatedCalls, type DatedCall } from "./dated-calls.ts";

/**
 * Prefixes that the country file of 13 February 2026 lacks; an entry of a file has priority. Sources: the ARRL's DXCC
 * list for the islands of Australia and Chile, the bases in Antarctica that the FCC and Russia name, and the series of
 * Australia and Canada in the Radio Regulations. XEFTJW is an example in the rules of CQ's WPX award.
 */
const MISSING: Readonly<Record<string, number>> = {
  VK9L: 147,
  VK9N: 189,
  "CE0A CE0Y 3G0Y XQ0Y XR0Y": 47,
  "KC4AA KC4US R1AN RI1AN": 13,
  "VH VM VN VZ": 150,
  "CH CI CY CZ VD VF VO VY XJ XK XN XO": 1,
};
const MISSING_PREFIXES: readonly (readonly [prefix: string, dxcc: number])[] = Object.entries(MISSING).flatMap(
  ([prefixes, dxcc]) => prefixes.split(" ").map((prefix) => [prefix, dxcc] as const),
);

const MISSING_CALLS: readonly (readonly [call: string, dxcc: number])[] = [["XEFTJW", 50]];

export interface Resolution {
  dxcc: number;
  cqZone: number | null;
  ituZone: number | null;
  continent: Continent;
  lat: number;
  /** Positive east. */
  lon: number;
}

/** AD1C's Big CTY, ready for look-ups. */
export interface CountryFile {
  /** The release date, yyyymmdd. */
  version: string;
  releasedAt: number;
  entities: number;
  calls: number;
  prefixes: number;
  byCall: ReadonlyMap<string, Resolution>;
  byPrefix: ReadonlyMap<string, Resolution>;
  /** The file's main prefix of each entity. Before a call it stands for that entity; within a call it may not. */
  byName: ReadonlyMap<string, Resolution>;
  byEntity: ReadonlyMap<number, Resolution>;
  /** Calls that stood for an entity on certain days only. */
  dated: ReadonlyMap<string, readonly DatedCall[]>;
  maxPrefixLength: number;
}

const VERSION_MARK = /^VER(\d{4})(\d{2})(\d{2})$/;
const MAX_FILE_BYTES = 4_000_000;

// Well below any release of the last decade, well above half a download.
const MIN_COUNTS = { entities: 330, calls: 5_000, prefixes: 4_000 };
const LANDMARKS = { K: 291, DL: 230, JA: 339, VK: 150, PY: 108, ZS: 462 };

/** Reads `cty.csv` at the path, or the release that comes with the program. The tables are loaded on first use. */
export async function loadCountryFile({ path }: { path?: string } = {}): Promise<CountryFile> {
  return path === undefined ? loadBundled() : parseCty(await readCty(path));
}

const loadBundled = lazy(async (): Promise<CountryFile> => {
  const { BIGCTY } = await import("@ham2k/lib-country-files");
  return buildIndex(BIGCTY);
});

/** Parses the text of a `cty.csv`. Throws if it is invalid or incomplete. */
export async function parseCty(text: string): Promise<CountryFile> {
  if (text.length > MAX_FILE_BYTES) throw unusable("it is too large");
  const { parseCountryFile } = await import("@ham2k/lib-country-files");
  const countries = buildIndex(parseCountryFile(text));
  assertComplete(countries);
  return countries;
}

/** Reads the text of a country file without checking it. */
export async function readCty(path: string): Promise<string> {
  const file = Bun.file(path);
  if (file.size > MAX_FILE_BYTES) throw unusable("it is too large");
  try {
    return await file.text();
  } catch (cause) {
    throw new AppError("invalid", `Could not read the country file ${path}.`, {
      rule: "country_file",
      cause,
    });
  }
}

function buildIndex(tables: CFIndexes): CountryFile {
  const place = createPlacer(tables.entities);
  const marks = Object.keys(tables.exact).filter((call) => VERSION_MARK.test(call));
  const byCall = new Map<string, Resolution>();
  const byPrefix = new Map<string, Resolution>();
  // The tables for European contests come second: same entity, but more exact zone and continent.
  fill(byCall, tables.exact, place);
  fill(byCall, tables.exactWAE, place);
  fill(byPrefix, tables.prefix, place);
  fill(byPrefix, tables.prefixWAE, place);
  for (const mark of ["VERSION", ...marks]) byCall.delete(mark);
  const counts = { calls: byCall.size, prefixes: byPrefix.size };

  const rows = Object.values(tables.entities);
  const whole = rows.filter((row) => !row.isWAE);
  const byEntity = new Map(whole.map((row) => [row.dxccCode, place({ p: row.entityPrefix })]));
  addMissing(byPrefix, MISSING_PREFIXES, byEntity);
  addMissing(byCall, MISSING_CALLS, byEntity);
  return {
    ...parseRelease(marks),
    entities: rows.length,
    ...counts,
    byCall,
    byPrefix,
    byName: new Map(whole.map((row) => [row.entityPrefix, place({ p: row.entityPrefix })])),
    byEntity,
    dated: loadDatedCalls(),
    maxPrefixLength: [...byPrefix.keys()].reduce((most, prefix) => Math.max(most, prefix.length), 0),
  };
}

function fill(
  into: Map<string, Resolution>,
  from: Record<string, CFMatch>,
  place: (match: CFMatch) => Resolution,
): void {
  for (const key in from) into.set(key, place(from[key]!));
}

function addMissing(
  into: Map<string, Resolution>,
  missing: readonly (readonly [text: string, dxcc: number])[],
  byEntity: ReadonlyMap<number, Resolution>,
): void {
  for (const [text, dxcc] of missing) {
    const place = byEntity.get(dxcc);
    if (place && !into.has(text)) into.set(text, place);
  }
}

/** Thousands of calls share a few hundred places, so each place is one object. */
function createPlacer(entities: Record<string, CFEntity>): (match: CFMatch) => Resolution {
  const places = new Map<string, Resolution>();
  return (match) => {
    const key = `${match.p} ${match.c} ${match.i} ${match.o} ${match.y} ${match.x}`;
    const known = places.get(key);
    if (known) return known;
    const entity = entities[match.p];
    if (!entity) throw unusable(`it has no entry for ${match.p}`);
    const place = Object.freeze(toResolution(entity, match));
    places.set(key, place);
    return place;
  };
}

function toResolution(entity: CFEntity, match: CFMatch): Resolution {
  const lat = match.y ?? entity.lat;
  const lon = -(match.x ?? entity.lon);
  // Written so that NaN is rejected too.
  const isSensible = Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && entity.dxccCode > 0 && entity.dxccCode < 1000;
  if (!isSensible) throw unusable(`its entry for ${entity.name} is invalid`);
  return {
    dxcc: entity.dxccCode,
    cqZone: parseZone(match.c ?? entity.cqZone, 40),
    ituZone: parseZone(match.i ?? entity.ituZone, 90),
    continent: findContinent(entity, match.o),
    lat: lat + 0,
    lon: lon + 0,
  };
}

// The contests that use this file have no Antarctica, so the DXCC list decides. Part of an entity may lie on another
// continent (European Turkey, Lampedusa).
function findContinent(entity: CFEntity, override?: string): Continent {
  const given = CONTINENTS.find((continent) => continent === (override ?? entity.continent));
  if (!given) throw unusable(`it puts ${entity.name} on the continent "${entity.continent}"`);
  const isWhole = !entity.isWAE && override === undefined;
  return (isWhole && getEntity(entity.dxccCode)?.continent) || given;
}

function parseZone(number: number, highest: number): number | null {
  return number >= 1 && number <= highest ? number : null;
}

function parseRelease(marks: string[]): Pick<CountryFile, "version" | "releasedAt"> {
  const [, year, month, day] = VERSION_MARK.exec(marks.sort().at(-1) ?? "") ?? [];
  const releasedAt = parseDate(`${year}${month}${day}`);
  if (releasedAt === null) throw unusable("it has no release date");
  return { version: `${year}${month}${day}`, releasedAt };
}

function assertComplete(countries: CountryFile): void {
  for (const [what, fewest] of Object.entries(MIN_COUNTS)) {
    const found = countries[what as keyof typeof MIN_COUNTS];
    if (found < fewest) throw unusable(`it has only ${found} ${what}`);
  }
  for (const [prefix, dxcc] of Object.entries(LANDMARKS)) {
    if (countries.byPrefix.get(prefix)?.dxcc !== dxcc) throw unusable(`it has no entry for the prefix ${prefix}`);
  }
}

function unusable(why: string): AppError {
  return new AppError("invalid", `This is not a valid country file (cty.csv): ${why}.`, {
    rule: "country_file",
  });
}
