import type { CallFacts } from "../domain/call-facts.ts";
import type { CountryFile } from "./country-file.ts";
import { normaliseCall } from "./normalise.ts";
import { dissect } from "./parts.ts";
import { wpxPrefix } from "./prefix.ts";
import { resolve } from "./resolver.ts";

/** What the derivation asks about callsigns, answered from the country file. */
export const callFacts = (countries: CountryFile): CallFacts => ({
  normalise: normaliseCall,
  prefix: wpxPrefix,
  isMobile: (call) => call.includes("/") && dissect(call).afloat,
  locate: (call, at) => resolve(countries, call, at),
});
