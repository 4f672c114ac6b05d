import { canonicalCall } from "../domain/people/user.ts";

/** The one spelling of a callsign that is stored and looked up. */
export function normaliseCall(text: string): string {
  return canonicalCall(text).replaceAll("_", "/");
}
