/** What is known of callsigns, handed in because it lives in large tables. */
export interface CallFacts {
  /** When the country file behind it was released. */
  releasedAt: number;
  normalise(call: string): string;
  prefix(call: string): string | null;
  isMobile(call: string): boolean;
  locate(
    call: string,
    at: number,
  ): { dxcc: number; cqZone: number | null; ituZone: number | null; continent: string } | null;
  places(): readonly EntityPlace[];
}

/** Where an entity is marked on a map. */
export interface EntityPlace {
  dxcc: number;
  name: string;
  lat: number;
  /** Positive east. */
  lon: number;
}
