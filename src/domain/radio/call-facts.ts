/** Look-ups about callsigns. They are passed in because they need large tables. */
export interface CallFacts {
  /** The release date of the country file. */
  releasedAt: number;
  normalise(call: string): string;
  prefix(call: string): string | null;
  isMobile(call: string): boolean;
  locate(
    call: string,
    at: number,
  ): { dxcc: number; cqZone: number | null; ituZone: number | null; continent: string } | null;
  /** The rule that decided what `locate` says. */
  explain(call: string, at: number): string;
  places(): readonly EntityPlace[];
}

/** The position of an entity on a map. */
export interface EntityPlace {
  dxcc: number;
  name: string;
  /** The usual one, or empty. */
  prefix: string;
  lat: number;
  /** Positive east. */
  lon: number;
}
