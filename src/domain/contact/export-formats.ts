/** The forms in which contacts go out, and what people call them. */
export const EXPORT_FORMATS = {
  adi: "ADIF",
  adx: "ADX",
  csv: "CSV",
  jsonl: "JSON lines",
  cabrillo: "Cabrillo",
} as const;

export type ExportFormat = keyof typeof EXPORT_FORMATS;
