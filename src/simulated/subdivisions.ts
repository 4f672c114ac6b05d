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

const BY_ENTITY: Record<string, Map<string, string>> = {
  "1": names(
    `AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia|NT Northwest Territories
    |NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon`,
  ),
  "6": names("AK Alaska"),
  "110": names("HI Hawaii"),
  "150": names(
    `ACT Australian Capital Territory|NSW New South Wales|NT Northern Territory|QLD Queensland|SA South Australia|TAS Tasmania
    |VIC Victoria|WA Western Australia`,
  ),
  "291": names(
    `AL Alabama|AR Arkansas|AZ Arizona|CA California|CO Colorado|CT Connecticut|DC District of Columbia|DE Delaware|FL Florida
    |GA Georgia|IA Iowa|ID Idaho|IL Illinois|IN Indiana|KS Kansas|KY Kentucky|LA Louisiana|MA Massachusetts|MD Maryland|ME Maine
    |MI Michigan|MN Minnesota|MO Missouri|MS Mississippi|MT Montana|NC North Carolina|ND North Dakota|NE Nebraska|NH New Hampshire
    |NJ New Jersey|NM New Mexico|NV Nevada|NY New York|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island
    |SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VA Virginia|VT Vermont|WA Washington|WI Wisconsin
    |WV West Virginia|WY Wyoming`,
  ),
};
