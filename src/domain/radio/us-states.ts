import type { Fields } from "../contact/adif-record.ts";
import { code } from "../../kernel/text.ts";

/** The fifty states by postal code. */
export const US_STATES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AL: "Alabama",
    AK: "Alaska",
    AZ: "Arizona",
    AR: "Arkansas",
    CA: "California",
    CO: "Colorado",
    CT: "Connecticut",
    DE: "Delaware",
    FL: "Florida",
    GA: "Georgia",
    HI: "Hawaii",
    ID: "Idaho",
    IL: "Illinois",
    IN: "Indiana",
    IA: "Iowa",
    KS: "Kansas",
    KY: "Kentucky",
    LA: "Louisiana",
    ME: "Maine",
    MD: "Maryland",
    MA: "Massachusetts",
    MI: "Michigan",
    MN: "Minnesota",
    MS: "Mississippi",
    MO: "Missouri",
    MT: "Montana",
    NE: "Nebraska",
    NV: "Nevada",
    NH: "New Hampshire",
    NJ: "New Jersey",
    NM: "New Mexico",
    NY: "New York",
    NC: "North Carolina",
    ND: "North Dakota",
    OH: "Ohio",
    OK: "Oklahoma",
    OR: "Oregon",
    PA: "Pennsylvania",
    RI: "Rhode Island",
    SC: "South Carolina",
    SD: "South Dakota",
    TN: "Tennessee",
    TX: "Texas",
    UT: "Utah",
    VT: "Vermont",
    VA: "Virginia",
    WA: "Washington",
    WV: "West Virginia",
    WI: "Wisconsin",
    WY: "Wyoming",
  }),
);

export const USA = 291;
export const ALASKA = 6;
export const HAWAII = 110;

const ADMITTED: Record<string, number> = {
  AK: Date.UTC(1959, 0, 3),
  HI: Date.UTC(1959, 7, 21),
};

/** Two entities are a state each. */
const WHOLE_STATES: ReadonlyMap<number | null, string> = new Map([
  [ALASKA, "AK"],
  [HAWAII, "HI"],
]);

const COUNTY_OF_STATE = /^\s*([A-Z]{2})\s*,/i;

/** The county alone. ADIF repeats the state in it: "OR,Washington". */
export const getCountyName = ({ state, county }: { state: string | null; county: string | null }): string | null =>
  county === null ? null : county.replace(`${state},`, "");

/** The state that an origin gives, or the state of its county. */
export const readState = ({ STATE, CNTY }: Fields): string | null => code(STATE) ?? findStateOfCounty(CNTY);

const findStateOfCounty = (county: string | undefined): string | null => {
  const state = county === undefined ? undefined : COUNTY_OF_STATE.exec(county)?.[1]?.toUpperCase();
  return state !== undefined && (US_STATES.has(state) || state === "DC") ? state : null;
};

/** The state that a contact counts for in Worked All States, or null. */
export function findAwardState(dxcc: number | null, state: string | null, at: number): string | null {
  const code = (state ?? WHOLE_STATES.get(dxcc))?.trim().toUpperCase();
  if (!code || !isWithin(dxcc, code)) return null;
  if (at < (ADMITTED[code] ?? -Infinity)) return null;
  return code === "DC" ? "MD" : code;
}

// For a contact logged as 291 with STATE AK, the entity is wrong and the state is right. The reverse is not true.
function isWithin(dxcc: number | null, code: string): boolean {
  if (dxcc === ALASKA) return code === "AK";
  if (dxcc === HAWAII) return code === "HI";
  return dxcc === USA && (US_STATES.has(code) || code === "DC");
}
