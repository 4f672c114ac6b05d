import { canonicalCall } from "../domain/people/user.ts";

/** A call as it is kept and looked up: one spelling for one station. */
export function normaliseCall(text: string): string {
  return canonicalCall(text).replaceAll("_", "/");
}
