import { createRequire } from "node:module";

interface Tcadif {
  ADIF: { parse(text: string): { qsos: { toObject(): Record<string, string> }[] } };
  Field: { parse(text: string): { fieldName: string; data: string | null; bytesConsumed: number } | null };
  enums: { Band: Record<string, { lowerFreq: string; upperFreq: string }>; Mode: Record<string, string> };
}

/** A strict reader of another hand; it comes without types. */
export const tcadif = createRequire(import.meta.url)("tcadif") as Tcadif;
