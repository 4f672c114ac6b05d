/** The bands of ADIF 3.1.6 (III.B.4 Band Enumeration), longest wave first. */
export const BANDS = [
  { name: "2190m", lowHz: 135_700, highHz: 137_800 },
  { name: "630m", lowHz: 472_000, highHz: 479_000 },
  { name: "560m", lowHz: 501_000, highHz: 504_000 },
  { name: "160m", lowHz: 1_800_000, highHz: 2_000_000 },
  { name: "80m", lowHz: 3_500_000, highHz: 4_000_000 },
  { name: "60m", lowHz: 5_060_000, highHz: 5_450_000 },
  { name: "40m", lowHz: 7_000_000, highHz: 7_300_000 },
  { name: "30m", lowHz: 10_100_000, highHz: 10_150_000 },
  { name: "20m", lowHz: 14_000_000, highHz: 14_350_000 },
  { name: "17m", lowHz: 18_068_000, highHz: 18_168_000 },
  { name: "15m", lowHz: 21_000_000, highHz: 21_450_000 },
  { name: "12m", lowHz: 24_890_000, highHz: 24_990_000 },
  { name: "10m", lowHz: 28_000_000, highHz: 29_700_000 },
  { name: "8m", lowHz: 40_000_000, highHz: 45_000_000 },
  { name: "6m", lowHz: 50_000_000, highHz: 54_000_000 },
  { name: "5m", lowHz: 54_000_001, highHz: 69_900_000 },
  { name: "4m", lowHz: 70_000_000, highHz: 71_000_000 },
  { name: "2m", lowHz: 144_000_000, highHz: 148_000_000 },
  { name: "1.25m", lowHz: 222_000_000, highHz: 225_000_000 },
  { name: "70cm", lowHz: 420_000_000, highHz: 450_000_000 },
  { name: "33cm", lowHz: 902_000_000, highHz: 928_000_000 },
  { name: "23cm", lowHz: 1_240_000_000, highHz: 1_300_000_000 },
  { name: "13cm", lowHz: 2_300_000_000, highHz: 2_450_000_000 },
  { name: "9cm", lowHz: 3_300_000_000, highHz: 3_500_000_000 },
  { name: "6cm", lowHz: 5_650_000_000, highHz: 5_925_000_000 },
  { name: "3cm", lowHz: 10_000_000_000, highHz: 10_500_000_000 },
  { name: "1.25cm", lowHz: 24_000_000_000, highHz: 24_250_000_000 },
  { name: "6mm", lowHz: 47_000_000_000, highHz: 47_200_000_000 },
  { name: "4mm", lowHz: 75_500_000_000, highHz: 81_000_000_000 },
  { name: "2.5mm", lowHz: 119_980_000_000, highHz: 123_000_000_000 },
  { name: "2mm", lowHz: 134_000_000_000, highHz: 149_000_000_000 },
  { name: "1mm", lowHz: 241_000_000_000, highHz: 250_000_000_000 },
  { name: "submm", lowHz: 300_000_000_000, highHz: 7_500_000_000_000 },
] as const;

export type Band = (typeof BANDS)[number]["name"];

export const BAND_NAMES: readonly string[] = BANDS.map(({ name }) => name);

/** Shown in overviews by band also without contacts, so that gaps are visible. */
export const USUAL_BANDS = ["160m", "80m", "60m", "40m", "30m", "20m", "17m", "15m", "12m", "10m", "6m"] as const;

const POSITION: ReadonlyMap<string, number> = new Map(BANDS.map((band, index) => [band.name, index]));

/** The band of a contact: BAND, or the band that FREQ implies. `disagrees` if both are given and differ. */
export function resolveBand(
  bandText: string | undefined,
  freqText: string | undefined,
): { band: Band | null; disagrees: boolean } {
  const said = parseBand(bandText);
  const freqHz = parseRecordFrequency(freqText, said);
  const implied = freqHz === null ? null : findBand(freqHz);
  return { band: said ?? implied, disagrees: said !== null && freqHz !== null && implied !== said };
}

export function findBand(freqHz: number): Band | null {
  for (const band of BANDS) {
    if (freqHz < band.lowHz) return null;
    if (freqHz <= band.highHz) return band.name;
  }
  return null;
}

/** Parses `20m`, `20M`, `70 cm`, and `20`, as some programs and people write it. */
export function parseBand(text: string | undefined): Band | null {
  if (text === undefined) return null;
  const name = text.replaceAll(" ", "").toLowerCase();
  return [name, `${name}m`].find((known): known is Band => POSITION.has(known)) ?? null;
}

/** A decimal number without sign. The pattern is unambiguous, so matching takes linear time. */
export const isDecimal = (text: string): boolean => /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(text);

/** Parses megahertz as logs write them (`14.074`, `14,074`) into hertz; null unless it is a positive number. */
export function parseFrequency(text: string | undefined): number | null {
  if (text === undefined) return null;
  const formatMegahertz = text.trim().replace(",", ".");
  if (!isDecimal(formatMegahertz)) return null;
  const hertz = Math.round(Number(formatMegahertz) * 1e6);
  return hertz > 0 && Number.isSafeInteger(hertz) ? hertz : null;
}

/**
 * The frequency of a record. Some programs write kilohertz (`14074`): this is assumed if it fits the given band and
 * megahertz do not, or without a band if it fits any band. 10136 is FT8 on 30 m; nobody calls on 10.136 GHz.
 */
export function parseRecordFrequency(text: string | undefined, said: Band | null): number | null {
  const hertz = parseFrequency(text);
  if (hertz === null) return null;
  const [asMegahertz, asKilohertz] = [findBand(hertz), findBand(hertz / 1000)];
  const isKilohertz = said === null ? asKilohertz !== null : asMegahertz !== said && asKilohertz === said;
  return isKilohertz ? Math.round(hertz / 1000) : hertz;
}

const UNITS: Readonly<Record<string, number>> = { ghz: 1e9, mhz: 1e6, khz: 1e3, hz: 1 };

/** Parses a typed frequency: `14.074`, `14,074`, `14074`, `14.074 MHz`, `14074 kHz`. Null if it is in no band. */
export const parseTypedFrequency = (text: string): number | null => {
  const given = text.trim();
  const [unit = ""] = /[gmk]?hz$/i.exec(given) ?? [];
  const number = given.slice(0, given.length - unit.length).trimEnd();
  const asMegahertz = parseFrequency(number);
  if (asMegahertz === null) return null;
  const hertz = unit
    ? Math.round((asMegahertz / 1e6) * UNITS[unit.toLowerCase()]!)
    : parseRecordFrequency(number, null)!;
  return findBand(hertz) === null ? null : hertz;
};

/** Sorts by wavelength; unknown bands come last. */
export function compareBands(a: string, b: string): number {
  return (POSITION.get(a) ?? BANDS.length) - (POSITION.get(b) ?? BANDS.length);
}

/** Formats hertz as megahertz with as few digits as possible. */
export const megahertz = (hertz: number): string => {
  const [whole, parts] = [Math.floor(hertz / 1e6), hertz % 1e6];
  return parts === 0
    ? String(whole)
    : `${whole}.${String(parts)
        .padStart(6, "0")
        .replace(/(?<!0)0+$/, "")}`;
};
