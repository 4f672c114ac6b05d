import { ALASKA, HAWAII, USA } from "./us-states.ts";

const CANADA = 1;

// CQ Magazine's zones. Ontario, Quebec, and Newfoundland and Labrador lie in two zones each.
const CANADA_ZONES: Record<number, string> = {
  1: "NT YT",
  2: "NU",
  3: "BC",
  4: "AB MB SK",
  5: "NB NS PE",
};

const USA_ZONES: Record<number, string> = {
  3: "AZ CA ID NV OR UT WA",
  4: "AL AR CO IA IL IN KS KY LA MI MN MO MS MT ND NE NM OH OK SD TN TX WI WY",
  5: "CT DC DE FL GA MA MD ME NC NH NJ NY PA RI SC VA VT WV",
};

const ZONE_OF_STATE: ReadonlyMap<number, ReadonlyMap<string, number>> = new Map([
  [CANADA, byState(CANADA_ZONES)],
  [USA, byState(USA_ZONES)],
  [ALASKA, byState({ 1: "AK" })],
  [HAWAII, byState({ 31: "HI" })],
]);

/** The CQ zone of a US state or Canadian province; null if the state does not decide it. */
export function findCqZone(dxcc: number | null, state: string | null): number | null {
  if (dxcc === null || !state) return null;
  return ZONE_OF_STATE.get(dxcc)?.get(state.trim().toUpperCase()) ?? null;
}

function byState(zones: Record<number, string>): Map<string, number> {
  return new Map(
    Object.entries(zones).flatMap(([zone, states]) =>
      states.split(" ").map((state): [string, number] => [state, Number(zone)]),
    ),
  );
}
