export function normaliseCall(text: string): string {
  return text.trim().toUpperCase().replaceAll("Ø", "0").replaceAll("_", "/");
}
