/** A call as it is kept and looked up: one spelling for one station. */
export function normaliseCall(text: string): string {
  return text.trim().toUpperCase().replaceAll("Ø", "0").replaceAll("_", "/");
}
