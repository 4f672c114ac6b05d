import { US_STATES } from "../domain/radio/us-states.ts";

/** The name that a report adds after the code of a state or province, for the most common entities. */
export function findSubdivisionName(entity: string | undefined, code: string): string | undefined {
  return BY_ENTITY[entity ?? ""]?.get(code);
}

const names = (text: string) =>
  new Map(
    text.split("|").map((entry): [string, string] => {
      const [code, ...name] = entry.trim().split(" ");
      return [code, name.join(" ")];
    }),
  );

const AMERICAN = new Map<string, string>([...US_STATES, ["DC", "District of Columbia"]]);

const BY_ENTITY: Record<string, Map<string, string>> = {
  "1": names(
    `AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia|NT Northwest Territories
    |NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon`,
  ),
  "6": AMERICAN,
  "110": AMERICAN,
  "150": names(
    `ACT Australian Capital Territory|NSW New South Wales|NT Northern Territory|QLD Queensland|SA South Australia|TAS Tasmania
    |VIC Victoria|WA Western Australia`,
  ),
  "291": AMERICAN,
};
